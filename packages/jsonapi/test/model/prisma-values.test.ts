import * as client from '@prisma/client/runtime/client'
import { expect, test } from 'vitest'
import { AnyNull, DbNull, Decimal, isNullValue } from '../../src/model/prisma-values.ts'

test('they are those of Prisma Client: applications compare by instanceof and by identity', () => {
  expect(Decimal).toBe(client.Decimal)
  expect([DbNull, AnyNull]).toEqual([client.DbNull, client.AnyNull])
  expect(DbNull).toBe(client.DbNull)
  expect(AnyNull).toBe(client.AnyNull)
})

test('nulls of another copy of the package are told by their mark', async () => {
  const copy = await import('@prisma/client-runtime-utils')
  expect([copy.DbNull, copy.AnyNull, copy.JsonNull, null, undefined, 'Prisma.DbNull', {}].map(isNullValue)).toEqual([
    ...[true, true, false, false, false, false, false],
  ])
})
