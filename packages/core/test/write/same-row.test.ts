import { Decimal, lackedInstant } from '@prismapi/jsonapi/model/prisma-values'
import { expect, test } from 'vitest'
import { isSameRow } from '../../src/write/write-row.ts'

// As another copy of Prisma's package has it.
const Other = Decimal.clone({})

test('a row is the same whichever copy of Prisma has read its decimals', () => {
  const row = { id: 1, price: new Decimal('17.50'), prices: [new Decimal(1)], at: new Date(0), text: null }
  const other = { ...row, price: new Other('17.5'), prices: [new Other(1)], at: new Date(0) }
  expect(isSameRow(row, other)).toBe(true)
  expect(isSameRow(row, { ...other, price: new Other('17.6') })).toBe(false)
  expect(isSameRow(row, { ...other, price: '17.5' })).toBe(false)
  expect(isSameRow(row, { ...other, prices: [] })).toBe(false)
  expect(isSameRow(row, { ...other, more: undefined })).toBe(false)
  expect(isSameRow(row, { ...other, at: new Date(1) })).toBe(false)
})

test('and whatever it has made of an instant that JavaScript lacks', () => {
  const at = new Date(0)
  const lacked = lackedInstant(new Date(Number.NaN), 'infinity')
  expect(isSameRow({ at: lacked }, { at: new Date(Number.NaN) })).toBe(true)
  expect(isSameRow({ at: lacked }, { at: new Date('+010000-01-01T00:00:00Z') })).toBe(true)
  expect(isSameRow({ at: lacked }, { at })).toBe(false)
  expect(isSameRow({ at: lacked }, { at: null })).toBe(false)
})
