import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resources } from '../../../../test/support/schemas.ts'
import { valueKind } from '../../src/query/filter-values.ts'
import { parseDateTime } from '../../src/schema/calendar.ts'

const column = (name: string) => {
  const found = resources.models.Post?.columns[name]
  if (!found) throw new Error(name)
  return found
}

test.each([
  ['2025-01-31T09:30Z', '2025-01-31T09:30:00.000Z'],
  ['2025-01-31T09:30:15Z', '2025-01-31T09:30:15.000Z'],
  ['2025-01-31T09:30:15.1Z', '2025-01-31T09:30:15.100Z'],
  ['2025-01-31T09:30:15.123456789Z', '2025-01-31T09:30:15.123Z'],
  ['2025-01-31T09:30:15-05:30', '2025-01-31T15:00:15.000Z'],
  ['2024-02-29T00:00Z', '2024-02-29T00:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('%s is the date-time %s', (text, iso) => {
  expect(parseDateTime(text)).toBe(iso)
})

test.each([
  '2025-01-31',
  '2025-01-31T09:30',
  '2025-01-31 09:30Z',
  '2025-01-31t09:30z',
  '2025-02-29T00:00Z',
  '2025-02-30T00:00Z',
  '2025-13-01T00:00Z',
  '2025-01-31T24:00Z',
  '2025-01-31T23:60Z',
  '2025-01-31T23:59:60Z',
  '2025-01-31T09:30:15.Z',
  '2025-01-31T09:30:15,1Z',
  '2025-01-31T09:30+24:00',
  '2025-01-31T09:30+0100',
  '0000-01-01T00:00Z',
  '10000-01-01T00:00Z',
  '0001-01-01T00:00+01:00',
  '9999-12-31T23:59-01:00',
  '',
])('%s is no date-time', (text) => {
  expect(parseDateTime(text)).toBeNull()
})

test('any Date that JavaScript writes is read again', () => {
  const dates = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(fc.property(dates, (date) => parseDateTime(date.toISOString()) === date.toISOString()))
})

test('what was parsed as a kind is written as the kind is in documents', () => {
  expect(valueKind('bigint', column('reads'), null)?.parse('007')).toBe('7')
  expect(valueKind('decimal', column('price'), null)?.parse('0.10')).toBe('0.10')
  expect(valueKind('integer', column('views'), null)?.parse('-0')).toBe(0)
})

test('a UUID column takes UUIDs, and an inet column nothing', () => {
  const uuid = { ...column('slug'), native: ['Uuid'] }
  expect(valueKind('string', uuid, null)?.parse('abc')).toBeNull()
  expect(valueKind('string', uuid, null)?.parse('00000000-0000-4000-8000-000000000001')).not.toBeNull()
  expect(valueKind('string', { ...column('slug'), native: ['Inet'] }, null)).toBeNull()
})
