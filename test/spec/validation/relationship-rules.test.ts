import { array, object, ResourceRequest, Schema, string, toMany, toOne } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectErrors, expectNothing, forbidden, invalid } from '../../support/answers.ts'
import { openServer } from '../../support/open-server.ts'
import { identifier } from '../../support/row-documents.ts'
import { useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

// *Validation data*, rule 4: a relationship is held to the rules of its own key and of keys below it.

class PostSchema extends Schema<'Post'> {
  override fields() {
    return [this.attribute('tagsNote').virtual(), this.attribute('tagsX').virtual()]
  }
}

class PostRequest extends ResourceRequest<'Post', 'tagsNote' | 'tagsX'> {
  override rules() {
    return {
      title: string().required().max(1),
      tags: toMany().max(3),
      'tags.*': object({ id: string().notOneOf(['7'], 'Seven is not for posts.') }),
      'tags.*.id': string().matches(/^[2-9]$/),
      tagsNote: string().required(),
      tagsX: array().required(),
      author: toOne(),
    }
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer(
      'own',
      { Post: PostSchema, Tag: Schema, User: Schema, Comment: Schema },
      { requests: { Post: { request: PostRequest } } },
    ),
  ],
}))

const tags = (...ids: readonly number[]) => ids.map((id) => identifier('tags', id))
const ask = (method: string, name: string, data: unknown) =>
  servers.as(null)(method, `/api/own/posts/1/relationships/${name}`, { body: { data } })
const format = (pointer: string) => invalid('matches', 'The tags.0.id format is invalid.', pointer)

describe.each(['PATCH', 'POST', 'DELETE'])('%s of a to-many relationship', (method) => {
  test('passes when its own rules do, whatever those of longer names ask for', async () => {
    const { status } = await ask(method, 'tags', tags(2, 3))
    expect(status).toBe(method === 'PATCH' ? 200 : 204)
  })

  test('is held to the rule of the relationship', async () => {
    const before = await snapshot(servers.db)
    expectErrors(
      await ask(method, 'tags', tags(2, 3, 4, 5)),
      invalid('max', 'The tags field must not have more than 3 items.', '/data'),
    )
    expect(await snapshot(servers.db)).toEqual(before)
  })

  test('is held to the rules below it, each at its place', async () => {
    const before = await snapshot(servers.db)
    expectErrors(
      await ask(method, 'tags', tags(10, 2, 7)),
      { ...format('/data/0/id'), detail: 'The tags.0.id format is invalid.' },
      invalid('notOneOf', 'Seven is not for posts.', '/data/2/id'),
    )
    expect(await snapshot(servers.db)).toEqual(before)
  })
})

test('a to-one relationship is held to no rule of another', async () => {
  expect((await ask('PATCH', 'author', identifier('users', 4))).status).toBe(200)
})

test('a relationship without a rule cannot be written', async () => {
  const before = await snapshot(servers.db)
  expectErrors(await ask('PATCH', 'comments', [identifier('comments', 1)]), forbidden())
  expect(await snapshot(servers.db)).toEqual(before)
})

test('in a resource all rules hold, and those below a relationship point into it', async () => {
  const relationships = { tags: { data: tags(2, 11) } }
  const data = { type: 'posts', id: '1', attributes: { title: 'x', tagsNote: 'n', tagsX: [1] }, relationships }
  const patch = (body: object) => servers.as(null)('PATCH', '/api/own/posts/1', { body })
  expectErrors(
    await patch({ data }),
    invalid('matches', 'The tags.1.id format is invalid.', '/data/relationships/tags/data/1/id'),
  )
  relationships.tags.data = tags(2, 3)
  expect((await patch({ data })).status).toBe(200)
})

test('what is not attached is not missed', async () => {
  expectNothing(await ask('DELETE', 'tags', tags(9)))
})
