import { type Fields, Policy, ResourceRequest, type Rules, Schema, string } from 'prismapi'
import type { Validator } from 'prismapi/rules'
import { expect, test } from 'vitest'
import { theExample, useServers } from '../../support/servers.ts'

/** Doors at which a hidden value could be learned beside its field: entity tags, rules of requests, filters of the application. */
class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>) {
    can([this.reads, this.writes])
    cannot('view', ['updatedAt', 'synopsis'], { authorId: { not: 3 } })
  }
}

class CommentPolicy extends Policy<'Comment', 'commentable'> {
  override abilities({ can, cannot }: Rules<'Comment', 'commentable'>) {
    can(this.reads)
    cannot('view', 'commentable')
  }
}

class PostRequest extends ResourceRequest<'Post'> {
  override rules() {
    return { title: string(), synopsis: string().nullable().max(3) }
  }
  override withValidator(validator: Validator) {
    const { synopsis, title } = validator.data
    if (synopsis === title) validator.fail('title', 'The title is the synopsis.')
  }
}

class CommentSchema extends Schema<'Comment'> {
  override fields(): Fields {
    return [this.morphTo('commentable', ['post', 'video'])]
  }
  override filters() {
    return [this.filter('about', { where: (slug) => ({ post: { slug } }) })]
  }
}

const api = useServers(async () => {
  const { policies, servers } = await theExample()
  const [first] = servers
  if (!first) throw new Error('The example has no server.')
  const schemas = new Map([...first.schemas, ['Comment', CommentSchema]] as never) as typeof first.schemas
  const requests = new Map([
    ...first.requests,
    ['Post', { request: PostRequest, query: null, collectionQuery: null }],
  ] as never) as typeof first.requests
  return {
    policies: new Map([...policies, ['Post', PostPolicy], ['Comment', CommentPolicy]] as never) as typeof policies,
    servers: [{ ...first, schemas, requests }],
  }
})

const postOf = (authorId: number) =>
  api.db.post.findFirstOrThrow({
    where: { authorId, deletedAt: null, publishedAt: { lt: new Date() } },
  })

test('an entity tag has no version that is hidden, and a precondition does not try one', async () => {
  const { id, updatedAt } = await postOf(4)
  const path = `/api/v1/posts/${id}`
  const patch = (as: number, version: string) =>
    api.as(as)('PATCH', path, {
      headers: { 'If-Match': `"${version}"` },
      body: { data: { type: 'posts', id: `${id}`, attributes: {} } },
    })
  const answer = await api.as(3)('GET', path)
  expect(answer.body.data.attributes).not.toHaveProperty('updatedAt')
  expect(answer.headers.get('etag')).not.toContain(updatedAt.toISOString())
  expect((await patch(3, updatedAt.toISOString())).status).toBe(412)
  const linkage = await api.as(3)('GET', `${path}/relationships/author`)
  expect(linkage.headers.get('etag')).not.toContain(updatedAt.toISOString())
})

test('rules take what is hidden for null, and no error is about it', async () => {
  const [hidden, own] = [await postOf(4), await postOf(3)]
  await api.db.post.updateMany({ where: { id: { in: [hidden.id, own.id] } }, data: { synopsis: 'Short' } })
  const patch = (as: number, post: number, title: string) =>
    api.as(as)('PATCH', `/api/v1/posts/${post}`, {
      body: { data: { type: 'posts', id: `${post}`, attributes: { title } } },
    })
  expect((await patch(3, hidden.id, 'Short')).status).toBe(200)
  expect((await patch(3, own.id, 'Short')).status).toBe(422)
})

test('a filter of the application does not cross what a polymorphic relation is made of', async () => {
  const { slug } = await api.db.post.findFirstOrThrow({ where: { comments: { some: {} }, deletedAt: null } })
  const { body, status } = await api.as(3)('GET', `/api/v1/comments?filter[about]=${slug}`)
  expect(status).toBe(200)
  expect(body.data).toEqual([])
})
