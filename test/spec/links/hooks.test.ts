import { Policy, type Rules, Schema, type Serving } from 'prismapi'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectNothing } from '../../support/answers.ts'
import { link, linkServers, makePost, makeUser, makeVideo, ownPolicies } from '../../support/links/servers.ts'
import { useServers } from '../../support/servers.ts'
import { versionedParts } from '../../support/versioned.ts'

// A row that is linked, or unlinked, is a row that was updated.

class OpenPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can([this.reads, this.writes])
  }
}

type Told = Record<'action' | 'input' | 'relation' | 'identifiers', unknown>

const told: unknown[][] = []
function hooks(phase: Serving): void {
  phase.creating('User', () => ({ passwordHash: 'x' }))
  phase.preparing('Post', (data, { action, row }) => void told.push(['preparing', action, row?.id, { ...data }]))
  for (const name of ['updating', 'saving'] as const)
    phase[name]('Post', (data, event) => {
      told.push([name, event.row?.id, { ...data }, about(event)])
      return name === 'saving' ? { synopsis: `linked by a hook` } : undefined
    })
  for (const name of ['updated', 'saved'] as const)
    phase[name]('Post', ({ id, authorId, synopsis }, event) => {
      told.push([name, id, authorId, synopsis, event.row?.authorId])
    })
}
const about = ({ action, input, relation, identifiers }: Told) => ({
  action,
  input: { ...(input as object) },
  relation,
  identifiers,
})

const policies = { ...ownPolicies, Post: OpenPolicy, Video: OpenPolicy as never }

describe('with hooks', () => {
  const api = useServers(() => linkServers({ policies, serving: hooks }))
  let ann: number
  let ben: number
  beforeAll(async () => {
    ann = await makeUser(api, 'ann')
    ben = await makeUser(api, 'ben')
  })
  beforeEach(() => void told.splice(0))

  test('they run once for each row that changes, and for no other', async () => {
    const [first, second, kept] = [
      await makePost(api, ann, 'first'),
      await makePost(api, ann, 'second'),
      await makePost(api, ben, 'kept'),
    ]
    const body = link('posts', kept.id, first.id, second.id)
    const { status } = await api.as(ben)('PATCH', `/api/v1/users/${ben}/relationships/posts`, { body })
    expect(status).toBe(200)
    const event = {
      action: 'update',
      input: {},
      relation: 'author',
      identifiers: [{ type: 'users', id: String(ben) }],
    }
    const ofPost = (id: number) => [
      ['updating', id, { authorId: ben }, event],
      ['saving', id, { authorId: ben }, event],
      ['updated', id, ben, 'linked by a hook', ann],
      ['saved', id, ben, 'linked by a hook', ann],
    ]
    expect(told).toEqual([
      ...[first, second].map(({ id }) => ['preparing', 'update', id, { authorId: ben }]),
      ...ofPost(first.id),
      ...ofPost(second.id),
    ])
    const now = await api.db.post.findUniqueOrThrow({ where: { id: kept.id } })
    expect(now).toEqual(kept)
  })

  test('they are told of the new row that a row is linked with', async () => {
    const { id } = await makePost(api, ann, 'given')
    const data = {
      type: 'users',
      attributes: { name: 'New', email: 'new@example.com' },
      relationships: { posts: link('posts', id) },
    }
    const { status, body } = await api.as(ben)('POST', '/api/v1/users', { body: { data } })
    expect(status).toBe(201)
    const made = Number(body.data.id)
    expect(told.filter(([name]) => name === 'updating')).toEqual([
      [
        'updating',
        id,
        { authorId: made },
        { action: 'update', input: {}, relation: 'author', identifiers: [{ type: 'users', id: String(made) }] },
      ],
    ])
  })
})

describe('without hooks', () => {
  class VideoSchema extends Schema<'Video'> {
    override fields() {
      return [this.attribute('durationSeconds').hidden()]
    }
  }
  const api = useServers(() => ({
    resources: versionedParts().resources,
    ...linkServers({ policies, schemas: { Video: VideoSchema } }),
  }))

  test('versions count on, updatedAt moves and the entity tag is another one, of what changes alone', async () => {
    const [ann, ben] = [await makeUser(api, 'ann'), await makeUser(api, 'ben')]
    const videos = [
      await makeVideo(api, ben, 'kept'),
      await makeVideo(api, ann, 'moved'),
      await makeVideo(api, ben, 'left'),
    ]
    await api.db.video.updateMany({ data: { durationSeconds: 7 } })
    const [kept, moved, left] = videos.map(({ id }) => id) as [string, string, string]
    const past = new Date('2020-01-01T00:00:00Z')
    const posts = [await makePost(api, ben, 'kept-post'), await makePost(api, ann, 'moved-post')]
    await api.db.post.updateMany({ where: { id: { in: posts.map(({ id }) => id) } }, data: { updatedAt: past } })
    const tagOf = async (path: string) => (await api.as(ben)('GET', `/api/v1${path}`)).headers.get('ETag')
    const paths = [...videos.map(({ id }) => `/videos/${id}`), ...posts.map(({ id }) => `/posts/${id}`)]
    const before = await Promise.all(paths.map(tagOf))
    await api.as(ben)('PATCH', `/api/v1/users/${ben}/relationships/videos`, { body: link('videos', kept, moved) })
    const body = link('posts', ...posts.map(({ id }) => id))
    expectNothing(await api.as(ben)('POST', `/api/v1/users/${ben}/relationships/posts`, { body }))
    const rows = await api.db.video.findMany({ where: { id: { in: [kept, moved, left] } } })
    expect(
      Object.fromEntries(rows.map(({ id, ownerId, durationSeconds }) => [id, [ownerId, durationSeconds]])),
    ).toEqual({
      [kept]: [ben, 7],
      [moved]: [ben, 8],
      [left]: [null, 8],
    })
    const now = await api.db.post.findMany({ where: { id: { in: posts.map(({ id }) => id) } }, orderBy: { id: 'asc' } })
    expect(now.map(({ updatedAt }) => updatedAt > past)).toEqual([false, true])
    const after = await Promise.all(paths.map(tagOf))
    expect(after.map((tag, i) => tag !== before[i])).toEqual([false, true, true, false, true])
  })
})
