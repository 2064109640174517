import { ResourceRequest, type RowOf, Schema, string, toMany, toOne } from 'prismapi'
import type { Validator, Values } from 'prismapi/rules'
import { describe, expect, test } from 'vitest'
import { expectErrors, invalid, missing } from '../../support/answers.ts'
import { openServer } from '../../support/open-server.ts'
import { identifier } from '../../support/row-documents.ts'
import { useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

interface Seen {
  readonly kind: string
  readonly data: Values
  readonly model: number | null
}
let seen: Seen[] = []

class Recording extends ResourceRequest<'Post'> {
  override rules() {
    return { title: string().required(), author: toOne().required(), tags: toMany() }
  }
  override withValidator({ data }: Validator) {
    const kinds = {
      isCreating: this.isCreating(),
      isUpdating: this.isUpdating(),
      isCreatingOrUpdating: this.isCreatingOrUpdating(),
      isDeleting: this.isDeleting(),
      isUpdatingRelationship: this.isUpdatingRelationship(),
      isAttachingRelationship: this.isAttachingRelationship(),
      isDetachingRelationship: this.isDetachingRelationship(),
      isModifyingRelationship: this.isModifyingRelationship(),
    }
    const field = this.getFieldName()
    const kind = Object.entries(kinds).flatMap(([name, holds]) => (holds ? [name] : []))
    expect(data).toBe(this.validationData())
    seen.push({ kind: [...kind, field].filter(Boolean).join(' '), data: { ...data }, model: this.model()?.id ?? null })
  }
}

class Refusing extends ResourceRequest<'Post'> {
  override withValidator(validator: Validator) {
    validator.fail(this.getFieldName() ?? 'title', `Not by ${this.isDeleting() ? 'deletion' : 'this'}.`, 'mine')
  }
}

class Existing extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string().required().max(10) }
  }
  override withExisting(model: RowOf<'Tag'>, resource: Values) {
    // Tag 2 is judged by another name; of tag 3 nothing is changed.
    return model.id === 2 ? { ...resource, name: `${resource.name} is too long a name` } : null
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: Object.entries({
    recording: { Post: Recording },
    refusing: { Post: Refusing },
    existing: { Tag: Existing },
  }).map(([name, classes]) =>
    openServer(
      name,
      { Post: Schema, Tag: Schema, User: Schema, Video: Schema, Comment: Schema },
      { requests: Object.fromEntries(Object.entries(classes).map(([model, request]) => [model, { request }])) },
    ),
  ),
}))

const ask = (method: string, path: string, data?: unknown) =>
  servers.as(null)(method, `/api/${path}`, data === undefined ? {} : { body: { data } })
const tag = (id: number) => identifier('tags', id)
const author = { data: identifier('users', 3) }
const nameOf = async (id: number) => (await servers.db.tag.findUniqueOrThrow({ where: { id } })).name

describe('withValidator is called, with the validation data and the row, on', () => {
  const relation = { type: 'posts', id: '1' }

  test.each([
    [
      'POST',
      'posts',
      { type: 'posts', attributes: { title: '' }, relationships: { author } },
      'isCreating isCreatingOrUpdating',
      { type: 'posts', id: null, title: '', author: author.data },
    ],
    [
      'PATCH',
      'posts/1/relationships/author',
      author.data,
      'isUpdatingRelationship isModifyingRelationship author',
      { ...relation, author: author.data },
    ],
    [
      'PATCH',
      'posts/1/relationships/tags',
      [tag(2)],
      'isUpdatingRelationship isModifyingRelationship tags',
      { ...relation, tags: [tag(2)] },
    ],
    [
      'POST',
      'posts/1/relationships/tags',
      [tag(3)],
      'isAttachingRelationship isModifyingRelationship tags',
      { ...relation, tags: [tag(3)] },
    ],
    [
      'DELETE',
      'posts/1/relationships/tags',
      [tag(3)],
      'isDetachingRelationship isModifyingRelationship tags',
      { ...relation, tags: [tag(3)] },
    ],
  ])('%s %s', async (method, path, data, kind, validated) => {
    seen = []
    await ask(method, `recording/${path}`, data)
    expect(seen).toEqual([{ kind, data: validated, model: method === 'POST' && path === 'posts' ? null : 1 }])
  })

  test('PATCH and DELETE of a resource, with its current values', async () => {
    seen = []
    const post = await servers.db.post.findUniqueOrThrow({ where: { id: 7 } })
    const current = {
      type: 'posts',
      id: '7',
      title: post.title,
      slug: post.slug,
      content: post.content,
      synopsis: post.synopsis,
      publishedAt: post.publishedAt?.toISOString() ?? null,
      deletedAt: null,
      createdAt: post.createdAt.toISOString(),
      updatedAt: post.updatedAt.toISOString(),
      author: identifier('users', post.authorId),
    }
    await ask('PATCH', 'recording/posts/7', { type: 'posts', id: '7', attributes: { synopsis: 'New' } })
    await servers.db.post.update({ where: { id: 7 }, data: { synopsis: post.synopsis, updatedAt: post.updatedAt } })
    await servers.db.comment.deleteMany({ where: { postId: 7 } })
    await ask('DELETE', 'recording/posts/7')
    expect(seen).toEqual([
      { kind: 'isUpdating isCreatingOrUpdating', data: { ...current, synopsis: 'New' }, model: 7 },
      { kind: 'isDeleting', data: { ...current, meta: {} }, model: 7 },
    ])
    expect(await servers.db.post.count({ where: { id: 7 } })).toBe(0)
  })
})

describe('what withValidator refuses is not written:', () => {
  const attributes = { title: 'A post', slug: 'a-post', content: 'Text.' }
  const mine = (pointer: string) => invalid('mine', 'Not by this.', pointer)

  test.each([
    ['POST', 'posts', { type: 'posts', attributes, relationships: { author } }, mine('/data/attributes/title')],
    ['PATCH', 'posts/1', { type: 'posts', id: '1', attributes: { title: 'x' } }, mine('/data/attributes/title')],
    ['PATCH', 'posts/1/relationships/author', author.data, mine('/data')],
    ['PATCH', 'posts/1/relationships/tags', [], mine('/data')],
    ['POST', 'posts/1/relationships/tags', [tag(5)], mine('/data')],
    ['DELETE', 'posts/1/relationships/tags', [tag(2)], mine('/data')],
    [
      'DELETE',
      'posts/1',
      undefined,
      { status: '422', code: 'mine', title: 'Not Deletable', detail: 'Not by deletion.' },
    ],
  ])('%s %s', async (method, path, data, error) => {
    const before = await snapshot(servers.db)
    expectErrors(await ask(method, `refusing/${path}`, data), error)
    expect(await snapshot(servers.db)).toEqual(before)
  })
})

describe('withExisting', () => {
  test('changes the values that an update is judged by, though not what is stored', async () => {
    const name = await nameOf(2)
    expectErrors(await ask('PATCH', 'existing/tags/2', { type: 'tags', id: '2' }), {
      ...missing('name'),
      code: 'max',
      detail: 'The name field must not be greater than 10 characters.',
    })
    expect(await nameOf(2)).toBe(name)
  })

  test('gives way to what was sent', async () => {
    const { status } = await ask('PATCH', 'existing/tags/2', { type: 'tags', id: '2', attributes: { name: 'short' } })
    expect({ status, name: await nameOf(2) }).toEqual({ status: 200, name: 'short' })
  })

  test('leaves them as they are when it returns null', async () => {
    const name = await nameOf(3)
    expect((await ask('PATCH', 'existing/tags/3', { type: 'tags', id: '3' })).status).toBe(200)
    expect(await nameOf(3)).toBe(name)
  })
})
