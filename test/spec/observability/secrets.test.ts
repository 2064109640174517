import { get } from 'node:http'
import pino from 'pino'
import { Schema, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { useApi, users } from '../../support/api.ts'
import { openEvents } from '../../support/event-stream.ts'
import { openServer } from '../../support/open-server.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What a client sends may be a secret wherever it stands; a log is read by more people than the database.

const secret = 's3cr3t-of-a-client'
let text = ''
const destination = {
  write(line: string) {
    text += line
  },
}
const logger = pino({ level: 'trace' }, destination)
const api = useApi({ logger })
const admin = api.as(users.admin)

const user = (attributes: object) => ({ data: { type: 'users', attributes } })

/** The lines of the log that some work leads to. */
async function linesOf(work: () => Promise<unknown>): Promise<readonly Record<string, unknown>[]> {
  text = ''
  await work()
  await new Promise((resolve) => setTimeout(resolve, 20))
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('at level trace, what a client sends is in no line of the log', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a token that is refused', () => api.withHeader(`Bearer ${secret}.${secret}.${secret}`).get('/posts')],
    ['a header', () => admin.get('/posts', { headers: { Cookie: secret, 'X-Api-Key': secret } })],
    [
      'a header that is refused',
      () => admin.get('/posts', { headers: { Accept: `application/vnd.api+json;${secret}=1` } }),
    ],
    ['an If-Match', () => admin.patch('/posts/1', { headers: { 'If-Match': `"${secret}"` }, body: {} })],
    [
      'an Idempotency-Key',
      () => admin.post('/posts', { headers: { 'Idempotency-Key': `${secret} ${secret}` }, body: {} }),
    ],
    [
      'an Idempotency-Token',
      () =>
        api.guest.post('/posts', { headers: { 'Idempotency-Key': 'a-key', 'Idempotency-Token': secret }, body: {} }),
    ],
    [
      'an X-Request-Id that is refused',
      () => admin.get('/posts', { headers: { 'X-Request-Id': `${secret} and more` } }),
    ],
    ['the value of a parameter', () => admin.get(`/posts?filter[title]=${secret}`)],
    ['the name of a parameter', () => admin.get(`/posts?${secret}=1`)],
    ['a value that is refused', () => admin.get(`/posts?filter[id]=${secret}&sort=${secret}&page[size]=${secret}`)],
    ['an include that is refused', () => admin.get(`/posts?include=${secret}&fields[posts]=${secret}`)],
    ['a body that is no JSON', () => admin.post('/posts', { body: `{ "data": ${secret}` })],
    ['a body that is no document', () => admin.post('/posts', { body: { [secret]: secret } })],
    [
      'an attribute',
      () => admin.post('/users', { body: user({ name: secret, email: `${secret}@a.example`, password: secret }) }),
    ],
    ['an attribute that is refused', () => admin.post('/users', { body: user({ email: secret, [secret]: secret }) })],
    [
      'an attribute that is taken',
      () => admin.post('/users', { body: user({ name: secret, email: `${secret}@a.example`, password: secret }) }),
    ],
    ['a type', () => admin.post('/posts', { body: { data: { type: secret, attributes: {} } } })],
    [
      'an identifier',
      () => admin.patch('/posts/1/relationships/author', { body: { data: { type: 'users', id: secret } } }),
    ],
    ['a search that Prisma does', () => admin.get(`/posts?filter[or][0][title][contains]=${secret}`)],
  ])('%s', async (_name, work) => {
    const lines = await linesOf(work)
    expect(lines.map(({ msg }) => msg)).toContain('Request')
    expect(JSON.stringify(lines)).not.toContain(secret)
  })
})

test('a path that looks like lines of the log is one field of one line, as it was sent', async () => {
  const path = '/api/v1/nothing%0A%7B%22level%22:60%7D%0D%0A%1B%5B2J%E2%80%A8x'
  const lines = await linesOf(
    () =>
      new Promise((resolve) =>
        get(api.url('/').replace('/api/v1/', path), (answer) => answer.resume().on('end', resolve)),
      ),
  )
  const asked = lines.filter(({ msg }) => msg === 'Request')
  expect(asked.map(({ path: told }) => told)).toEqual([path])
  expect(lines.map(({ level }) => level)).not.toContain(60)
})

describe('what Prisma says of a call that it cannot carry out', () => {
  class Tags extends Schema<'Tag'> {}
  const lines: { readonly err?: Error }[] = []
  const none = () => {}
  const keep = (fields: object) => void lines.push(fields)
  const api = useServers(() => ({
    policies: new Map(),
    logger: { debug: none, info: none, warn: none, error: keep },
    servers: [
      openServer(
        'mistaken',
        { Tag: Tags },
        {
          serving: (phase) =>
            phase.created('Tag', async ({ name }, { db }) => {
              await db.user.create({ data: { name, nonsense: name } as never })
            }),
        },
      ),
    ],
  }))

  test('is in the log without its arguments', async () => {
    const body = { data: { type: 'tags', attributes: { name: secret } } }
    expect((await api.as(null)('POST', '/api/mistaken/tags', { body })).status).toBe(500)
    expect(lines).toHaveLength(1)
    const [{ err } = {}] = lines
    expect(err?.name).toBe('PrismaClientValidationError')
    expect(err?.message).toMatch(/^Argument `email` is missing/)
    expect(err?.stack).toMatch(/^PrismaClientValidationError: Argument.*\n +at /)
    expect(`${err?.message}${err?.stack}${err?.cause}`).not.toContain(secret)
  })
})

describe('what is said of a stream whose changes cannot be read', () => {
  let isBroken = false
  class Failing extends V2 {
    override serving(phase: Serving): void {
      super.serving(phase)
      phase.reading('Tag', () => {
        if (isBroken) throw new Error('broken')
      })
    }
  }
  const api = useServers(() => exampleWith(Failing))

  test('has its path without the query', async () => {
    const { id } = await api.db.tag.create({ data: { name: secret } })
    const stream = await openEvents(`${api.at}/api/v2/tags?filter[name]=${secret}`)
    await stream.next()
    isBroken = true
    await api.db.tag.update({ where: { id }, data: { name: `${secret}!` } })
    const told = () => api.logs.find(({ message }) => message === 'Changes could not be read')?.fields
    await expect.poll(told).toEqual({ err: expect.any(Error), path: '/api/v2/tags' })
    await stream.close()
  })
})
