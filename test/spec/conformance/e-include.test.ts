import { describe, expect, test } from 'vitest'
import { useConformance, type Version, versions } from '../../support/conformance.ts'
import type { RawAnswer } from '../../support/raw.ts'
import { addPost } from '../../support/rows.ts'

const server = useConformance()

const identitiesOf = (items: readonly { type: string; id: string }[]) =>
  items.map(({ type, id }) => `${type}:${id}`).sort()
const includedIn = ({ body }: RawAnswer) => identitiesOf(body.included)

/** A path is refused for what it includes. */
async function expectRefused(version: Version, path: string) {
  const { status, body } = await server.get(version, path)
  expect({ path, status, source: body.errors?.[0].source }).toEqual({
    path,
    status: 400,
    source: { parameter: 'include' },
  })
}

describe.each(versions)('inclusion on the server $name', (version) => {
  const get = (path: string) => server.get(version, path)

  test('E0: what may not be included is 400', () => expectRefused(version, '/posts?include=nothing'))

  test('E1 E2: exactly the linked resources are included', async () => {
    const answer = await get('/posts/1?include=tags')
    expect(includedIn(answer)).toEqual(identitiesOf(answer.body.data.relationships.tags.data))
    expect(includedIn(answer).length).toBeGreaterThan(0)
  })

  test('E3 E4 E5: nothing to include, and an empty parameter, have an empty list', async () => {
    const { id } = await addPost(server.db)
    expect((await get(`/posts/${id}?include=tags`)).body.included).toEqual([])
    expect((await get('/posts/1?include=')).body.included).toEqual([])
    expect('included' in (await get('/posts/1')).body).toBe(false)
  })

  test.each(['nothing', 'author.nothing', 'title', 'author.name', 'tags,nothing', 'tags.', '.tags'])(
    'E6 E7 E8 E9: include=%s is 400, and says which parameter',
    async (path) => expectRefused(version, `/posts/1?include=${path}`),
  )

  test('E10: a path includes what lies on its way', async () => {
    const types = new Set(
      (await get('/posts/1?include=author.profile')).body.included.map(({ type }: { type: string }) => type),
    )
    expect([...types].sort()).toEqual(['profiles', 'users'])
  })

  test('E11: nothing is included twice, nor what was not asked for', async () => {
    const { body } = await get('/comments?include=author,commentable,commentable.author')
    const all = identitiesOf([...body.data, ...body.included])
    expect(all.length - new Set(all).size).toBe(0)
    expect([...new Set(body.included.map(({ type }: { type: string }) => type))].sort()).toEqual(
      ['posts', 'users', 'videos'].filter((type) => all.some((each) => each.startsWith(type))),
    )
  })

  test('E12: an encoded comma is a comma', async () => {
    expect((await get('/posts/1?include=tags%2Cauthor')).body.included).toEqual(
      (await get('/posts/1?include=tags,author')).body.included,
    )
  })

  test('E13: related and relationship URLs include, too', async () => {
    const related = await get('/posts/1/author?include=profile')
    const relationship = await get('/posts/1/relationships/tags?include=tags')
    expect(includedIn(related)).toHaveLength(1)
    expect(includedIn(relationship)).toEqual(identitiesOf(relationship.body.data))
    await expectRefused(version, '/posts/1/author?include=nothing')
    await expectRefused(version, '/posts/1/relationships/tags?include=posts')
  })

  test('E14: so do writes', async () => {
    const attributes = { title: 'T', slug: `included-${version.name}`, [version.text]: 'C' }
    const body = { data: { type: 'posts', attributes } }
    const created = await server.ask(version, 'POST', '/posts?include=author', { body })
    expect([created.status, includedIn(created)]).toEqual([201, ['users:1']])
    const change = { data: { type: 'posts', id: created.body.data.id, attributes: { title: 'U' } } }
    const changed = await server.ask(version, 'PATCH', `/posts/${created.body.data.id}?include=author`, {
      body: change,
    })
    expect([changed.status, includedIn(changed)]).toEqual([200, ['users:1']])
    const count = await server.db.post.count()
    const refused = await server.ask(version, 'POST', '/posts?include=nothing', { body })
    expect([refused.status, await server.db.post.count()]).toEqual([400, count])
  })
})
