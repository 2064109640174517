import { expect, test } from 'vitest'
import { toInstant } from '../../../../../src/database/sql/codecs/instants.ts'

test.each([
  ['2024-02-29T12:34:56.789+00:00', '2024-02-29T12:34:56.789Z'],
  ['2024-02-29T12:34:56Z', '2024-02-29T12:34:56.000Z'],
  ['2024-02-29T12:34:56+02:00', '2024-02-29T10:34:56.000Z'],
  ['2024-02-29 12:34:56+02', '2024-02-29T10:34:56.000Z'],
  ['2024-02-29T12:34:56.789123Z', '2024-02-29T12:34:56.789Z'],
  ['2024-02-29 12:34:56', '2024-02-29T12:34:56.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['12:34:56.789', '1970-01-01T12:34:56.789Z'],
  ['0099-01-01 00:00:00', '0099-01-01T00:00:00.000Z'],
  ['+012345-01-01T00:00:00.000+00:00', '+012345-01-01T00:00:00.000Z'],
])('%s is the instant %s, whatever the time zone of the machine', (text, expected) => {
  expect(toInstant(text).toISOString()).toBe(expected)
})

test('what is no instant is an invalid date, as Prisma has it', () => {
  expect(toInstant('nonsense').getTime()).toBeNaN()
})
