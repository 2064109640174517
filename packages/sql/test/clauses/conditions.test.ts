import type { Where } from '@prismapi/jsonapi/model/where'
import { describe, expect, test } from 'vitest'
import { NotInSql } from '../../src/dialects/codec.ts'
import { postgresDialect } from '../../src/dialects/postgres-dialect.ts'
import { countQuery } from '../../src/queries/count-queries.ts'
import { compile, on } from '../compile.ts'

/** The condition on posts, and the values in their order. */
function conditionOn(where: Where, model = 'Post'): readonly unknown[] {
  const { text, values } = compile(countQuery, { model, where: on(model, where) })
  return [text.replace(`select count(*) from "${model}" as "t0"`, '').replace(/^ where /, ''), ...values]
}

const date = new Date('2024-02-29T12:34:56.789Z')
const text = '2024-02-29T12:34:56.789+00:00'

describe('a column', () => {
  test.each<[string, Where, readonly unknown[]]>([
    ['equals', { id: 1 }, ['"t0"."id" = ?', 1]],
    ['null', { synopsis: null }, ['"t0"."synopsis" is null']],
    ['not null', { synopsis: { not: null } }, ['(not "t0"."synopsis" is null)']],
    ['not, which NULL does not meet', { synopsis: { not: 'a' } }, ['"t0"."synopsis" <> ?', 'a']],
    ['a bound', { createdAt: { lte: date } }, ['"t0"."createdAt" <= ?', text]],
    ['a bound denied', { id: { not: { gt: 1, lte: 5 } } }, ['("t0"."id" <= ? and "t0"."id" > ?)', 1, 5]],
    ['two operators', { id: { gt: 1, not: 2 } }, ['("t0"."id" > ? and "t0"."id" <> ?)', 1, 2]],
    ['one of none', { id: { in: [] } }, ['1 = 0']],
    ['none of none', { id: { notIn: [] } }, ['1 = 1']],
    ['one of one', { id: { in: [7] } }, ['"t0"."id" = ?', 7]],
    ['one of several', { id: { in: [1, 2] } }, ['"t0"."id" in (select value from json_each(?))', '[1,2]']],
    [
      'none of several',
      { slug: { notIn: ['a', '"'] } },
      ['(not "t0"."slug" in (select value from json_each(?)))', '["a","\\""]'],
    ],
    ['contains', { title: { contains: '%' } }, ['"t0"."title" like ?', '%%%']],
    [
      'startsWith, denied',
      { title: { not: { startsWith: 'a' } } },
      ['(not lower(substr("t0"."title", 1, length(?))) = lower(?))', 'a', 'a'],
    ],
    ['a condition without operators', { id: {} }, ['']],
    ['an operator without value', { id: { gt: undefined } }, ['']],
  ])('%s', (_, where, expected) => expect(conditionOn(where)).toEqual(expected))
})

describe('branches', () => {
  test.each<[string, Where, readonly unknown[]]>([
    ['all at once', { AND: [{ id: 1 }, { slug: 'a' }] }, ['("t0"."id" = ? and "t0"."slug" = ?)', 1, 'a']],
    ['any', { OR: [{ id: 1 }, { slug: 'a' }] }, ['("t0"."id" = ? or "t0"."slug" = ?)', 1, 'a']],
    ['none of several', { NOT: [{ id: 1 }, { id: 2 }] }, ['((not "t0"."id" = ?) and (not "t0"."id" = ?))', 1, 2]],
    ['not both', { NOT: { id: 1, slug: 'a' } }, ['(not ("t0"."id" = ? and "t0"."slug" = ?))', 1, 'a']],
    ['empty ones are no conditions', { AND: [{}], NOT: [{}, { AND: [] }] }, ['']],
    ['an empty alternative is none', { OR: [{ id: 1 }, {}, { slug: undefined }] }, ['"t0"."id" = ?', 1]],
    ['no alternative is never', { OR: [] }, ['1 = 0']],
    ['only empty alternatives are never', { OR: [{}] }, ['1 = 0']],
    ['no alternative beside others is never, either', { AND: [{ OR: [] }, { id: 1 }] }, ['1 = 0']],
    ['what is denied to be never is always', { NOT: { OR: [] } }, ['']],
  ])('%s', (_, where, expected) => expect(conditionOn(where)).toEqual(expected))
})

describe('relations', () => {
  const author = ' left join "User" as "t1" on "t1"."id" = "t0"."authorId" where '
  test.each<[string, Where, readonly unknown[]]>([
    ['is', { author: { is: { name: 'a' } } }, [`${author}("t1"."name" = ? and "t1"."id" is not null)`, 'a']],
    ['is, in short', { author: { name: 'a' } }, [`${author}("t1"."name" = ? and "t1"."id" is not null)`, 'a']],
    [
      'isNot',
      { author: { isNot: { name: 'a' } } },
      [`${author}(not ("t1"."name" = ? and "t1"."id" is not null))`, 'a'],
    ],
    [
      'some',
      { comments: { some: { id: 1 } } },
      [
        '"t0"."id" in (select "t1"."postId" from "Comment" as "t1" where "t1"."postId" is not null and "t1"."id" = ?)',
        1,
      ],
    ],
    [
      'some at all',
      { comments: { some: {} } },
      ['exists (select 1 from "Comment" as "t1" where "t1"."postId" = "t0"."id")'],
    ],
    [
      'none',
      { comments: { none: { id: 1 } } },
      [
        '(not "t0"."id" in (select "t1"."postId" from "Comment" as "t1" where "t1"."postId" is not null and "t1"."id" = ?))',
        1,
      ],
    ],
    [
      'every, which NULL does not break',
      { comments: { every: { id: 1 } } },
      [
        '(not "t0"."id" in (select "t1"."postId" from "Comment" as "t1" where "t1"."postId" is not null and (not "t1"."id" = ?)))',
        1,
      ],
    ],
    [
      'some through a join table',
      { tags: { some: { id: 1 } } },
      [
        '"t0"."id" in (select "t2"."A" from "_PostToTag" as "t2" inner join "Tag" as "t1" on "t1"."id" = "t2"."B" where "t1"."id" = ?)',
        1,
      ],
    ],
    [
      'joins inside of exists',
      { comments: { some: { author: { id: 1 } } } },
      [
        '"t0"."id" in (select "t1"."postId" from "Comment" as "t1" left join "User" as "t2" on "t2"."id" = "t1"."authorId" where "t1"."postId" is not null and ("t2"."id" = ? and "t2"."id" is not null))',
        1,
      ],
    ],
  ])('%s', (_, where, expected) => expect(conditionOn(where)).toEqual(expected))

  test('the key that lies on the other side', () => {
    expect(conditionOn({ profile: null }, 'User')).toEqual([
      ' left join "Profile" as "t1" on "t1"."userId" = "t0"."id" where (not "t1"."userId" is not null)',
    ])
  })
})

describe('values', () => {
  test('are never part of the key', () => {
    const key = (where: Where) => compile(countQuery, { model: 'Post', where: on('Post', where) }).key
    expect(key({ id: 1, slug: 'a', tags: { some: { id: { in: [1, 2] } } } })).toBe(
      key({ id: 2, slug: 'b', tags: { some: { id: { in: [3, 4, 5] } } } }),
    )
  })

  test('of PostgreSQL are numbered, and lists are arrays', () => {
    const where = { id: { in: [1, 2] }, title: { contains: 'a', mode: 'insensitive' } }
    expect(compile(countQuery, { model: 'Post', where: on('Post', where) }, postgresDialect)).toMatchObject({
      text: 'select count(*) from "public"."Post" as "t0" where ("t0"."id" = any($1) and "t0"."title" ilike $2)',
      values: [[1, 2], '%a%'],
    })
  })
})

describe('left to Prisma', () => {
  test.each<[string, Where]>([
    ['a text for a number', { id: '1' }],
    ['a number that is no Int', { id: 2 ** 31 }],
    ['a fraction', { id: 1.5 }],
    ['null in a list', { synopsis: { in: [null] } }],
    ['null for what cannot be null', { id: null }],
    ['an operator of full-text search', { title: { search: 'a' } }],
    ['another column', { title: { equals: Object.create({ name: 'slug' }) } }],
    ['a date that is none', { createdAt: new Date(Number.NaN) }],
    ['a mode on SQLite', { title: { equals: 'a', mode: 'insensitive' } }],
    ['half of a character in a list', { title: { in: ['\ud800', 'a'] } }],
    ['null for a relation that is required', { author: null }],
  ])('%s', (_, where) => expect(() => conditionOn(where)).toThrow(NotInSql))
})
