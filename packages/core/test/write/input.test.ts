import type { Row } from '@prismapi/jsonapi/model/where'
import type { BelongsTo, MorphTo } from '@prismapi/jsonapi/schema/relation-kinds'
import { describe, expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import {
  aboutRelation,
  findClash,
  foreignKeys,
  identifiersOf,
  inputOf,
  newColumns,
  ownColumns,
  relationsOf,
} from '../../src/write/input.ts'
import { input, refusal, to, toOne, world } from './fixture.ts'

const users = [
  { id: 1, name: 'Ann' },
  { id: 2, name: null },
]
const seats = [{ row: 1, place: 'a', postId: null }]
const { subject, registry } = world({ tables: { User: users, Seat: seats, Post: [{ id: 5 }], Video: [{ id: 'v' }] } })
const related = subject('Post').related

test('linkage is a list of identifiers', () => {
  expect([identifiersOf(null), identifiersOf(toOne('users', 1)), identifiersOf(to('tags', 1, 2))]).toEqual([
    [],
    [{ type: 'users', id: '1' }],
    [
      { type: 'tags', id: '1' },
      { type: 'tags', id: '2' },
    ],
  ])
})

describe('the columns that point a relation at its target', () => {
  const keys = (model: string, name: string, linkage: Parameters<typeof identifiersOf>[0], more: object = {}) => {
    const relation = { ...schemaOfModel(model).relations.get(name), ...more } as BelongsTo
    return foreignKeys({ registry, relation, linkage }, related)
  }

  test('are those of the foreign key, or null', async () => {
    expect(await keys('Post', 'author', toOne('users', 2))).toEqual({ authorId: 2 })
    expect(await keys('Post', 'author', null)).toEqual({ authorId: null })
    expect(await keys('Ticket', 'seat', toOne('seats', '1_a'))).toEqual({ row: 1, place: 'a' })
    expect(await keys('Post', 'author', null, { clears: [] })).toEqual({})
  })

  test('are none where the foreign key is on the other side', async () => {
    expect(await keys('Post', 'tags', to('tags', 1))).toEqual({})
    expect(await keys('User', 'profile', toOne('profiles', 1))).toEqual({})
  })

  test('cannot be had of a target that lacks the value', async () => {
    const byName = { references: ['name'] }
    expect(await keys('Post', 'author', toOne('users', 1), byName)).toEqual({ authorId: 'Ann' })
    expect(await refusal(keys('Post', 'author', toOne('users', 2), byName))).toEqual([
      409,
      'The related resource lacks the value by which it is related.',
    ])
  })

  test('of a relation to several types lead to one of them', async () => {
    expect(await keys('Comment', 'commentable', toOne('posts', 5))).toEqual({ postId: 5, videoId: null })
    expect(await keys('Comment', 'commentable', toOne('videos', 'v'))).toEqual({ postId: null, videoId: 'v' })
    expect(await keys('Comment', 'commentable', null)).toEqual({ postId: null, videoId: null })
    const form = { kind: 'columns', typeColumn: 'aboutType', idColumn: 'aboutId', models: new Map([['post', 'Post']]) }
    const byColumns = { form: form as unknown as MorphTo['form'] }
    expect(await keys('Comment', 'commentable', toOne('posts', 5), byColumns)).toEqual({
      aboutType: 'post',
      aboutId: '5',
    })
    expect(await keys('Comment', 'commentable', toOne('videos', 'v'), byColumns)).toEqual({
      aboutType: null,
      aboutId: null,
    })
    expect(await keys('Comment', 'commentable', null, byColumns)).toEqual({ aboutType: null, aboutId: null })
  })
})

describe('a column that serves two things', () => {
  // `row` is a part of a ticket's seat, and of its stage here.
  const ticket = schemaOfModel('Ticket')
  const stage = { ...ticket.model.relations.seat, name: 'stage', foreignKey: { columns: ['row'], references: ['id'] } }
  const schema = {
    ...ticket,
    model: { ...ticket.model, relations: { ...ticket.model.relations, stage } },
  } as typeof ticket
  const clash = (row: Row | null, settings: Readonly<Record<string, Row>>) =>
    findClash(schema, row, new Map(Object.entries(settings)))
  const row = { id: 3, row: 1, place: 'a' }

  test('must not be moved by one of them', () => {
    expect(clash(row, { seat: { row: 2, place: 'a' } })).toEqual({ relation: 'seat', other: 'stage' })
    expect(clash(row, { stage: { row: 2 } })).toEqual({ relation: 'stage', other: 'seat' })
    expect(clash(null, { stage: { row: 2 }, seat: { row: 1, place: 'a' } })).toEqual({
      relation: 'stage',
      other: 'seat',
    })
  })

  test('may be moved by both, may stay, and may be set where nothing leads anywhere', () => {
    expect(clash(row, { seat: { row: 2, place: 'a' }, stage: { row: 2 } })).toBe(null)
    expect(clash(row, { seat: { row: 1, place: 'b' } })).toBe(null)
    expect(clash(null, { seat: { row: 1, place: 'b' } })).toBe(null)
    expect(clash({ ...row, place: null }, { stage: { row: 2 } })).toBe(null)
    expect(clash({ ...row, row: null }, { seat: { row: 2, place: 'a' } })).toBe(null)
    expect(clash(row, { seat: { row: null, place: null } })).toBe(null)
    expect(clash(row, {})).toBe(null)
  })

  test('is never moved where it is the id', () => {
    expect(clash(row, { other: { id: 4 } })).toEqual({ relation: 'other', other: null })
    expect(clash(row, { other: { id: 3 } })).toBe(null)
    expect(clash(null, { other: { id: 4 } })).toBe(null)
  })
})

describe('the columns of a row', () => {
  test('are its attributes, and the foreign keys of its relations', async () => {
    const filled = input({ title: 'T', views: null }, { author: toOne('users', 1), tags: to('tags', 1) })
    expect(await ownColumns(subject('Post'), null, filled)).toEqual({ title: 'T', views: null, authorId: 1 })
    expect(await ownColumns(subject('Post'), null, { ...filled, columns: { title: 'S', slug: 's' } })).toEqual({
      title: 'S',
      views: null,
      authorId: 1,
      slug: 's',
    })
  })

  test('and the id of a new one, where a client gives it', async () => {
    expect(await newColumns(subject('Seat'), input({}, {}, '2_b'))).toEqual({ row: 2, place: 'b' })
    expect(await newColumns(subject('Post'), input({ title: 'T' }))).toEqual({ title: 'T' })
  })

  test('of an attribute without a column are none', async () => {
    const post = schemaOfModel('Post')
    const virtual = { ...post.attributes.get('title'), column: null } as never
    const schema = { ...post, attributes: new Map([['password', virtual]]) }
    expect(await ownColumns({ ...subject('Post'), schema }, null, input({ password: 'x' }))).toEqual({})
  })

  test('do not set the mark of deletion', async () => {
    const schema = schemaOfModel('Post', { deletedAtAttribute: 'publishedAt' })
    const marked = (publishedAt: unknown) => ownColumns({ ...subject('Post'), schema }, null, input({ publishedAt }))
    expect(await marked(null)).toEqual({ publishedAt: null })
    expect(await refusal(marked(new Date()))).toEqual([
      422,
      'The publishedAt field can only be set to null, which restores the resource.',
    ])
  })

  test('do not contradict each other', async () => {
    const ticket = schemaOfModel('Ticket')
    const place = {
      ...schemaOfModel('Seat').attributes.get('place'),
      name: 'seatPlace',
      column: ticket.model.columns.place,
    } as never
    const schema = { ...ticket, attributes: new Map([['seatPlace', place]]) } as typeof ticket
    const filled = (value: string) =>
      ownColumns({ ...subject('Ticket'), schema }, null, input({ seatPlace: value }, { seat: toOne('seats', '1_a') }))
    expect(await filled('a')).toEqual({ row: 1, place: 'a' })
    expect(await refusal(filled('b'))).toEqual([422, 'The seatPlace field does not fit the seat relation.'])
    const moved = ownColumns({ ...subject('Ticket'), schema }, { id: 1, row: 2, place: 'a' }, input({ seatPlace: 'z' }))
    expect(await refusal(moved)).toEqual([422, 'The seatPlace field does not fit the seat relation.'])
    const unserved = { ...schema, relations: new Map() }
    const alone = ownColumns(
      { ...subject('Ticket'), schema: unserved },
      { id: 1, row: 2, place: 'a' },
      input({ seatPlace: 'z' }),
    )
    expect(await refusal(alone)).toEqual([422, 'The seatPlace field does not fit another one.'])
  })

  test('do not move a row to another id', async () => {
    const seat = schemaOfModel('Seat')
    const relations = {
      ...seat.model.relations,
      post: { ...seat.model.relations.post, foreignKey: { columns: ['row'], references: ['id'] } },
    }
    const post = { ...seat.relations.get('post'), columns: ['row'], references: ['id'] } as never
    const schema = { ...seat, model: { ...seat.model, relations }, relations: new Map([['post', post]]) } as typeof seat
    const moving = ownColumns(
      { ...subject('Seat'), schema },
      { row: 1, place: 'a' },
      input({}, { post: toOne('posts', 5) }),
    )
    expect(await refusal(moving)).toEqual([422, 'The post relation would change the id of the resource.'])
  })
})

test('hooks are told of the attributes, and of the relation that is written alone', () => {
  const filled = input({ title: 'T' }, { author: toOne('users', 1) })
  expect(inputOf(filled)).toEqual({ title: 'T' })
  expect(Object.isFrozen(inputOf(filled))).toBe(true)
  expect(aboutRelation(filled)).toEqual({})
  expect(aboutRelation(input())).toEqual({})
  expect(aboutRelation(input({}, { author: null, tags: [] }))).toEqual({})
  expect(aboutRelation(input({}, { tags: to('tags', 1) }))).toEqual({ relation: 'tags', identifiers: to('tags', 1) })
  const post = schemaOfModel('Post')
  expect(relationsOf(post, filled)).toEqual([[post.relations.get('author'), toOne('users', 1)]])
})
