import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'

// Texts searched by their words: docs/search.md.

const api = useApi()
const admin = api.as(users.admin)

const names = new Map<string, string>()
beforeAll(async () => {
  const make = async (name: string, post: object) => {
    const { id } = await api.make.post.create({ publishedAt: new Date(0), synopsis: null, ...post })
    names.set(String(id), name)
  }
  await make('title', { title: 'Zeppelins over the harbour', content: 'Nothing else.' })
  await make('synopsis', { title: 'Airships', synopsis: 'A zeppelin and a balloon', content: 'Nothing.' })
  await make('content', { title: 'Travel', content: 'We saw the zeppelin, and "quoted" words of the harbour master.' })
  await make('draft', { title: 'Zeppelin drafts', content: 'Unpublished.', publishedAt: null })
})

const search = async (query: string, caller = admin) => {
  const { body } = await caller.get(`/api/v2/posts?${query}`)
  return (body.data as { id: string }[]).map(({ id }) => names.get(id) ?? id)
}

const errorOf = async (query: string) => {
  const { status, body } = await admin.get(`/api/v2/posts?${query}`)
  return { status, ...(body.errors && { detail: body.errors[0].detail, source: body.errors[0].source }) }
}

describe('filter[search]', () => {
  test('finds the words of all fields, in whatever form, ranked by sort=-search', async () => {
    expect(await search('filter[search]=zeppelins&sort=-search,id&filter[publishedAt][isNull]=false')).toEqual([
      'title',
      'synopsis',
      'content',
    ])
    expect(await search('filter[search]=zeppelins&sort=search,id&filter[publishedAt][isNull]=false')).toEqual([
      'content',
      'synopsis',
      'title',
    ])
  })

  test.each([
    ['zeppelin harbour', ['title', 'content']],
    ['"harbour master"', ['content']],
    ['zeppelin -harbour', ['synopsis', 'draft']],
    ['balloon or master', ['synopsis', 'content']],
    ['zeppelin -"harbour master" -draft', ['title', 'synopsis']],
    ['nothingofthekind', []],
    ["zeppelin') AND 1=1 --", []],
    ['title:zeppelin* NEAR(a b) {x} ^harbour', []],
    ['ZEPPELIN', ['title', 'synopsis', 'content', 'draft']],
  ])('looks for %s', async (text, found) => {
    expect((await search(`filter[search]=${encodeURIComponent(text)}&sort=id`)).sort()).toEqual([...found].sort())
  })

  test('stands beside other filters, in groups and behind relations', async () => {
    expect(await search('filter[search]=zeppelin&filter[title]=Travel')).toEqual(['content'])
    expect(await search('filter[or][0][search]=balloon&filter[or][1][search]=master&sort=id')).toEqual([
      'synopsis',
      'content',
    ])
    expect(await search('filter[not][0][search]=zeppelin&filter[search]=harbour')).toEqual([])
    const { body } = await admin.get('/api/v2/users?filter[posts.search]=balloon&fields[users]=')
    expect(body.data).toHaveLength(1)
  })

  test('follows each write', async () => {
    const { id } = await api.make.post.create({ title: 'Submarine', content: 'x', publishedAt: new Date(0) })
    const ids = () => search('filter[search]=submarine')
    expect(await ids()).toEqual([String(id)])
    await api.db.post.update({ where: { id }, data: { title: 'Bathyscaphe' } })
    expect(await ids()).toEqual([])
    expect(await search('filter[search]=bathyscaphe')).toEqual([String(id)])
    await api.db.post.delete({ where: { id } })
    expect(await search('filter[search]=bathyscaphe')).toEqual([])
  })

  test('of videos is in their title, whose ids are texts', async () => {
    const { id } = await api.make.video.create({ title: 'Whales of the south' })
    const { body } = await admin.get('/api/v2/videos?filter[search]=whale&sort=-search')
    expect(body.data.map((each: { id: string }) => each.id)).toEqual([id])
  })

  test('shows each caller what they may see', async () => {
    expect(await search('filter[search]=drafts', api.guest)).toEqual([])
    expect(await search('filter[search]=drafts')).toEqual(['draft'])
  })

  test.each([
    ['filter[search]=', 'The value of filter[search] must have a word to look for.'],
    ['filter[search]=...', 'The value of filter[search] must have a word to look for.'],
    ['filter[search]=-zeppelin', 'The value of filter[search] must have a word to look for.'],
    ['filter[search]=a%00b', 'The value of filter[search] must be a text without null characters.'],
    [`filter[search]=${'a'.repeat(201)}`, 'A value of a filter must not be longer than 200 characters.'],
  ])('is 400 with %s', async (query, detail) => {
    expect(await errorOf(query)).toEqual({ status: 400, detail, source: { parameter: 'filter[search]' } })
  })

  test('has no operators, and is nothing that v1 has', async () => {
    expect((await errorOf('filter[search][not]=a')).status).toBe(400)
    expect((await admin.get('/api/v1/posts?filter[search]=a')).status).toBe(400)
  })
})

test('cursors go on in the order of a search', async () => {
  const path = '/api/v2/posts?filter[search]=zeppelin&filter[publishedAt][isNull]=false&sort=-search,id&page[size]=2'
  const first = (await admin.get(path)).body
  expect(first.data.map(({ id }: { id: string }) => names.get(id))).toEqual(['title', 'synopsis'])
  const second = (await admin.get(new URL(first.links.next).pathname + new URL(first.links.next).search)).body
  expect(second.data.map(({ id }: { id: string }) => names.get(id))).toEqual(['content'])
  expect(second.links).toMatchObject({ prev: null, next: null })
  expect(await errorOf(`${path.split('?')[1]}&page[before]=x`)).toMatchObject({ status: 400 })
})

test('sort=-search is 400 without a search', async () => {
  expect(await errorOf('sort=-search')).toEqual({
    status: 400,
    detail: 'Sort parameter search is not allowed.',
    source: { parameter: 'sort' },
  })
})
