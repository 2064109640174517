import { get, type IncomingMessage } from 'node:http'
import { unauthorized } from 'prismapi'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { users } from '../support/api.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// What ends an export: too many rows, a client that leaves or does not read, and rights that are withdrawn.

class Small extends V1 {
  override readonly limits = { exportRows: 3000, resources: 1500 }
}

const admin = { id: users.admin, role: 'ADMIN' as string, lastSeenAt: new Date(0) }
let authenticate: () => unknown = () => admin
const api = useServers(async () => ({ ...(await exampleWith(Small)), authenticate: () => authenticate() }))

const length = 10_000
let author: number
beforeAll(async () => {
  const { id } = await api.db.user.create({ data: { name: 'A', email: 'a@example.org', passwordHash: 'x' } })
  author = id
  const post = { content: 'x'.repeat(length), authorId: id, publishedAt: new Date(0) }
  const data = Array.from({ length: 3000 }, (_, i) => ({ ...post, title: `Title ${i}`, slug: `large-${i}` }))
  for (let i = 0; i < data.length; i += 500) await api.db.post.createMany({ data: data.slice(i, i + 500) })
})

const opened: IncomingMessage[] = []
afterEach(() => {
  for (const response of opened.splice(0)) response.destroy()
  authenticate = () => admin
})

/** The response to an export, of which nothing is read before it is asked for. */
const open = (query = ''): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = `${api.at}/api/v1/posts?filter[author]=${author}&sort=id${query}`
    get(url, { headers: { accept: 'text/csv' }, agent: false }, (response) => {
      opened.push(response)
      resolve(response)
    }).on('error', reject)
  })

/** How many lines came, and whether the response has ended as it should. */
async function readAll(response: IncomingMessage): Promise<{ lines: number; isWhole: boolean }> {
  let lines = 0
  try {
    for await (const chunk of response.setEncoding('utf8')) lines += chunk.split('\r\n').length - 1
    return { lines, isWhole: true }
  } catch {
    return { lines, isWhole: false }
  }
}

async function errorOf(response: IncomingMessage) {
  const { code, detail, source } = JSON.parse((await response.setEncoding('utf8').toArray()).join('')).errors[0]
  return { status: response.statusCode, type: response.headers['content-type'], code, detail, source }
}

test('an export of as many rows as the limit has all of them, whatever a document may have', async () => {
  expect(await readAll(await open())).toEqual({ lines: 3001, isWhole: true })
})

test('more rows than the limit are 400 before the first of them', async () => {
  const { id } = await api.db.post.create({
    data: { title: 'One more', slug: 'one-more', content: '', authorId: author, publishedAt: new Date(0) },
  })
  expect(await errorOf(await open())).toEqual({
    status: 400,
    type: 'application/vnd.api+json',
    code: 'too-many-rows',
    detail: 'An export must not have more than 3000 rows. Narrow it by a filter.',
    source: { parameter: 'filter' },
  })
  await api.db.post.delete({ where: { id } })
})

test('a client that does not read has the server ask for nothing more', async () => {
  let response: IncomingMessage | null = null
  const queries = await api.queriesOf(async () => {
    response = await open()
    await new Promise((resolve) => setTimeout(resolve, 1000))
  })
  const rows = queries.filter((sql) => /"content"/.test(sql))
  // A hundred rows of 10 KB each at a time, as many as the buffers of the connection hold.
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.length).toBeLessThan(20)
  expect(await readAll(response as unknown as IncomingMessage)).toEqual({ lines: 3001, isWhole: true })
})

describe('an export ends, and the client sees that it is not whole,', () => {
  async function endedBy(change: () => void) {
    const response = await open()
    change()
    const { lines, isWhole } = await readAll(response)
    expect(lines).toBeGreaterThan(0)
    expect({ isWhole, isCut: lines < 3001 }).toEqual({ isWhole: false, isCut: true })
    expect(api.logs.at(-1)).toMatchObject({ level: 'warn', message: 'An export has ended before its last row' })
  }

  test('where its credentials are no longer good', () =>
    endedBy(() => {
      authenticate = () => {
        throw unauthorized('Bearer')
      }
    }))

  test('where the user has another role', () =>
    endedBy(() => {
      authenticate = () => ({ ...admin, role: 'MEMBER' })
    }))

  test('where the user has signed out', () =>
    endedBy(() => {
      authenticate = () => null
    }))
})

test('instants of the user are no rights', async () => {
  let asked = 0
  authenticate = () => ({ ...admin, lastSeenAt: new Date(asked++) })
  expect(await readAll(await open())).toEqual({ lines: 3001, isWhole: true })
  expect(asked).toBeGreaterThan(2)
})

test('a client has four exports at a time', async () => {
  for (let i = 0; i < 4; i++) expect((await open()).statusCode).toBe(200)
  const fifth = await open()
  expect([fifth.statusCode, fifth.headers['retry-after']]).toEqual([503, '1'])
})
