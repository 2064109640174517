import { describe, expect, test } from 'vitest'
import type { ModelMeta, RelationMeta } from '../../src/model/meta.ts'
import { MorphToOverride, RelationOverride } from '../../src/schema/relation-fields.ts'
import { compileMorphTo, compileRelation, whyNot } from '../../src/schema/relations.ts'
import { columnOf, modelOf, relationOf, resourcesOf } from './meta.ts'

const key = (name: string, more = {}) => columnOf(name, 'Int', { isForeignKey: true, ...more })
const author = { foreignKey: { columns: ['authorId'], references: ['id'] }, inverse: 'posts' }
const id = columnOf('id', 'Int', { default: 'autoincrement' })

const post = modelOf('Post', {
  columns: [id, key('authorId'), key('reviewerId', { isNullable: true }), key('shelfId', { default: 'value' })],
  relations: [
    relationOf('author', 'User', author),
    relationOf('reviewer', 'User', {
      foreignKey: { columns: ['reviewerId'], references: ['id'] },
      isNullable: true,
      inverse: 'reviews',
    }),
    relationOf('shelf', 'User', { foreignKey: { columns: ['shelfId'], references: ['id'] }, inverse: null }),
    relationOf('cover', 'Cover', { isNullable: true, inverse: 'post' }),
    relationOf('tags', 'Tag', { isList: true, inverse: 'posts', join: { table: '_t', own: 'A', other: 'B' } }),
    relationOf('ghosts', 'User', { isList: true, inverse: null }),
  ],
})
const user = modelOf('User', {
  columns: [id],
  relations: [
    relationOf('posts', 'Post', { isList: true, inverse: 'author', readOnly: true }),
    relationOf('reviews', 'Post', { isList: true, inverse: 'reviewer' }),
  ],
})
const cover = modelOf('Cover', {
  columns: [id, key('postId')],
  relations: [
    relationOf('post', 'Post', { foreignKey: { columns: ['postId'], references: ['id'] }, inverse: 'cover' }),
  ],
})
const tag = modelOf('Tag', {
  columns: [id],
  relations: [
    relationOf('posts', 'Post', { isList: true, inverse: 'tags', join: { table: '_t', own: 'B', other: 'A' } }),
  ],
})
const resources = resourcesOf(post, user, cover, tag)

const compile = (model: ModelMeta, name: string, override: RelationOverride | null = null) =>
  compileRelation(override?.name ?? name, model.relations[name] as RelationMeta, model, resources, override)

const plain = {
  readOnly: false,
  mustValidate: false,
  notValidated: false,
  isIncludable: true,
  alwaysShowData: false,
  links: true,
  deprecation: null,
}

describe('a relation', () => {
  test('whose foreign key is here belongs to its target', () => {
    expect(compile(post, 'author')).toEqual({
      ...plain,
      kind: 'belongsTo',
      alwaysVisible: false,
      name: 'author',
      field: 'author',
      model: 'User',
      isNullable: false,
      isRequired: true,
      columns: ['authorId'],
      references: ['id'],
      isExclusive: false,
      clears: [],
    })
  })

  test('is required on create unless it may be null or has a default', () => {
    const required = (name: string) => {
      const { isNullable, isRequired } = compile(post, name) as { isNullable: boolean; isRequired: boolean }
      return { isNullable, isRequired }
    }
    expect(required('reviewer')).toEqual({ isNullable: true, isRequired: false })
    expect(required('shelf')).toEqual({ isNullable: false, isRequired: false })
  })

  test('whose foreign key is there has one or many, which can be detached where they can do without', () => {
    const many = {
      kind: 'hasMany',
      columns: ['reviewerId'],
      references: ['id'],
      inverse: 'reviewer',
      asksUpdate: true,
      clears: ['reviewerId'],
      isDetachable: true,
      deleteOnDetach: false,
      defaultPagination: true,
      isCountable: false,
    }
    expect(compile(user, 'reviews')).toEqual({ ...plain, ...many, name: 'reviews', field: 'reviews', model: 'Post' })
    expect(compile(user, 'posts')).toMatchObject({ columns: ['authorId'], isDetachable: false, readOnly: true })
    expect(compile(post, 'cover')).toEqual({
      ...plain,
      kind: 'hasOne',
      alwaysVisible: false,
      name: 'cover',
      field: 'cover',
      model: 'Cover',
      isNullable: true,
      isRequired: false,
      inverse: 'post',
      asksUpdate: true,
      isDetachable: false,
      clears: [],
      columns: ['postId'],
      references: ['id'],
    })
  })

  test('with a join table knows its way back', () => {
    expect(compile(post, 'tags')).toEqual({
      ...plain,
      kind: 'manyToMany',
      name: 'tags',
      field: 'tags',
      model: 'Tag',
      inverse: 'posts',
      defaultPagination: true,
      isCountable: false,
    })
  })

  test('whose foreign key nobody may see cannot be served', () => {
    expect(compile(post, 'ghosts')).toBeNull()
    expect(whyNot(post.relations.ghosts as RelationMeta, post, resources)).toBe(
      'the other end of the relation is ignored. Remove its @ignore.',
    )
    const lost = modelOf('Lost', { columns: [id], relations: [relationOf('author', 'User', author)] })
    expect(whyNot(lost.relations.author as RelationMeta, lost, resources)).toBe(
      'it needs Lost.authorId, which is ignored. Remove its @ignore.',
    )
    expect(whyNot(post.relations.tags as RelationMeta, post, resources)).toBeNull()
  })

  test('that shares columns empties its own alone', () => {
    const shared = { isNullable: true, inverse: null }
    const booking = modelOf('Booking', {
      columns: [id, ...['tenantId', 'roomId', 'guestId'].map((name) => key(name, { isNullable: true }))],
      relations: ['room', 'guest'].map((name) =>
        relationOf(name, 'User', {
          ...shared,
          foreignKey: { columns: ['tenantId', `${name}Id`], references: ['id', 'id'] },
        }),
      ),
    })
    expect(compile(booking, 'room')).toMatchObject({ clears: ['roomId'] })
  })

  test('is read-only where the rows at its end are named by it, or are nobody’s to change', () => {
    const lineOf = (more: Partial<Parameters<typeof modelOf>[1]>) =>
      modelOf('Line', {
        columns: [key('orderId'), columnOf('position', 'Int')],
        relations: [
          relationOf('order', 'Order', { foreignKey: { columns: ['orderId'], references: ['id'] }, inverse: 'lines' }),
        ],
        ...more,
      })
    const isReadOnly = (line: ModelMeta, override: RelationOverride | null = null) => {
      const lines = relationOf('lines', 'Line', { isList: true, inverse: 'order' })
      const order = modelOf('Order', { columns: [id], relations: [lines] })
      return compileRelation('lines', lines, order, resourcesOf(order, line), override)?.readOnly
    }
    expect([
      isReadOnly(lineOf({ key: ['orderId', 'position'] })),
      isReadOnly(lineOf({ key: ['orderId', 'position'] }), new RelationOverride('lines').deleteOnDetach()),
      isReadOnly(lineOf({ key: ['position'], operations: ['read'] })),
      isReadOnly(lineOf({ key: ['position'] })),
    ]).toEqual([true, false, true, false])
  })

  test('is what the schema makes of it', () => {
    const options = new RelationOverride('posts')
      .named('articles')
      .asReadOnly(false)
      .mustValidate()
      .notValidated()
      .cannotInclude()
      .alwaysShowData()
      .withoutLinks()
      .withoutDefaultPagination()
      .deleteOnDetach()
      .withoutUpdatePolicy()
      .countable()
      .deprecated({ since: '2026-01-01' })
    expect(compile(user, 'posts', options)).toEqual({
      kind: 'hasMany',
      name: 'articles',
      field: 'posts',
      model: 'Post',
      readOnly: false,
      mustValidate: true,
      notValidated: true,
      isIncludable: false,
      alwaysShowData: true,
      links: false,
      deprecation: { since: '2026-01-01' },
      columns: ['authorId'],
      references: ['id'],
      inverse: 'author',
      asksUpdate: false,
      clears: [],
      isDetachable: false,
      deleteOnDetach: true,
      defaultPagination: false,
      isCountable: true,
    })
  })

  test('goes without the policy of another type only if it changes rows of one', () => {
    for (const [model, name] of [
      [post, 'author'],
      [post, 'tags'],
    ] as const)
      expect(() => compile(model, name, new RelationOverride(name).withoutUpdatePolicy())).toThrow(
        `relation('${name}') of Post: its links are kept in Post itself, or in a table that has no policy, so that no other policy is asked. Remove withoutUpdatePolicy().`,
      )
  })

  test('is counted only if there can be many', () => {
    expect(() => compile(post, 'author', new RelationOverride('author').countable())).toThrow(
      "relation('author') of Post: only to-many relations are countable. Remove countable().",
    )
  })

  test('is shared by all requests, so that nobody changes it', () => {
    expect(Object.isFrozen(compile(post, 'author'))).toBe(true)
  })
})

describe('a polymorphic relation', () => {
  const comment = modelOf('Comment', {
    columns: [id, key('postId'), columnOf('kind', 'String'), columnOf('about', 'String', { isNullable: true })],
    relations: [
      relationOf('post', 'Post', { ...author, isNullable: true }),
      relationOf('user', 'User', { ...author, isNullable: true }),
      relationOf('owner', 'User', author),
    ],
  })
  const everything = () => true
  const models = { p: 'Post', u: 'User' }

  test('of relations has a branch for each model that is served', () => {
    const override = new MorphToOverride('subject', ['post', 'user'])
    const branch = (field: string, model: string) => ({
      ...{ field, model, columns: ['authorId'], references: ['id'] },
      ...{ isExclusive: false, clears: ['authorId'] },
    })
    expect(compileMorphTo(comment, override, everything)).toEqual({
      ...plain,
      kind: 'morphTo',
      name: 'subject',
      isNullable: true,
      isRequired: false,
      form: { kind: 'keys', branches: [branch('post', 'Post'), branch('user', 'User')] },
    })
    expect(compileMorphTo(comment, override, (model) => model === 'User').form).toEqual({
      kind: 'keys',
      branches: [branch('user', 'User')],
    })
  })

  test('of two columns is required as its type column is', () => {
    const form = { kind: 'columns', typeColumn: 'kind', idColumn: 'about', models: new Map(Object.entries(models)) }
    const required = new MorphToOverride('subject', { type: 'kind', id: 'about', models }).named('topic')
    expect(compileMorphTo(comment, required, everything)).toMatchObject({ name: 'topic', isRequired: true, form })
    const optional = new MorphToOverride('subject', { type: 'about', id: 'kind', models })
    expect(compileMorphTo(comment, optional, everything)).toMatchObject({ isNullable: true, isRequired: false })
  })

  test('needs relations that may be null', () => {
    expect(() => compileMorphTo(comment, new MorphToOverride('subject', ['owner']), everything)).toThrow(
      "morphTo('subject'): Comment.owner is no optional relation with a foreign key.",
    )
  })
})
