import { describe, expect, test } from 'vitest'
import { parametersOf, useConformance, versions } from '../../support/conformance.ts'
import { snapshot } from '../../support/snapshot.ts'

const server = useConformance()

describe.each(versions)('query parameters on the server $name', (version) => {
  const get = (path: string) => server.get(version, path)

  test.each(['', '/posts', '/posts/1', '/posts/1/tags', '/posts/1/author', '/posts/1/relationships/tags'])(
    'N1 N8: an unknown parameter in lower case is 400 at the URL "%s", and named',
    async (path) => expect(parametersOf(await get(`${path}?bogus=1`))).toEqual({ status: 400, parameters: ['bogus'] }),
  )

  test.each([
    ['POST', '/posts', { data: { type: 'posts', attributes: { title: 'T', slug: 'never', [version.text]: 'C' } } }],
    ['PATCH', '/posts/1', { data: { type: 'posts', id: '1', attributes: { title: 'Never' } } }],
    ['DELETE', '/comments/1', undefined],
    ['PATCH', '/posts/1/relationships/tags', { data: [] }],
    ['POST', '/posts/1/relationships/tags', { data: [{ type: 'tags', id: '9' }] }],
    ['DELETE', '/posts/1/relationships/tags', { data: [{ type: 'tags', id: '2' }] }],
  ])('N2: %s %s with one is 400 before anything is written', async (method, path, body) => {
    const before = await snapshot(server.db)
    const answer = await server.ask(version, method, `${path}?bogus=1`, { ...(body && { body }) })
    expect(parametersOf(answer)).toEqual({ status: 400, parameters: ['bogus'] })
    expect(await snapshot(server.db)).toEqual(before)
  })

  test.each([
    'filter[_]=1',
    'page[_]=1',
    'fields[_]=title',
    'fields[x=title',
    'page[%2B]=1',
    'filter[]=1',
    'page=1',
    'fields=title',
  ])('N3: %s is 400', async (query) => expect((await get(`/posts?${query}`)).status).toBe(400))

  test.each(['include[x]=author', 'sort[x]=title'])('N4: %s is 400', async (query) => {
    const [parameter] = query.split('=')
    expect(parametersOf(await get(`/posts?${query}`))).toEqual({ status: 400, parameters: [parameter] })
  })

  test('N5: a parameter of an extension that is not applied is 400', async () => {
    expect((await get('/posts?version:id=1')).status).toBe(400)
  })

  test('N6: a legal name that nobody knows is 400, and named', async () => {
    expect(parametersOf(await get('/posts?camelCase=1'))).toEqual({ status: 400, parameters: ['camelCase'] })
  })

  test('N9: brackets mean the same, encoded or not', async () => {
    const [plain, encoded] = [await get('/posts?page[size]=2'), await get('/posts?page%5Bsize%5D=2')]
    expect(encoded.body).toEqual(plain.body)
  })

  test.each([
    'sort=title&sort=slug',
    'page[size]=1&page[size]=2',
    'include=tags&include=author',
    'filter[id]=1&filter[id]=2',
  ])('N10: %s is answered, or refused', async (query) =>
    expect([200, 400]).toContain((await get(`/posts?${query}`)).status),
  )

  test('a plus is a space', async () => {
    const { id } = await server.db.tag.create({ data: { name: `two words ${version.name}` } })
    const { body } = await get(`/tags?filter[name]=two+words+${version.name}`)
    expect(body.data.map((tag: { id: string }) => tag.id)).toEqual([String(id)])
  })
})
