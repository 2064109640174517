import { describe, expect, test } from 'vitest'
import { allowOf, badParameter, expectAnswer, expectErrors, expectNotAllowed } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, pageOf, postResource } from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'

const api = useApi()
const newestFirst = [{ createdAt: 'desc' }, { id: 'asc' }] as const
const sort = '-createdAt'

/** The page as it stands in the database; `where` is what the caller may see. */
async function expected(where: object, { number, size }: { number: number; size: number }, self = at('/posts')) {
  const rows = await api.db.post.findMany({
    where,
    orderBy: [...newestFirst],
    skip: (number - 1) * size,
    take: size,
  })
  const { links, meta } = pageOf('/posts', { number, size, total: await api.db.post.count({ where }), sort })
  const document = documentOf(
    self,
    rows.map((row) => postResource(row)),
    { meta },
  )
  return { ...document, meta, links: { self, ...links } }
}

const published = { publishedAt: { not: null } }

describe('GET /posts', () => {
  test('a guest gets the newest 15 of the 48 published posts', async () => {
    const document = await expected(published, { number: 1, size: 15 })
    expect(document.meta).toEqual({ page: { currentPage: 1, from: 1, lastPage: 4, perPage: 15, to: 15, total: 48 } })
    expectAnswer(await api.guest.get('/posts'), 200, document)
  })

  test('the last page has what is left, and nothing after it', async () => {
    const self = at('/posts', { 'page[number]': 4 })
    expectAnswer(
      await api.guest.get('/posts?page[number]=4'),
      200,
      await expected(published, { number: 4, size: 15 }, self),
    )
  })

  test('a page beyond the last one is empty', async () => {
    const self = at('/posts', { 'page[number]': 9, 'page[size]': 10 })
    const { links, meta } = pageOf('/posts', { number: 9, size: 10, total: 48, sort })
    expect(meta.page).toMatchObject({ from: 0, to: 0, lastPage: 5 })
    expectAnswer(await api.guest.get('/posts?page[number]=9&page[size]=10'), 200, {
      ...documentOf(self, [], { meta }),
      links: { self, ...links },
    })
  })

  test.each([
    ['page[number]', '0'],
    ['page[size]', 'ten'],
    ['page[size]', ''],
    ['page[size]', '1001'],
    ['page[limit]', '5'],
  ])('%s=%s is 400', async (key, value) => {
    expectErrors(await api.guest.get(`/posts?${key}=${value}`), badParameter(key))
  })

  test('an unknown parameter is 400', async () => {
    expectErrors(await api.guest.get('/posts?colour=red'), badParameter('colour'))
  })
})

describe('who sees which posts', () => {
  test.each([
    ['a guest: those that are published', null, 48],
    ['a member: their own drafts too', users.member3, 49],
    ['an editor: all', users.editor, 60],
    ['an administrator: all', users.admin, 60],
  ])('%s', async (_, userId, total) => {
    const caller = userId === null ? api.guest : api.as(userId)
    const own = userId === users.member3 ? [{ authorId: userId }] : []
    const where = total === 60 ? {} : { OR: [published, ...own] }
    const self = at('/posts', { 'page[size]': 100 })
    const document = await expected(where, { number: 1, size: 100 }, self)
    expect(document.data).toHaveLength(total)
    expectAnswer(await caller.get('/posts?page[size]=100'), 200, document)
  })

  test('a post is published from its date on, and gone for everybody once it is deleted', async () => {
    const tomorrow = await addPost(api.db, { publishedAt: new Date(Date.now() + 86_400_000), createdAt: new Date() })
    const deleted = await addPost(api.db, { deletedAt: new Date(), createdAt: new Date() })
    const newest = async (caller: typeof api.guest) => (await caller.get('/posts?page[size]=1')).body.data[0].id
    expect(await newest(api.guest)).toBe('59')
    expect(await newest(api.as(users.member4))).toBe('59')
    expect(await newest(api.as(users.member3))).toBe(String(tomorrow.id))
    expect(await newest(api.as(users.admin))).toBe(String(tomorrow.id))
    await api.db.post.deleteMany({ where: { id: { in: [tomorrow.id, deleted.id] } } })
  })
})

describe('other verbs on /posts', () => {
  test('HEAD has the headers of GET and no body', async () => {
    const [get, head] = [await api.guest.get('/posts'), await api.guest.request('HEAD', '/posts')]
    expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: undefined })
    for (const name of ['Content-Type', 'Content-Length', 'Vary']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name))
    }
    expect(Number(head.headers.get('Content-Length'))).toBe(Buffer.byteLength(JSON.stringify(get.body)))
    expect(head.headers.get('Vary')).toBe('Accept')
  })

  test('OPTIONS says what there is', async () => {
    const answer = await api.guest.request('OPTIONS', '/posts')
    expectAnswer(answer, 204)
    expect(allowOf(answer)).toEqual(['GET', 'HEAD', 'POST'])
  })

  test.each(['PATCH', 'PUT', 'DELETE'])('%s is 405', async (method) => {
    expectNotAllowed(await api.as(users.admin).request(method, '/posts'), ['GET', 'HEAD', 'POST'])
  })
})
