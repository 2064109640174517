import { equals } from '@prismapi/jsonapi/condition/build'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { HasMany, ManyToMany, ToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { StaleRow } from '../../src/database/attempts.ts'
import type { LinkChange } from '../../src/write/links/link-change.ts'
import { planLinks } from '../../src/write/links/plan-links.ts'
import { saveRow } from '../../src/write/save-row.ts'
import { changeToMany, deleteRow, insertRow, type ToManyChange, updateRow } from '../../src/write/write.ts'
import type { Subject } from '../../src/write/write-context.ts'
import { input, linksOf, refusal, to, toOne, world } from './fixture.ts'

const columns = schemaOfModel('Post').model.columns
/** A post as it lies in its table. */
const post = (id: number, more: Row = {}): Row => ({
  ...Object.fromEntries(Object.keys(columns).map((name) => [name, null])),
  id,
  slug: `s${id}`,
  views: 1,
  tags: [],
  ...more,
})
/** The row as it was read: without what lies in other tables. */
const read = ({ tags: _, ...row }: Row): Row => row
const comment = (id: number, more: Row = {}): Row => ({
  id,
  content: 'c',
  spam: null,
  authorId: 1,
  postId: null,
  videoId: null,
  parentId: null,
  ...more,
})
const seenOnes = { slug: 's', reads: 1n, price: '1', featured: false, status: 'LIVE', rank: 1, token: 't' }
/** All that a post needs. */
const needed = { ...seenOnes, secret: 'x' }
const counting = schemaOfModel('Post', { version: { kind: 'counter', column: 'views' } } as Partial<ResourceSchema>)

describe('a row is created', () => {
  test('with its columns and its relations on other sides', async () => {
    const tag = { id: 4, name: 't', posts: [] as Row[] }
    const tables = { Post: [] as Row[], Comment: [comment(1), comment(2)], Tag: [tag], User: [{ id: 1 }] }
    const { transaction, subject } = world({
      tables,
      hooks: { 'Post:creating': () => ({ tags: [], ...needed }) },
    })
    const filled = input(
      { title: 'T' },
      { author: toOne('users', 1), comments: to('comments', 2), tags: to('tags', 4) },
    )
    const links = await linksOf(subject('Post'), null, filled.relationships)
    expect(await insertRow(transaction, subject('Post'), { ...filled, links })).toEqual({ id: 1 })
    expect(tables.Post[0]).toMatchObject({ id: 1, title: 'T', authorId: 1, tags: [tag] })
    expect(tables.Comment.map(({ postId }) => postId)).toEqual([null, 1])
    expect(tag.posts).toEqual([tables.Post[0]])
  })

  test('with what hooks fill, which see what those before have filled', async () => {
    const tables = { Tag: [] as Row[] }
    const seen: unknown[] = []
    const { transaction, subject } = world({
      tables,
      hooks: {
        'Tag:creating': (data) => ({ name: `${data.name}!` }),
        'Tag:saving': (data, { action, row, input, user }: never) => {
          seen.push(data.name, action, row, input, user)
        },
        'Tag:created': (row) => void seen.push('created', row),
        'Tag:saved': (row) => void seen.push('saved', row),
      },
    })
    await insertRow(transaction, subject('Tag'), input({ name: 'a' }))
    expect(tables.Tag).toEqual([{ id: 1, name: 'a!' }])
    const row = { id: 1, name: 'a!' }
    expect(seen).toEqual(['a!', 'create', null, { name: 'a' }, { id: 7 }, 'created', row, 'saved', row])
  })

  test('counting from one', async () => {
    const tables = { Post: [] as Row[] }
    const { transaction, subject } = world({ tables, schemas: [counting], hooks: { 'Post:creating': () => needed } })
    await insertRow(transaction, subject('Post'), input({ title: 'T' }))
    expect(tables.Post[0]).toMatchObject({ views: 1 })
  })

  test('not without a column that it needs', async () => {
    const { transaction, subject } = world({ tables: { Comment: [], User: [{ id: 1 }] } })
    const insert = (model: string, ...filled: Parameters<typeof input>) =>
      refusal(insertRow(transaction, subject(model), input(...filled)))
    expect(await insert('Comment', {}, { author: toOne('users', 1) })).toEqual([422, 'The content field is required.'])
    expect(await insert('Comment', { content: 'x' })).toEqual([422, 'The author field is required.'])
    expect(await insert('Post', seenOnes)).toEqual([
      403,
      'Resources of type posts cannot be created. Post.secret is required, and clients cannot send it. Fill it in a creating hook, write /// @writeOnly above it, or let a schema class show it.',
    ])
    const { transaction: other, subject: inProduction } = world({ production: true })
    expect(await refusal(insertRow(other, inProduction('Post'), input(seenOnes)))).toEqual([
      403,
      'Resources of type posts cannot be created.',
    ])
  })
})

describe('a row is changed', () => {
  const change = async (given: Parameters<typeof world>[0], filled: ReturnType<typeof input>, row?: Row) => {
    const { transaction, subject, tables } = world(given)
    const before = row ?? read({ ...(tables.Post?.[0] as Row) })
    const links = await linksOf(subject('Post'), before, filled.relationships)
    await updateRow(transaction, subject('Post'), before, { ...filled, links })
    return tables
  }

  test('in its columns', async () => {
    const tables = await change({ tables: { Post: [post(1), post(2)] } }, input({ title: 'T' }))
    expect(tables.Post?.map(({ title }) => title)).toEqual(['T', null])
  })

  test('and its version, where anything changes', async () => {
    const versions = async (filled: ReturnType<typeof input>) =>
      (await change({ tables: { Post: [post(1)], Comment: [], Tag: [] }, schemas: [counting] }, filled)).Post?.[0]
        ?.views
    expect(await versions(input({ title: 'T' }))).toBe(2)
    expect(await versions(input({}, { comments: [] }))).toBe(2)
    expect(await versions(input())).toBe(1)
  })

  test('not where it changed since it was judged, was hidden or has gone', async () => {
    const tables = () => ({ Post: [post(1)] })
    await expect(change({ tables: tables() }, input({ title: 'T' }), read(post(1, { title: 'S' })))).rejects.toThrow(
      new StaleRow('A row of posts changed meanwhile.'),
    )
    expect(await refusal(change({ tables: tables() }, input({ title: 'T' }), read(post(3))))).toEqual([404, undefined])
    const scopes = new Map([['Post', equals(counting.model, 'views', 2)]])
    expect(await refusal(change({ tables: tables(), scopes }, input({ title: 'T' })))).toEqual([404, undefined])
    const schemas = [schemaOfModel('Post', { deletedAt: 'publishedAt' })]
    const marked = { Post: [post(1, { publishedAt: new Date() })] }
    expect(await refusal(change({ tables: marked, schemas }, input({ title: 'T' }), read(post(1))))).toEqual([
      404,
      undefined,
    ])
  })

  test('with hooks before and after', async () => {
    const seen: unknown[] = []
    const hooks = {
      'Post:updating': () => ({ slug: 'u' }),
      'Post:saving': (data: Row) => ({ title: `${data.slug}!` }),
      'Post:updated': (row: Row, { action, row: before }: never) =>
        void seen.push(row.title, action, (before as Row).title),
      'Post:saved': (row: Row) => void seen.push(row.slug),
    }
    await change({ tables: { Post: [post(1)] }, hooks }, input())
    expect(seen).toEqual(['u!', 'update', null, 'u'])
  })

  test('with its relations on other sides', async () => {
    const [kept, gone, added] = [comment(1, { postId: 1 }), comment(2, { postId: 1 }), comment(3)]
    const tables = { Post: [post(1)], Comment: [kept, gone, added] }
    await change({ tables }, input({}, { comments: to('comments', 1, 3) }))
    expect(tables.Comment.map(({ postId }) => postId)).toEqual([1, null, 1])
  })

  test('by one that is saved by code', async () => {
    const { transaction, subject, tables } = world({ tables: { Post: [post(1)], Tag: [] } })
    const checked: unknown[] = []
    const check = (before: Row | null) => void checked.push(before)
    const saved = await saveRow(transaction, subject('Post'), { row: { id: 1 }, columns: { title: 'T' }, check })
    expect(saved).toEqual(read(tables.Post?.[0] as Row))
    expect(checked).toEqual([read(post(1))])
    expect(await saveRow(transaction, subject('Tag'), { row: null, columns: { name: 'n' }, check })).toEqual({
      id: 1,
      name: 'n',
    })
    expect(checked[1]).toBe(null)
    expect(await refusal(saveRow(transaction, subject('Post'), { row: { id: 9 }, columns: {}, check }))).toEqual([
      404,
      undefined,
    ])
    expect(checked).toHaveLength(2)
  })
})

describe('a row is removed', () => {
  const remove = async (given: Parameters<typeof world>[0] & { tables: { Post: Row[] } }, row?: Row) => {
    const { transaction, subject } = world(given)
    await deleteRow(transaction, subject('Post'), row ?? read({ ...(given.tables.Post[0] as Row) }))
    return given.tables.Post
  }

  test('with its hooks', async () => {
    const seen: unknown[] = []
    const hooks = {
      'Post:deleting': (row: Row, { action }: never) => void seen.push('deleting', row.id, action),
      'Post:deleted': (row: Row) => void seen.push('deleted', row.id),
    }
    expect(await remove({ tables: { Post: [post(1), post(2)] }, hooks })).toEqual([post(2)])
    expect(seen).toEqual(['deleting', 1, 'delete', 'deleted', 1])
  })

  test('or marked, and then for good', async () => {
    const schemas = [
      schemaOfModel('Post', {
        deletedAt: 'publishedAt',
        version: { kind: 'counter', column: 'views' },
      } as Partial<ResourceSchema>),
    ]
    const [marked] = await remove({ tables: { Post: [post(1)] }, schemas })
    expect(marked).toMatchObject({ publishedAt: expect.any(Date), views: 2 })
    expect(await remove({ tables: { Post: [marked as Row] }, schemas })).toEqual([])
  })

  test('not where a hook of another one was faster', async () => {
    const tables = { Post: [post(1)] }
    const hooks = { 'Post:deleting': () => void tables.Post.splice(0) }
    expect(await refusal(remove({ tables, hooks }))).toEqual([404, undefined])
  })
})

/** What is planned for a relation that may be another one than its type has. */
async function planned(
  subject: Subject,
  row: Row,
  { action, relation, linkage }: Pick<ToManyChange, 'action' | 'relation' | 'linkage'>,
): Promise<readonly LinkChange[]> {
  if (relation.kind === 'manyToMany') return []
  return [await planLinks(subject, row, { relation, linkage, mode: action === 'attach' ? 'add' : 'remove' })]
}

describe('a to-many relation', () => {
  const relations = counting.relations
  const change = async (
    action: 'attach' | 'detach',
    name: string,
    ids: readonly number[],
    given: Parameters<typeof world>[0] & { tables: { Post: Row[] } },
    more: object = {},
  ) => {
    const { transaction, subject } = world(given)
    const relation = { ...relations.get(name), ...more } as ToMany
    const linkage = to(name, ...ids)
    const row = read({ ...(given.tables.Post[0] as Row) })
    const links = await planned(subject('Post'), row, { action, relation, linkage })
    await changeToMany(transaction, subject('Post'), row, { action, relation, linkage, links })
    return given.tables
  }
  const world2 = () => ({
    Post: [post(1)],
    Comment: [comment(1, { postId: 1 }), comment(2), comment(3, { postId: 2, videoId: 'v' })],
  })
  const posts = (tables: { readonly Comment?: Row[] }) => tables.Comment?.map(({ postId }) => postId)

  test('gets targets, which then lead nowhere else', async () => {
    const tables = world2()
    await change('attach', 'comments', [2, 3], { tables })
    expect(posts(tables)).toEqual([1, 1, 1])
    expect(tables.Comment[2]?.videoId).toBe(null)
  })

  test('loses targets, of those that are in it', async () => {
    const tables = world2()
    await change('detach', 'comments', [1, 3], { tables })
    expect(posts(tables)).toEqual([null, null, 2])
  })

  test('loses them for good where its schema says so, or not at all', async () => {
    const tables = world2()
    await change('detach', 'comments', [1, 3], { tables }, { isDetachable: false, deleteOnDetach: true })
    expect(tables.Comment.map(({ id }) => id)).toEqual([2, 3])
    const kept = { isDetachable: false, deleteOnDetach: false }
    expect(await refusal(change('detach', 'comments', [1], { tables: world2() }, kept))).toEqual([
      409,
      'The comments of the comments relation cannot be without it, so they cannot be detached.',
    ])
    expect(await refusal(change('detach', 'comments', [3], { tables: world2() }, kept))).toBe(null)
  })

  test('changes nothing for no targets', async () => {
    const tables = world2()
    await change('attach', 'comments', [], { tables, schemas: [counting] })
    await change('detach', 'comments', [], { tables, schemas: [counting] })
    expect([posts(tables), tables.Post[0]?.views]).toEqual([[1, null, 2], 1])
  })

  test('counts its row on, where members change', async () => {
    const versions = async (action: 'attach' | 'detach', ids: number[]) => {
      const tables = world2()
      await change(action, 'comments', ids, { tables, schemas: [counting] })
      return tables.Post[0]?.views
    }
    expect([await versions('attach', [2]), await versions('attach', [1]), await versions('attach', [1, 2])]).toEqual([
      2, 1, 2,
    ])
    expect([await versions('detach', [1]), await versions('detach', [2]), await versions('detach', [1, 2])]).toEqual([
      2, 1, 2,
    ])
  })

  test('tells hooks', async () => {
    const seen: unknown[] = []
    const hooks = Object.fromEntries(
      ['attaching', 'attached', 'detaching', 'detached'].map((name) => [
        `Post:${name}`,
        (row: Row, event: { action: string; relation: string; identifiers: unknown }) =>
          void seen.push([name, row.id, event.action, event.relation, event.identifiers]),
      ]),
    )
    await change('attach', 'comments', [2], { tables: world2(), hooks: hooks as never })
    await change('detach', 'comments', [2], { tables: world2(), hooks: hooks as never })
    expect(seen).toEqual([
      ['attaching', 1, 'attach', 'comments', to('comments', 2)],
      ['attached', 1, 'attach', 'comments', to('comments', 2)],
      ['detaching', 1, 'detach', 'comments', to('comments', 2)],
      ['detached', 1, 'detach', 'comments', to('comments', 2)],
    ])
  })

  test('of both sides is linked and unlinked', async () => {
    const tags = [4, 5].map((id) => ({ id, name: 't', posts: [] as Row[] }))
    const tables = { Post: [post(1)], Tag: tags }
    await change('attach', 'tags', [4, 5], { tables })
    expect(tables.Post[0]?.tags).toEqual(tags)
    await change('detach', 'tags', [4], { tables })
    expect(tables.Post[0]?.tags).toEqual([tags[1]])
    const { transaction, subject } = world({ tables })
    const replace = (...ids: number[]) =>
      updateRow(
        transaction,
        subject('Post'),
        read({ ...(tables.Post[0] as Row) }),
        input({}, { tags: to('tags', ...ids) }),
      )
    await replace(4)
    expect(tables.Post[0]?.tags).toEqual([tags[0]])
    await replace()
    expect(tables.Post[0]?.tags).toEqual([])
    expect((relations.get('tags') as ManyToMany).kind).toBe('manyToMany')
  })

  test('leaves alone what a scope hides', async () => {
    const scopes = new Map([['Comment', equals(schemaOfModel('Comment').model, 'spam', null)]])
    const tables = { Post: [post(1)], Comment: [comment(1, { postId: 1 }), comment(2, { postId: 1, spam: true })] }
    const { transaction, subject } = world({ tables, scopes })
    const row = read({ ...(tables.Post[0] as Row) })
    const sent = input({}, { comments: [] })
    const links = await linksOf(subject('Post'), row, sent.relationships)
    await updateRow(transaction, subject('Post'), row, { ...sent, links })
    expect(tables.Comment.map(({ postId }) => postId)).toEqual([null, 1])
  })

  test('does not move targets that their id ties', async () => {
    const seats = () => ({
      Post: [post(1)],
      Seat: [
        { row: 1, place: 'a', postId: null },
        { row: 2, place: 'b', postId: null },
      ],
    })
    const byRow = { columns: ['row'], references: ['id'] } as Partial<HasMany>
    const attach = async (...ids: readonly string[]) => {
      const { transaction, subject } = world({ tables: seats() })
      const relation = { ...relations.get('seats'), ...byRow } as ToMany
      const change = { action: 'attach', relation, linkage: to('seats', ...ids) } as const
      const links = await planned(subject('Post'), read(post(1)), change)
      await changeToMany(transaction, subject('Post'), read(post(1)), { ...change, links })
    }
    expect(await refusal(attach('1_a'))).toBe(null)
    expect(await refusal(attach('1_a', '2_b'))).toEqual([
      409,
      'The seats of the seats relation cannot be moved: their ids, or other relations, tie them.',
    ])
  })

  test('cannot be had of a row that lacks the value', async () => {
    const byTitle = { references: ['title'] } as Partial<HasMany>
    expect(await refusal(change('attach', 'comments', [2], { tables: world2() }, byTitle))).toEqual([
      409,
      'The resource lacks the value by which its comments are related to it.',
    ])
  })
})

describe('a relation to one row that points back', () => {
  const set = async (tables: Readonly<Record<string, Row[]>>, linkage: ReturnType<typeof toOne> | null) => {
    const { transaction, subject } = world({ tables })
    const row = { ...(tables.User?.[0] as Row) }
    const sent = input({}, { profile: linkage })
    const links = await linksOf(subject('User'), row, sent.relationships)
    await updateRow(transaction, subject('User'), row, { ...sent, links })
    return tables.Profile?.map(({ userId }) => userId)
  }
  const user = { id: 1, name: null, active: null, passwordHash: 'x' }

  test('leads to another one, and the one before nowhere', async () => {
    const profiles = () => [
      { id: 1, bio: null, userId: 1 },
      { id: 2, bio: null, userId: 3 },
    ]
    expect(await refusal(set({ User: [user], Profile: profiles() }, null))).toEqual([
      409,
      'The profiles of the profile relation cannot be without it, so they cannot be detached.',
    ])
    // The one that cannot be without its user keeps it: here no unique key refuses the other one.
    expect(await set({ User: [user], Profile: profiles() }, toOne('profiles', 2))).toEqual([1, 1])
    const free = () => profiles()[1] as Row
    expect(await set({ User: [user], Profile: [free()] }, toOne('profiles', 2))).toEqual([1])
    expect(await set({ User: [user], Profile: [{ id: 1, bio: null, userId: 1 }] }, toOne('profiles', 1))).toEqual([1])
    expect(await set({ User: [user], Profile: [free()] }, null)).toEqual([3])
  })
})
