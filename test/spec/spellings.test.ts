import { describe, expect, test } from 'vitest'
import { provider } from '../support/database.ts'
import { addPost } from '../support/rows.ts'
import { theExample, useServers } from '../support/servers.ts'

// Rows that other programs wrote: an instant is a text of many spellings in SQLite, or a number. All of them are answered,
// named by their entity tags, and changed in one statement, as what Prisma writes is.

const api = useServers(theExample)

/** How the instant 2024-05-01T10:20:30.000Z may lie in the file. */
const spellings = {
  'as Prisma writes it': "'2024-05-01T10:20:30.000+00:00'",
  'as JavaScript writes it': "'2024-05-01T10:20:30.000Z'",
  'as CURRENT_TIMESTAMP writes it': "'2024-05-01 10:20:30'",
  "as Prisma's migrations write it": "'2024-05-01 10:20:30 +00:00'",
  'without a zone': "'2024-05-01T10:20:30'",
  'without milliseconds': "'2024-05-01T10:20:30Z'",
  'with microseconds': "'2024-05-01 10:20:30.000000'",
  'in another zone': "'2024-05-01T12:20:30+02:00'",
  'in another zone without a colon': "'2024-05-01T12:20:30+0200'",
  'in another zone of whole hours': "'2024-05-01 12:20:30+02'",
  'as older versions of Prisma write it': '1714558830000',
} as const

const instant = new Date('2024-05-01T10:20:30Z')

const added = () => addPost(api.db, { createdAt: instant, updatedAt: instant, publishedAt: instant })

async function respell(id: number, spelling: string): Promise<void> {
  const columns = ['createdAt', 'updatedAt', 'publishedAt'].map((name) => `"${name}" = ${spelling}`)
  await api.db.$executeRawUnsafe(`UPDATE "Post" SET ${columns.join()} WHERE "id" = ${id}`)
}

async function spelt(spelling: string): Promise<number> {
  const { id } = await added()
  await respell(id, spelling)
  return id
}

const author: ReturnType<typeof api.as> = (...args) => api.as(3)(...args)
const change = (id: number, title: string, etag: string) => ({
  headers: { 'If-Match': etag },
  body: { data: { type: 'posts', id: String(id), attributes: { title } } },
})

/** What wrote rows while the work was done: Prisma shouts. */
async function writersOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const queries = await api.queriesOf(work)
  return queries.filter((sql) => /^(insert|update|begin) /i.test(sql)).map((sql) => sql.slice(0, 13))
}

describe.runIf(provider === 'sqlite').each(Object.entries(spellings))('an instant %s', (_, spelling) => {
  test('is answered as all others are, alone and in a list', async () => {
    const { id } = await added()
    const ask = async (path: string) => {
      const { status, headers, text } = await author('GET', `/api/v1/${path}`)
      return { status, etag: headers.get('ETag'), text }
    }
    const paths = [`posts/${id}`, `posts?filter[id]=${id}&page[size]=1`, `users/3/posts?filter[id]=${id}`]
    const before = await Promise.all(paths.map(ask))
    expect(before.map(({ text }) => text.includes('"createdAt":"2024-05-01T10:20:30.000Z"'))).toEqual([
      true,
      true,
      true,
    ])
    await respell(id, spelling)
    expect(await Promise.all(paths.map(ask))).toEqual(before)
  })

  test('is changed in one statement by who names its version, and by nobody else', async () => {
    const id = await spelt(spelling)
    const { headers } = await author('GET', `/api/v1/posts/${id}`)
    const etag = headers.get('ETag') as string
    let changed: string | null = null
    const writers = await writersOf(async () => {
      const { status, headers, body } = await author('PATCH', `/api/v1/posts/${id}`, change(id, 'Changed', etag))
      changed = headers.get('ETag')
      expect({ status, title: body.data.attributes.title, createdAt: body.data.attributes.createdAt }).toEqual({
        status: 200,
        title: 'Changed',
        createdAt: instant.toISOString(),
      })
    })
    expect(writers).toEqual(['update "Post"'])
    expect(changed).not.toBe(etag)
    expect((await author('PATCH', `/api/v1/posts/${id}`, change(id, 'Again', etag))).status).toBe(412)
    const { title, createdAt } = await api.db.post.findUniqueOrThrow({ where: { id } })
    expect({ title, createdAt }).toEqual({ title: 'Changed', createdAt: instant })
  })

  test('keeps no transaction from going through', async () => {
    const id = await spelt(spelling)
    const body = { data: [{ type: 'tags', id: '1' }] }
    const linked = await api.as(1)('POST', `/api/v1/posts/${id}/relationships/tags`, { body })
    expect([linked.status, linked.text]).toEqual([204, ''])
    const { tags } = await api.db.post.findUniqueOrThrow({ where: { id }, select: { tags: { select: { id: true } } } })
    expect(tags).toEqual([{ id: 1 }])
    expect((await api.as(1)('DELETE', `/api/v1/posts/${id}`)).status).toBe(204)
  })

  test('is compared before it is changed', async () => {
    const id = await spelt(spelling)
    const { headers } = await author('GET', `/api/v1/posts/${id}`)
    const etag = headers.get('ETag') as string
    const answers = await Promise.all(
      ['One', 'Other'].map((title) => author('PATCH', `/api/v1/posts/${id}`, change(id, title, etag))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })
})

// Rows of all spellings beside each other, two minutes apart. Those in between are what Prisma writes.
describe.runIf(provider === 'sqlite')('instants of many spellings are compared as time', () => {
  const at = (minute: number) => new Date(Date.UTC(2024, 4, 1, 10, minute)).toISOString()
  const kinds: readonly ((iso: string) => string)[] = [
    (iso) => `'${iso.replace('Z', '+00:00')}'`,
    (iso) => `'${iso.slice(0, 19).replace('T', ' ')} +00:00'`,
    (iso) => `'${iso.slice(0, 19).replace('T', ' ')}'`,
    (iso) => String(Date.parse(iso)),
    (iso) => `'${iso}'`,
    (iso) => `'${new Date(Date.parse(iso) + 7_200_000).toISOString().slice(0, 19)}.000999+02'`,
    (iso) => `'${new Date(Date.parse(iso) - 5_400_000).toISOString().slice(0, 19)}-01:30'`,
  ]
  const minutes = [12, 4, 0, 10, 2, 8, 6]

  async function written(): Promise<ReadonlyMap<number, string>> {
    const ids = new Map<number, string>()
    for (const [i, minute] of minutes.entries()) {
      const { id } = await addPost(api.db, { createdAt: at(minute), updatedAt: at(minute), publishedAt: at(minute) })
      ids.set(minute, String(id))
      await respell(id, (kinds[i] as (iso: string) => string)(at(minute)))
    }
    return ids
  }

  const admin: ReturnType<typeof api.as> = (...args) => api.as(1)(...args)
  async function minutesOf(query: string): Promise<readonly number[]> {
    const ids = await written()
    const only = `filter[id][in]=${[...ids.values()].join()}`
    const { status, body } = await admin('GET', `/api/v2/posts?${only}&sort=createdAt&${query}`)
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
    const of = new Map([...ids].map(([minute, id]) => [id, minute]))
    for (const { id, attributes } of body.data) expect(attributes.createdAt).toBe(at(of.get(id) as number))
    return body.data.map(({ id }: { id: string }) => of.get(id))
  }

  test.each([
    ['', [0, 2, 4, 6, 8, 10, 12]],
    [`filter[createdAt][gt]=${at(4)}`, [6, 8, 10, 12]],
    [`filter[createdAt][gte]=${at(8)}`, [8, 10, 12]],
    [`filter[createdAt][lt]=${at(5)}`, [0, 2, 4]],
    [`filter[createdAt][lte]=${at(6)}`, [0, 2, 4, 6]],
    [`filter[createdAt]=${at(8)}`, [8]],
    [`filter[createdAt][not]=${at(8)}`, [0, 2, 4, 6, 10, 12]],
    [`filter[createdAt][in]=${at(0)},${at(10)},${at(11)}`, [0, 10]],
    [`filter[createdAt][notIn]=${at(0)},${at(10)},${at(11)}`, [2, 4, 6, 8, 12]],
  ])('by the query %s', async (query, expected) => {
    expect(await minutesOf(query)).toEqual(expected)
  })

  test('in what other rows have behind a relation', async () => {
    const ids = await written()
    const { id } = await api.db.tag.create({ data: { name: 'Beside' } })
    await api.db.tag.update({
      where: { id },
      data: { posts: { connect: [...ids.values()].map((post) => ({ id: Number(post) })) } },
    })
    const found = async (minute: number) => {
      const query = `filter[id]=${id}&filter[posts.createdAt][gt]=${at(minute)}`
      return (await admin('GET', `/api/v2/tags?${query}`)).body.data.length
    }
    expect([await found(11), await found(12)]).toEqual([1, 0])
  })

  test('in groups', async () => {
    const ids = await written()
    const only = `filter[id][in]=${[...ids.values()].join()}`
    const { status, body } = await admin(
      'GET',
      `/api/v2/posts/-stats?${only}&groupBy=publishedAt:day&withStats[*]=count`,
    )
    expect({ status, groups: body.meta?.groups ?? body }).toMatchObject({
      status: 200,
      groups: [{ stats: { '*': { count: 7 } } }],
    })
  })
})
