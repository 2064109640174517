import { equals } from '@prismapi/jsonapi/condition/build'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ManyThrough } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import type { LinkMode } from '../../src/write/links/link-change.ts'
import { planLinks } from '../../src/write/links/plan-links.ts'
import { writeLinks } from '../../src/write/links/write-links.ts'
import { changeToMany, updateRow } from '../../src/write/write.ts'
import { input, linksOf, to, world } from './fixture.ts'

// Users that are linked with posts by comments.

const side = (name: string, column: string) => ({ name, columns: [column], references: ['id'] })
const relation = {
  kind: 'manyThrough',
  name: 'commented',
  model: 'Post',
  pivot: { model: 'Comment', list: 'comments', from: side('author', 'authorId'), to: side('post', 'postId') },
} as unknown as ManyThrough
const comment = (id: number, authorId: number, postId: number, more: Row = {}): Row => ({
  id,
  content: 'c',
  spam: null,
  authorId,
  postId,
  videoId: null,
  parentId: null,
  ...more,
})
const links = (rows: readonly Row[]) => rows.map(({ authorId, postId }) => `${authorId}-${postId}`)
const row = { id: 1 }
const posts = (...ids: readonly number[]) => ids.map((id) => ({ id }))
const Post = posts(5, 6, 7, 8, 9)

function linked(more: Parameters<typeof world>[0] = {}) {
  const Comment = [comment(1, 1, 5), comment(2, 1, 6), comment(3, 2, 5)]
  const seen: unknown[] = []
  const hooks = {
    'Comment:creating': () => ({ content: 'by a hook' }),
    'Comment:created': ({ id }: Row) => void seen.push(`created ${id}`),
    'Comment:deleted': ({ id }: Row) => void seen.push(`deleted ${id}`),
  }
  const { transaction, subject } = world({ tables: { Post, Comment }, hooks, ...more })
  const user = subject('User')
  const change = async (mode: LinkMode, ...ids: readonly number[]) => {
    const planned = await planLinks(user, row, { relation, linkage: to('posts', ...ids), mode })
    await writeLinks(transaction, user, row, [planned])
  }
  return { Comment, seen, change }
}

describe('links that are rows', () => {
  test('are added where there are none yet, one for each target', async () => {
    const { Comment, seen, change } = linked()
    await change('add', 5, 7, 7, 8)
    expect(links(Comment)).toEqual(['1-5', '1-6', '2-5', '1-7', '1-8'])
    expect([seen, Comment.at(-1)?.content]).toEqual([['created 4', 'created 5'], 'by a hook'])
  })

  test('are removed, of those to the targets', async () => {
    const { Comment, seen, change } = linked()
    await change('remove', 5, 9)
    expect([links(Comment), seen]).toEqual([['1-6', '2-5'], ['deleted 1']])
    await change('remove')
    expect(Comment).toHaveLength(2)
  })

  test('are replaced by those to the targets', async () => {
    const { Comment, seen, change } = linked()
    await change('set', 6, 7)
    expect([links(Comment), seen]).toEqual([
      ['1-6', '2-5', '1-7'],
      ['deleted 1', 'created 4'],
    ])
  })

  test('that a scope hides are neither removed nor doubled', async () => {
    const scopes = new Map([['Comment', equals(schemaOfModel('Comment').model, 'videoId', null)]])
    const Comment = [comment(1, 1, 5, { videoId: 'v' }), comment(2, 1, 6)]
    const { change } = linked({ tables: { Post, Comment }, scopes })
    await change('set')
    expect(links(Comment)).toEqual(['1-5'])
    await change('remove', 5)
    await change('add', 5)
    expect(links(Comment)).toEqual(['1-5'])
  })
})

describe('a relation that is made of such links', () => {
  const users = schemaOfModel('User')
  const schema = { ...users, relations: new Map([...users.relations, ['commented', relation]]) } as ResourceSchema
  const user = { id: 1, name: null, active: null, passwordHash: 'x' }
  const given = () => ({
    schemas: [schema],
    tables: {
      User: [{ ...user }],
      Post: posts(5, 6, 7),
      Comment: [comment(1, 1, 5), comment(2, 1, 6), comment(3, 2, 5)],
    },
    hooks: { 'Comment:creating': () => ({ content: 'c' }) },
  })
  const change = async (action: 'attach' | 'detach', ...ids: readonly number[]) => {
    const { transaction, subject, tables } = world(given())
    const linkage = to('posts', ...ids)
    const mode = action === 'attach' ? 'add' : 'remove'
    const planned = await linksOf(subject('User'), user, new Map([['commented', linkage]]), mode)
    await changeToMany(transaction, subject('User'), user, { action, relation, linkage, links: planned })
    return links(tables.Comment as Row[])
  }

  test('gets and loses targets by them', async () => {
    expect(await change('attach', 5, 7)).toEqual(['1-5', '1-6', '2-5', '1-7'])
    expect(await change('detach', 5, 7)).toEqual(['1-6', '2-5'])
  })

  test('is replaced by them', async () => {
    const { transaction, subject, tables } = world(given())
    const sent = input({}, { commented: to('posts', 6, 7) })
    const planned = await linksOf(subject('User'), user, sent.relationships)
    await updateRow(transaction, subject('User'), user, { ...sent, links: planned })
    expect(links(tables.Comment as Row[])).toEqual(['1-6', '2-5', '1-7'])
  })
})
