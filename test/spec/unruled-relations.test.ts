import { type RequestRules, ResourceRequest, string, toMany } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { useApi, users } from '../support/api.ts'
import { browserOf } from '../support/pages.ts'
import { exampleWith, theExample, useServers } from '../support/servers.ts'
import { toldOperations } from '../support/told-operations.ts'

// A relationship that has no rule is changed by nobody, whatever the policy allows: nobody is told that it could be.

class Telling extends V1 {
  override readonly showsCan = true
}

const writes = ['updateRelationship', 'attach', 'detach']
const verbs = ['PATCH', 'POST', 'DELETE'] as const
const writesIn = (document: Parameters<typeof toldOperations>[0], relation: string) =>
  writes.filter((kind) => toldOperations(document).some(({ id }) => id === `${relation}.${kind}`))

describe('a relationship without a rule', () => {
  const api = useServers(() => theExample())
  const telling = useServers(() => exampleWith(Telling))
  const pages = useApi()
  const document = async (server: string) =>
    (await api.as(users.admin)('GET', `/api/${server}/openapi.json`, { headers: { Accept: 'application/json' } })).body
  let video: string
  beforeAll(async () => {
    video = (await api.db.video.findFirstOrThrow()).id
  })

  const places = () => [
    ['tags.posts', '/tags/1/relationships/posts'],
    ['tags.videos', '/tags/1/relationships/videos'],
    ['videos.comments', `/videos/${video}/relationships/comments`],
  ]

  test.each(['v1', 'v2'])('is refused to the administrator of %s, who is not told of it', async (server) => {
    const told = await document(server)
    for (const [relation = '', path] of places()) {
      for (const verb of verbs) {
        const { status, body } = await api.as(users.admin)(verb, `/api/${server}${path}`, { body: { data: [] } })
        expect([verb, path, status, body?.errors[0].detail]).toEqual([
          ...[verb, path, 403],
          `The ${relation.split('.')[1]} relationship cannot be modified.`,
        ])
      }
      expect([relation, writesIn(told, relation)]).toEqual([relation, []])
    }
    expect(writesIn(told, 'posts.tags')).toEqual(writes)
    expect(writesIn(told, 'videos.tags')).toEqual(writes)
  })

  test('is false in meta.can', async () => {
    const canOf = async (path: string) => (await telling.as(users.admin)('GET', `/api/v1${path}`)).body.data.meta.can
    expect(await canOf('/tags/1')).toEqual({
      ...{ view: true, update: true, delete: true },
      ...{ viewPosts: true, updatePosts: false, attachPosts: false, detachPosts: false },
      ...{ viewVideos: true, updateVideos: false, attachVideos: false, detachVideos: false },
    })
    expect(await canOf('/posts/1')).toMatchObject({ updateTags: true, attachTags: true, detachTags: true })
  })

  test('has no forms on its page', async () => {
    const page = async (path: string) => {
      const headers = { Authorization: await pages.authorization(users.admin) }
      return (await browserOf(pages).send(path, { headers })).text
    }
    const formsOf = (text: string) => [...text.matchAll(/<details class="write" id="([^"]+)"/g)].map(([, id]) => id)
    expect(formsOf(await page('/tags/1/relationships/posts'))).toEqual([])
    expect(formsOf(await page('/posts/1/relationships/tags'))).toEqual(['attach', 'replace'])
  })
})

describe('rules that look at the row', () => {
  class TagRequest extends ResourceRequest<'Tag'> {
    override rules(): RequestRules<'Tag'> {
      const isOpen = this.model()?.name === 'open'
      return { name: string(), ...(isOpen && { posts: toMany() }) }
    }
  }
  const api = useServers(() =>
    exampleWith(Telling, { requests: new Map([['Tag', { request: TagRequest, query: null, collectionQuery: null }]]) }),
  )

  test('are told of the row where there is one, and may let some be written where there is none', async () => {
    const open = await api.db.tag.create({ data: { name: 'open' } })
    const canOf = async (id: number) => (await api.as(users.admin)('GET', `/api/v1/tags/${id}`)).body.data.meta.can
    expect([await canOf(open.id), await canOf(1)]).toMatchObject([
      { updatePosts: true, attachPosts: true, detachPosts: true, updateVideos: false },
      { updatePosts: false, attachPosts: false, detachPosts: false, updateVideos: false },
    ])
    const { body } = await api.as(users.admin)('GET', '/api/v1/openapi.json', {
      headers: { Accept: 'application/json' },
    })
    expect(writesIn(body, 'tags.posts')).toEqual(writes)
    const attached = await api.as(users.admin)('POST', `/api/v1/tags/${open.id}/relationships/posts`, {
      body: { data: [{ type: 'posts', id: '1' }] },
    })
    expect(attached.status).toBe(204)
  })
})
