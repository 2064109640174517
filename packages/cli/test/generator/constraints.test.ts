import type { DMMF } from '@prisma/generator-helper'
import { expect, test } from 'vitest'
import { toConstraints } from '../../src/generator/constraints.ts'
import { field, model } from './dmmf.ts'

const index = (type: DMMF.Index['type'], names: readonly string[], dbName?: string): DMMF.Index => ({
  model: 'Post',
  type,
  isDefinedOnField: names.length === 1,
  fields: names.map((name) => ({ name })),
  ...(dbName !== undefined && { dbName }),
})

const post = model('Post', [field('id'), field('slug', { dbName: 'post_slug' }), field('shelf'), field('place')], {
  dbName: 'posts',
})

test('a constraint has the name that it was given, or the one that Prisma makes of the database’s names', () => {
  const indexes = [
    index('id', ['id']),
    index('unique', ['slug']),
    index('unique', ['shelf', 'place'], 'one place'),
    index('normal', ['place']),
    index('unique', ['shelf', 'ignored']),
  ]
  expect(toConstraints(post, indexes, 'postgresql')).toEqual({
    posts_pkey: ['id'],
    posts_post_slug_key: ['slug'],
    'one place': ['shelf', 'place'],
  })
})

test('the primary key of MySQL has one name in every table', () => {
  expect(toConstraints(post, [index('id', ['id'], 'mine')], 'mysql')).toEqual({ PRIMARY: ['id'] })
})

test('a name is as long as the database allows, in bytes, and ends with a whole character', () => {
  const long = model('Post', [field('slug')], { dbName: `${'a'.repeat(57)}é${'b'.repeat(20)}` })
  expect(toConstraints(long, [index('unique', ['slug'])], 'postgresql')).toEqual({
    [`${'a'.repeat(57)}é_key`]: ['slug'],
  })
  expect(toConstraints(long, [index('id', ['slug'])], 'postgresql')).toEqual({ [`${'a'.repeat(57)}_pkey`]: ['slug'] })
})
