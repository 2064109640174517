import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AnyNull, DbNull, Decimal, isNullValue } from '@prismapi/jsonapi/model/prisma-values'
import { expect, test } from 'vitest'
import { Prisma } from '../../prisma/generated/client/client.ts'

test('decimals and nulls are those of the generated client', () => {
  const apart = 'Prisma Client has other classes than packages/jsonapi/src/model/prisma-values.ts finds.'
  expect(Decimal === Prisma.Decimal, apart).toBe(true)
  expect(DbNull === Prisma.DbNull, apart).toBe(true)
  expect(AnyNull === Prisma.AnyNull, apart).toBe(true)
})

test('the nulls of every copy have one mark and say their names', () => {
  expect(
    [Prisma.DbNull, Prisma.AnyNull, Prisma.JsonNull, null, {}].map(isNullValue),
    'Prisma marks its nulls otherwise.',
  ).toEqual([true, true, false, false, false])
})

test('the entry that the generated client imports has the classes that types name', () => {
  const types = readFileSync(
    createRequire(import.meta.url)
      .resolve('@prisma/client/runtime/client')
      .replace(/\.m?js$/, '.d.ts'),
    'utf8',
  )
  const named = ['AnyNullClass', 'DbNullClass', 'Decimal', 'JsonNullClass']
  expect(
    named.filter((name) => !types.includes(`export { ${name} }`)),
    'packages/jsonapi/src/model/prisma-types.ts names what is gone.',
  ).toEqual([])
  expect(types, 'The type of decimals of other libraries is gone.').toContain('interface DecimalJsLike {')
})
