import { describe, expect, test } from 'vitest'
import { origin } from '../../support/api.ts'
import { idsOf, useConformance, versions } from '../../support/conformance.ts'
import { addPost } from '../../support/rows.ts'

const server = useConformance()
const video = '00000000-0000-4000-8000-000000000001'

/** Every self and related link of a document, once for each kind of place. */
function linksIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, inner] of Object.entries(value)) {
    if ((name === 'self' || name === 'related') && typeof inner === 'string') found.add(inner)
    else linksIn(inner, found)
  }
  return found
}

const shape = ({ data }: { data: unknown }) => (data === null ? 'null' : Array.isArray(data) ? 'list' : 'object')

describe.each(versions)('the server $name', (version) => {
  const get = (path: string) => server.get(version, path)

  test('C1 C2: a collection is a list of resources, a resource is itself', async () => {
    const [many, one] = [await get('/posts'), await get('/posts/1')]
    expect([many.status, shape(many.body), one.status, one.body.data.id]).toEqual([200, 'list', 200, '1'])
  })

  test('C3: a resource that does not exist is 404, without data', async () => {
    const { status, body } = await get('/posts/999')
    expect({ status, hasData: 'data' in body }).toEqual({ status: 404, hasData: false })
  })

  test('C4 C5: a related URL answers with one resource, or with a list', async () => {
    const [one, many] = [await get('/posts/1/author'), await get('/posts/1/tags')]
    expect([one.status, shape(one.body), many.status, shape(many.body)]).toEqual([200, 'object', 200, 'list'])
  })

  test('C6 C7 D3 D4: nothing related is null or an empty list, on both URLs of the relation', async () => {
    const { id } = await addPost(server.db)
    const created = await server.db.video.create({ data: { title: 'V', url: 'https://x.example' } })
    const answers = [
      await get(`/videos/${created.id}/owner`),
      await get(`/videos/${created.id}/relationships/owner`),
      await get(`/posts/${id}/tags`),
      await get(`/posts/${id}/relationships/tags`),
    ]
    expect(answers.map(({ status, body }) => [status, body.data])).toEqual([
      [200, null],
      [200, null],
      [200, []],
      [200, []],
    ])
  })

  test('C14 B6: a collection with one resource, or with none, is a list', async () => {
    const [one, none] = [await get('/tags?filter[id]=2'), await get('/tags?filter[id]=999')]
    expect([shape(one.body), idsOf(one), shape(none.body), idsOf(none)]).toEqual(['list', ['2'], 'list', []])
  })

  test('C8 C10 C11 D7: every link that is emitted can be fetched, and shows what it names', async () => {
    const from = [
      '/posts?include=author,tags',
      '/posts/1',
      '/comments?page[limit]=5&include=commentable',
      '/posts/1/tags',
    ]
    const answers = await Promise.all([...from, `/videos/${video}`, '/users/3', '/posts/1/relationships/tags'].map(get))
    const links = new Set(answers.flatMap(({ body }) => [...linksIn(body)]))
    expect(links.size).toBeGreaterThan(100)
    const refused: string[] = []
    for (const link of links) {
      const { status, body } = await server.follow(version, link)
      // Nobody may see these relations of a user, who may be seen.
      if (status !== 200 && !(status === 403 && /\/users\/\d+\//.test(link))) refused.push(`${status} ${link}`)
      if (status === 200 && body.links.self !== link) refused.push(`${body.links.self} is not ${link}`)
    }
    expect(refused).toEqual([])
  })

  test('C10: the top-level self returns the same data', async () => {
    const path = '/posts?filter[id][lt]=9&fields[posts]=title&include=author&sort=-title&page[size]=3'
    const answer = await get(path)
    expect((await server.follow(version, answer.body.links.self)).body).toEqual(answer.body)
  })

  test('C9: it keeps every parameter', async () => {
    const { body } = await get('/posts?sort=-title&fields[posts]=title&include=author&page[size]=3&filter[id][lt]=9')
    const { searchParams } = new URL(body.links.self)
    expect(Object.fromEntries(searchParams)).toEqual({
      'fields[posts]': 'title',
      'filter[id][lt]': '9',
      include: 'author',
      'page[size]': '3',
      sort: '-title',
    })
  })

  test('C12: the related link does not change with what is related', async () => {
    const created = await server.db.video.create({ data: { title: 'V', url: 'https://x.example' } })
    const linkOf = async () => (await get(`/videos/${created.id}`)).body.data.relationships.owner.links.related
    const before = await linkOf()
    await server.db.video.update({ where: { id: created.id }, data: { ownerId: 3 } })
    expect([before, await linkOf()]).toEqual(Array(2).fill(`${origin}/api/${version.name}/videos/${created.id}/owner`))
  })

  test.each([
    '/posts/999/tags',
    '/posts/999/relationships/tags',
    '/posts/1/nothing',
    '/posts/1/relationships/nothing',
    '/nothing',
    '/nothing/1',
  ])('C13 D5 D6: %s is 404', async (path) => expect((await get(path)).status).toBe(404))

  test('D1 D2: a relationship URL has identifiers and nothing else', async () => {
    const [one, many] = [await get('/posts/1/relationships/author'), await get('/posts/1/relationships/tags')]
    const members = (data: object) => Object.keys(data).filter((name) => name !== 'meta')
    expect([members(one.body.data), ...many.body.data.map(members)]).toEqual(
      Array(1 + many.body.data.length).fill(['type', 'id']),
    )
  })

  test('D8: its linkage is that of the resource', async () => {
    const { body } = await get('/posts/1?include=tags,author')
    const linkage = async (name: string) => (await get(`/posts/1/relationships/${name}`)).body.data
    const { tags, author } = body.data.relationships
    expect([await linkage('tags'), await linkage('author')]).toEqual([tags.data, author.data])
  })
})
