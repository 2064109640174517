import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { expect, test } from 'vitest'
import { postgresCodecs } from '../../src/dialects/postgres-dialect.ts'

const instantsOf = (type: string | null) =>
  postgresCodecs({})({ name: 'at', type: 'DateTime', native: type && [type] } as unknown as ColumnMeta)

const asText = (value: unknown) => (value instanceof Date ? value.toISOString() : value)

test.each([
  [null, '2024-02-29 12:34:56', '2024-02-29T12:34:56.000Z'],
  ['Timestamp', '2024-02-29 12:34:56.7', '2024-02-29T12:34:56.700Z'],
  ['Timestamptz', '2024-02-29 12:34:56+00', '2024-02-29T12:34:56.000Z'],
  ['Timestamptz', '2024-02-29 12:34:56.78+00', '2024-02-29T12:34:56.780Z'],
  ['Timestamptz', '0099-01-01 00:00:00.001+00', '0099-01-01T00:00:00.001Z'],
])('an instant of the type %s, sent as %s, is shown without a Date', (type, stored, expected) => {
  const { read, show } = instantsOf(type)
  expect(asText(read(stored))).toBe(expected)
  expect(show?.(stored)).toBe(expected)
})

test.each([
  ['Timestamp', '2024-02-29 12:34:56.789123', '2024-02-29T12:34:56.789Z'],
  ['Timestamptz', '2024-02-29 12:34:56.789999+00', '2024-02-29T12:34:56.789Z'],
  // A session that is not in UTC: Prisma's adapter reads what it names as UTC.
  ['Timestamptz', '2024-02-29 14:34:56+02', '2024-02-29T14:34:56.000Z'],
  ['Timestamptz', '2024-02-29 14:34:56+05:30', '2024-02-29T14:34:56.000Z'],
])('others of the type %s, such as %s, are shown as they are read', (type, stored, expected) => {
  const { read, show } = instantsOf(type)
  expect(asText(read(stored))).toBe(expected)
  expect(asText(show?.(stored))).toBe(expected)
})

test.each([
  ['Date', '2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['Time', '12:34:56.789', '1970-01-01T12:34:56.789Z'],
  ['Timetz', '12:34:56.789+00', '1970-01-01T12:34:56.789Z'],
])('%s has parts of an instant alone', (type, stored, expected) => {
  const { read, show } = instantsOf(type)
  expect(asText(read(stored))).toBe(expected)
  expect(show).toBeUndefined()
})

test.each(['infinity', '-infinity', '2024-02-29 12:34:56+00 BC'])('%s is no instant of JavaScript', (stored) => {
  const { read, show } = instantsOf('Timestamptz')
  expect((read(stored) as Date).getTime()).toBeNaN()
  expect(show?.(stored)).toEqual(new Date(Number.NaN))
})
