import type { CountThroughPlan } from '@prismapi/core/database/reader'
import { columnOf, relationOf } from '@prismapi/jsonapi/condition/build'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { NotInSql } from '../src/dialects/codec.ts'
import type { Dialect } from '../src/dialects/dialect.ts'
import { postgresDialect } from '../src/dialects/postgres-dialect.ts'
import { countByQuery, countThroughQuery } from '../src/queries/count-queries.ts'
import { joinedQuery, rankedJoinedQuery, rankedQuery, rowsQuery } from '../src/queries/level-query.ts'
import { compile, level, on } from './compile.ts'

const { Post: post, Tag: tag, Comment: comment } = resources.models as Record<'Post' | 'Tag' | 'Comment', ModelMeta>
const throughPosts = { relation: relationOf(tag, 'posts'), key: columnOf(post, 'id') }

const newest = [{ path: ['createdAt'], direction: 'desc' as const }]

test('a page with an order through a relation', () => {
  const order = [{ path: ['author', 'name'], direction: 'asc' as const }, ...newest]
  expect(compile(rowsQuery, { ...level('Post', { id: { gt: 3 } }), order, skip: 20, take: 10 })).toEqual({
    text: 'select "t0"."id" from "Post" as "t0" left join "User" as "t1" on "t1"."id" = "t0"."authorId" where "t0"."id" > ? order by "t1"."name" asc, "t0"."createdAt" desc limit 10 offset ?',
    values: [3, 20],
    key: 'Post(id)author.name asc,createdAt desc;t10s;id >;',
  })
})

describe('the number of rows', () => {
  const { text: named } = compile(rowsQuery, { ...level('Post'), take: 101 })
  const bound = (take: number, dialect?: Dialect) => compile(rowsQuery, { ...level('Post'), take }, dialect)

  test('is a part of the statement on SQLite, as far as pages go', () => expect(named).toMatch(/ limit 101$/))

  test('is bound beyond that, out of sight of SQLite, which would prepare the statement anew', () => {
    expect(bound(2000)).toMatchObject({ text: expect.stringMatching(/ limit \(\? \+ 0\)$/), values: [2000] })
    expect(bound(3000).key).toBe(bound(4000).key)
  })

  test('is bound on PostgreSQL, whose planner is told the power of two that is not below it', () => {
    expect(bound(21, postgresDialect)).toMatchObject({
      text: 'select * from (select "t0"."id" from "public"."Post" as "t0" limit 32) as "slice" limit $1',
      values: [21],
    })
    expect(bound(21, postgresDialect).key).toBe(bound(32, postgresDialect).key)
    expect(bound(33, postgresDialect).text).toContain(' limit 64)')
    expect(bound(2 ** 31 - 1, postgresDialect).text).toContain(' limit 2147483648)')
  })

  test('is a part of the statement where one row is asked for', () => {
    expect(bound(1, postgresDialect)).toMatchObject({ text: expect.stringMatching(/ limit 1$/), values: [] })
  })
})

test('on PostgreSQL what is searched for behind others is found once', () => {
  const searched = { some: { tags: { some: { name: { contains: 'a' } } } } }
  const texts = (dialect?: Dialect) => [
    compile(rowsQuery, { ...level('User', { posts: searched }), take: 1 }, dialect).text,
    compile(rowsQuery, { ...level('User', { posts: { some: { title: 'a' } } }), take: 1 }, dialect).text,
  ]
  const [deep, flat] = texts(postgresDialect)
  expect(deep).toContain('"t2"."name" like $1 offset 0)')
  expect(deep?.match(/ offset 0\)/g)).toHaveLength(2)
  // The planner may begin with the rows that an index names.
  expect(flat).not.toContain('offset')
  expect(texts().join()).not.toContain('offset')
})

test('pages of any number are one statement', () => {
  const keyOf = (skip: number) => compile(rowsQuery, { ...level('Post'), skip, take: 10 }).key
  expect(keyOf(20)).toBe(keyOf(30))
  expect(keyOf(0)).not.toBe(keyOf(10))
})

test('rows that are skipped without an end are left to Prisma', () => {
  expect(() => compile(rowsQuery, { ...level('Post'), skip: 10 })).toThrow(NotInSql)
})

test('the first children of each of several parents', () => {
  const parents = { columns: [columnOf(comment, 'postId')], keys: [[1], [2]] }
  expect(compile(rankedQuery, { ...level('Comment'), kind: 'perParent', order: newest, parents, take: 4 })).toEqual({
    text: 'select "c0" from (select "t0"."id" as "c0", row_number() over (partition by "t0"."postId" order by "t0"."createdAt" desc) as "n" from "Comment" as "t0" where "t0"."postId" in (select value from json_each(?))) as "ranked" where "n" <= 4 order by "n"',
    values: ['[1,2]'],
    key: 'Comment(id)createdAt desc;postIdt4;postId in;',
  })
})

test('the first targets of a many-to-many, with the parent that each belongs to', () => {
  const through = { ...throughPosts, parents: [1, 2] }
  expect(
    compile(rankedJoinedQuery, { ...level('Tag', { name: 'a' }), kind: 'joined', order: newestName, through, take: 4 }),
  ).toEqual({
    text: 'select "c0", "c1" from (select "t0"."id" as "c0", "t1"."A" as "c1", row_number() over (partition by "t1"."A" order by "t0"."name" asc) as "n" from "_PostToTag" as "t1" inner join "Tag" as "t0" on "t1"."B" = "t0"."id" where "t1"."A" in (select value from json_each(?)) and "t0"."name" = ?) as "ranked" where "n" <= 4 order by "n"',
    values: ['[1,2]', 'a'],
    key: 'Tag(id)name asc;t4;posts;>id in;name =;',
  })
})

const newestName = [{ path: ['name'], direction: 'asc' as const }]

test('all targets of a many-to-many', () => {
  const through = { ...throughPosts, parents: [1] }
  expect(compile(joinedQuery, { ...level('Tag'), kind: 'joined', order: newestName, through, take: 4 })).toEqual({
    text: 'select "t0"."id", "t1"."A" from "_PostToTag" as "t1" inner join "Tag" as "t0" on "t1"."B" = "t0"."id" where "t1"."A" = ? order by "t0"."name" asc limit 4',
    values: [1],
    key: 'Tag(id)name asc;t4;posts;>id =;',
  })
})

test('numbers of children', () => {
  const where = on('Comment', { postId: { in: [1, 2] } })
  const plan = { kind: 'countBy', model: 'Comment', columns: ['postId'], where } as const
  expect(compile(countByQuery, plan)).toEqual({
    text: 'select "t0"."postId", count(*) from "Comment" as "t0" where "t0"."postId" in (select value from json_each(?)) group by "t0"."postId"',
    values: ['[1,2]'],
    key: 'postId;Comment;postId in;',
  })
})

test('numbers behind a many-to-many', () => {
  const plan: CountThroughPlan = {
    kind: 'countThrough',
    model: 'Post',
    columns: ['id'],
    where: on('Post', { id: 1 }),
    relation: relationOf(post, 'tags'),
    inverse: relationOf(tag, 'posts'),
    counted: on('Tag', { name: 'a' }),
  }
  expect(compile(countThroughQuery, plan)).toEqual({
    text: 'select "t0"."id", (select count(*) from "_PostToTag" as "t2" inner join "Tag" as "t1" on "t1"."id" = "t2"."B" where "t2"."A" = "t0"."id" and "t1"."name" = ?) from "Post" as "t0" where "t0"."id" = ?',
    values: ['a', 1],
    key: 'Post(id);id =;;tags;name =;',
  })
})

describe('a page whose rows are sorted', () => {
  const columns = ['id', 'title']
  const sorted = (where: Readonly<Record<string, unknown>>, path: readonly string[], dialect?: Dialect) => {
    const order = [{ path, direction: 'desc' as const }]
    return compile(rowsQuery, { ...level('Post', where), columns, order, take: 10 }, dialect).text
  }

  test('is found by its keys on SQLite, whose sort would carry long texts', () =>
    expect(sorted({ id: { gt: 3 } }, ['publishedAt'])).toBe(
      'select "t0"."id", "t0"."title" from (select "t0"."id" as "k0", "t0"."publishedAt" as "o0" from "Post" as "t0" where "t0"."id" > ? order by "t0"."publishedAt" desc limit 10) as "page" cross join "Post" as "t0" on "t0"."id" = "page"."k0" order by "page"."o0" desc',
    ))

  test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['an index has them in their order', {}, ['createdAt']],
    ['an index narrows them down, and has them in their order', { authorId: 3 }, ['createdAt']],
  ])('is read as it is where %s', (_, where, path) => expect(sorted(where, path)).not.toContain('page'))

  test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['an index narrows them down without their order', { slug: 'a' }, ['createdAt']],
    ['they are sorted by rows of another type', {}, ['author', 'name']],
  ])('is found by its keys where %s', (_, where, path) => expect(sorted(where, path)).toContain('page'))

  test('is read as it is on PostgreSQL, which keeps long texts beside the rows', () =>
    expect(sorted({}, ['publishedAt'], postgresDialect)).not.toContain('page'))
})
