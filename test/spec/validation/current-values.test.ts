import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { ResourceRequest, Schema, string, toMany, toOne } from 'prismapi'
import type { Validator, Values } from 'prismapi/rules'
import { describe, expect, test } from 'vitest'
import { expectErrors, missing } from '../../support/answers.ts'
import { openServer } from '../../support/open-server.ts'
import { identifier } from '../../support/row-documents.ts'
import { useServers } from '../../support/servers.ts'

// *Validation data*, *Rules for current values on update*, 1 and 2.

let seen: Values = {}

class Seeing extends ResourceRequest<'Post'> {
  override rules() {
    return { title: string(), tags: toMany() }
  }
  override withValidator({ data }: Validator) {
    seen = data
  }
}
class Strict extends ResourceRequest<'Post'> {
  override rules() {
    return { title: string(), author: toOne().required(), tags: toMany().required() }
  }
}

class Plain extends Schema<'Post'> {}
class MustValidate extends Schema<'Post'> {
  override fields() {
    return [this.relation('tags').mustValidate(), this.relation('comments').mustValidate()]
  }
}
class NotValidated extends Schema<'Post'> {
  override fields() {
    return [this.relation('author').notValidated()]
  }
}
class SeeingComment extends ResourceRequest<'Comment', 'commentable'> {
  override rules() {
    return { content: string() }
  }
  override withValidator({ data }: Validator) {
    seen = data
  }
}
class MorphComment extends Schema<'Comment'> {
  override fields() {
    return [this.morphTo('commentable', ['post', 'video'])]
  }
}
class UnseenMorph extends Schema<'Comment'> {
  override fields() {
    return [this.morphTo('commentable', ['post', 'video']).notValidated()]
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    ...Object.entries<SchemaClass>({ plain: Plain, must: MustValidate, not: NotValidated }).flatMap(([name, Post]) =>
      Object.entries({ seeing: Seeing, strict: Strict }).map(([kind, request]) =>
        openServer(
          `${name}-${kind}`,
          { Post, Tag: Schema, User: Schema, Comment: Schema },
          { requests: { Post: { request } } },
        ),
      ),
    ),
    ...Object.entries({ morph: MorphComment, unseen: UnseenMorph }).map(([name, Comment]) =>
      openServer(
        name,
        { Comment, Post: Schema, Video: Schema, User: Schema },
        {
          requests: { Comment: { request: SeeingComment } },
          serving: (phase) => phase.scope('Post', { id: { not: 2 } }),
        },
      ),
    ),
  ],
}))

const patchPost = (server: string, fields: object = { attributes: { title: 'New' } }) =>
  servers.as(null)('PATCH', `/api/${server}/posts/1`, { body: { data: { type: 'posts', id: '1', ...fields } } })

/** The relations that the rules could see. */
const relationsSeen = () =>
  Object.fromEntries(Object.entries(seen).filter(([, value]) => typeof value === 'object' && value !== null))

const linked = async () => {
  const post = await servers.db.post.findUniqueOrThrow({
    where: { id: 1 },
    include: { tags: { orderBy: { id: 'asc' } }, comments: { orderBy: { id: 'asc' } } },
  })
  return {
    author: identifier('users', post.authorId),
    tags: post.tags.map(({ id }) => identifier('tags', id)),
    comments: post.comments.map(({ id }) => identifier('comments', id)),
  }
}

describe('of the relations of a resource, an update is judged by', () => {
  test('those whose key it holds', async () => {
    const { author } = await linked()
    expect((await patchPost('plain-seeing')).status).toBe(200)
    expect(relationsSeen()).toEqual({ author })
  })

  test('and those that are marked mustValidate()', async () => {
    const all = await linked()
    expect(all.comments.length).toBeGreaterThan(0)
    expect((await patchPost('must-seeing')).status).toBe(200)
    expect(relationsSeen()).toEqual(all)
  })

  test('and not those that are marked notValidated()', async () => {
    expect((await patchPost('not-seeing')).status).toBe(200)
    expect(relationsSeen()).toEqual({})
    expect('author' in seen).toBe(false)
  })

  test('and what is sent, whatever is marked', async () => {
    const relationships = { author: { data: identifier('users', 4) }, tags: { data: [] } }
    expect((await patchPost('not-seeing', { relationships })).status).toBe(200)
    expect(relationsSeen()).toEqual({ author: identifier('users', 4), tags: [] })
  })
})

describe('a required relation that was not sent', () => {
  test('is there when its current value is loaded', async () => {
    await servers.db.post.update({ where: { id: 1 }, data: { tags: { connect: { id: 2 } } } })
    expect((await patchPost('must-strict')).status).toBe(200)
  })

  test('is missing when it is empty', async () => {
    await servers.db.post.update({ where: { id: 1 }, data: { tags: { set: [] } } })
    expectErrors(await patchPost('must-strict'), missing('tags'))
  })

  test('is missing when its current value is not loaded', async () => {
    await servers.db.post.update({ where: { id: 1 }, data: { tags: { connect: { id: 2 } } } })
    expectErrors(await patchPost('plain-strict'), missing('tags'))
    expectErrors(await patchPost('not-strict'), missing('author'), missing('tags'))
  })
})

describe('a polymorphic relation', () => {
  const patchComment = async (server: string, where: object) => {
    const { id } = await servers.db.comment.findFirstOrThrow({ where })
    const body = { data: { type: 'comments', id: String(id), attributes: { content: 'New' } } }
    expect((await servers.as(null)('PATCH', `/api/${server}/comments/${id}`, { body })).status).toBe(200)
  }

  test('is the identifier of its target', async () => {
    await patchComment('morph', { postId: 1 })
    expect(seen.commentable).toEqual(identifier('posts', 1))
    const { videoId } = await servers.db.comment.findFirstOrThrow({ where: { videoId: { not: null } } })
    await patchComment('morph', { videoId })
    expect(seen.commentable).toEqual(identifier('videos', videoId as string))
  })

  test('is null when the caller may not see the target', async () => {
    await patchComment('morph', { postId: 2 })
    expect(seen.commentable).toBe(null)
  })

  test('is left out when it is marked notValidated()', async () => {
    await patchComment('unseen', { postId: 1 })
    expect('commentable' in seen).toBe(false)
  })
})
