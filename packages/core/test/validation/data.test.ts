import type { Row } from '@prismapi/jsonapi/model/where'
import { Schema } from '@prismapi/jsonapi/schema/schema'
import { describe, expect, test } from 'vitest'
import type { Validator, Values } from '../../src/validation/request/request-base.ts'
import { ResourceRequest } from '../../src/validation/request/resource-request.ts'
import { string, toMany, toOne } from '../../src/validation/rules/rules.ts'
import { errorsOf, invalid, world } from './fixture.ts'

let seen: Values | null = null

class SeeingPost extends ResourceRequest<'Post'> {
  override rules() {
    return { title: string(), tags: toMany(), author: toOne() }
  }
  override withValidator({ data }: Validator) {
    seen = data
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

const post = {
  id: 7,
  title: 'Old',
  slug: 'old',
  content: 'Text',
  synopsis: null,
  publishedAt: new Date('2024-01-02T03:04:05.678Z'),
  deletedAt: null,
  createdAt: new Date('2024-01-01T00:00:00Z'),
  updatedAt: new Date('2024-01-01T00:00:00Z'),
  authorId: 1,
}
const comment = {
  id: 3,
  content: 'Hm',
  createdAt: new Date('2024-01-01T00:00:00Z'),
  authorId: 2,
  postId: 7,
  videoId: null,
}
const tables = {
  User: [{ id: 1 }, { id: 2 }],
  Post: [post],
  Tag: [
    { id: 1, posts: [{ id: 7 }] },
    { id: 2, posts: [] },
  ],
  Comment: [comment],
}
const request = { Post: SeeingPost, Comment: SeeingComment }
const current = {
  type: 'posts',
  id: '7',
  title: 'Old',
  slug: 'old',
  content: 'Text',
  synopsis: null,
  publishedAt: '2024-01-02T03:04:05.678Z',
  deletedAt: null,
  createdAt: '2024-01-01T00:00:00.000Z',
  updatedAt: '2024-01-01T00:00:00.000Z',
  author: { type: 'users', id: '1' },
}

describe('Validation data', () => {
  test('create: the submitted fields; the id is null when it was not sent', async () => {
    const tags = [{ type: 'tags', id: '1' }]
    await world({ request, tables }).create('Post', {
      attributes: { title: 'a', createdAt: 'x' },
      relationships: { tags },
    }).done
    expect({ ...seen }).toEqual({ type: 'posts', id: null, title: 'a', tags })
  })

  test('update: the current values with the submitted ones over them, to-one relations as linkage', async () => {
    const { update, plans } = world({ request, tables })
    await update('Post', post, { attributes: { title: 'New', synopsis: 'x' } }).done
    expect({ ...seen }).toEqual({ ...current, title: 'New', synopsis: 'x' })
    expect(plans).toEqual([])
  })

  test('modify relationship: type, id and the submitted linkage', async () => {
    const linkage = [{ type: 'tags', id: '2' }]
    await world({ request, tables }).change('attach', 'Post', post, { relation: 'tags', linkage }).done
    expect({ ...seen }).toEqual({ type: 'posts', id: '7', tags: linkage })
  })

  test('delete: the current values, and meta', async () => {
    await world({ request, tables }).destroy('Post', post).done
    expect({ ...seen }).toEqual({ ...current, meta: {} })
  })

  test('a polymorphic relation is an identifier of its type', async () => {
    await world({ request, tables }).update('Comment', comment, {}).done
    expect({ ...seen }).toEqual({
      type: 'comments',
      id: '3',
      content: 'Hm',
      createdAt: '2024-01-01T00:00:00.000Z',
      author: { type: 'users', id: '2' },
      commentable: { type: 'posts', id: '7' },
    })
  })

  test('it inherits nothing, so that a rule finds only data in it', async () => {
    await world({ request, tables }).create('Post', {}).done
    expect(Object.getPrototypeOf(seen)).toBe(null)
    expect(Object.isFrozen(seen)).toBe(true)
  })
})

describe('current values of relations', () => {
  test('mustValidate() loads a to-many relation, with one query and through the scope', async () => {
    class PostSchema extends Schema<'Post'> {
      override fields() {
        return [this.relation('tags').mustValidate()]
      }
    }
    const { update, plans } = world({ request, tables, schemas: { Post: PostSchema } })
    await update('Post', post, {}).done
    expect(seen?.tags).toEqual([{ type: 'tags', id: '1' }])
    expect(plans.map(({ model }) => model)).toEqual(['Tag'])
    const scoped = world({ request, tables, schemas: { Post: PostSchema }, scopes: { Tag: { id: 2 } } })
    await scoped.update('Post', post, {}).done
    expect(seen?.tags).toEqual([])
  })

  test('notValidated() leaves a to-one relation out', async () => {
    class PostSchema extends Schema<'Post'> {
      override fields() {
        return [this.relation('author').notValidated()]
      }
    }
    await world({ request, tables, schemas: { Post: PostSchema } }).update('Post', post, {}).done
    expect(seen && 'author' in seen).toBe(false)
  })

  test('a target that a scope hides reads as null, and is looked for once', async () => {
    const { update, plans } = world({ request, tables, scopes: { Post: { id: 0 } } })
    await update('Comment', comment, {}).done
    expect(seen?.commentable).toBe(null)
    expect(plans.map(({ model }) => model)).toEqual(['Post'])
  })

  test('a required relation whose target is hidden does not stop an update that is not about it', async () => {
    class Strict extends ResourceRequest<'Comment'> {
      override rules() {
        return { content: string(), author: toOne().required() }
      }
    }
    const { update } = world({ request: { Comment: Strict }, tables, scopes: { User: { id: 0 } } })
    expect(await errorsOf(update('Comment', comment, { attributes: { content: 'x' } }).done)).toEqual([])
    expect(await errorsOf(update('Comment', comment, { relationships: { author: null } }).done)).toEqual([
      invalid('/data/relationships/author/data', 'The author field is required.', 'required'),
    ])
  })
})

describe('withExisting', () => {
  test('changes the current values before what was sent is merged over them', async () => {
    class Existing extends SeeingPost {
      override withExisting(model: { readonly id: number }, resource: Values) {
        return { ...resource, title: `${resource.title} ${model.id}`, slug: 'changed' }
      }
    }
    await world({ request: { Post: Existing }, tables }).update('Post', post, { attributes: { slug: 'sent' } }).done
    expect(seen).toMatchObject({ title: 'Old 7', slug: 'sent', content: 'Text' })
  })

  test('null leaves them as they are', async () => {
    class Existing extends SeeingPost {
      override async withExisting() {
        return null
      }
    }
    await world({ request: { Post: Existing }, tables }).update('Post', post, {}).done
    expect({ ...seen }).toEqual(current)
  })
})

describe('what a request class may ask', () => {
  test('model() is null on create, and the row on update and delete', async () => {
    const rows: (Row | null)[] = []
    class Asking extends ResourceRequest<'Post'> {
      override rules() {
        return {}
      }
      override withValidator() {
        rows.push(this.model())
      }
    }
    const { create, update, destroy } = world({ request: { Post: Asking }, tables })
    await create('Post', {}).done
    await update('Post', post, {}).done
    await destroy('Post', post).done
    expect(rows).toEqual([null, post, post])
  })

  test('validated(), toOne() and toMany() answer after success only', async () => {
    const { create } = world({ request, tables })
    const author = { type: 'users', id: '1' }
    const sent = {
      attributes: { title: 'a', content: 'ignored' },
      relationships: { author, tags: [{ type: 'tags', id: '1' }] },
    }
    const failing = create('Post', { ...sent, attributes: { title: 5 } })
    const asked = failing.request as SeeingPost
    await errorsOf(failing.done)
    expect(() => asked.validated()).toThrow(
      'validated() has no answer yet: it is known only after validation has succeeded.',
    )
    await expect(asked.toOne('author')).rejects.toThrow("toOne('author') has no answer yet")
    const succeeding = create('Post', sent)
    await succeeding.done
    const answering = succeeding.request as SeeingPost
    expect(answering.validated()).toEqual({ title: 'a', ...sent.relationships })
    expect(await answering.toOne('author')).toEqual({ id: 1 })
    expect(await answering.toMany('tags')).toMatchObject([{ id: 1 }])
    await expect(answering.toOne('autor' as never)).rejects.toThrow("toOne('autor'): posts have no such relation.")
  })

  test('toOne() and toMany() of relations that were not sent have their current rows', async () => {
    const { request: asked, done } = world({ request, tables }).update('Post', post, {})
    await done
    expect(await (asked as SeeingPost).toMany('tags')).toEqual([{ id: 1, posts: [{ id: 7 }] }])
    expect(await (asked as SeeingPost).toOne('author')).toEqual({ id: 1 })
  })

  test('validatedForRelation() is what was sent', async () => {
    const linkage = [{ type: 'tags', id: '1' }]
    const { request: asked, done } = world({ request, tables }).change('attach', 'Post', post, {
      relation: 'tags',
      linkage,
    })
    await done
    expect((asked as SeeingPost).validatedForRelation()).toEqual(linkage)
  })
})
