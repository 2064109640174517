import { expect, test } from 'vitest'
import { parsedSize } from '../../../src/http/request/parsed-size.ts'

const takesMany = (json: string) => {
  const size = 6.5 * json.length
  return parsedSize(Buffer.from(json), { size, depth: 64 }).size > size
}
/** The digits of the number, in base two, as texts. */
const named = (nth: number, zero: string, one: string) =>
  nth.toString(2).padStart(13, '0').replaceAll('0', zero).replaceAll('1', one)
const listOf = (made: (nth: number) => string) => `[${Array.from({ length: 5000 }, (_, nth) => made(nth)).join()}]`

test.each([
  ['identifiers', () => '{"type":"tags","id":"1"}'],
  ['places', () => '[13.404954,52.520008]'],
  ['points', () => '{"lat":13.4,"lng":52.5}'],
  ['short points', () => '{"x":1,"y":2}'],
  ['numbers', () => '0.25'],
  ['small numbers', () => '1'],
  ['texts', () => '"one"'],
  ['texts that look like objects', () => '"{},{},{},{}"'],
  ['texts with quotes', () => String.raw`"a \"{\" {} {} {}"`],
  ['texts of one character', (nth: number) => (nth % 2 ? '"x"' : '""')],
  ['long names of their own', (nth: number) => `{"${String(nth).padStart(60, 'n')}":1}`],
] as const)('a list of %s takes few times its bytes', (_, made) => {
  expect(takesMany(listOf(made))).toBe(false)
})

test.each([
  ['empty objects', () => '{}'],
  ['empty objects with blanks', () => '{ }'],
  ['empty objects among texts', () => '{},"aaaa"'],
  ['empty arrays', () => '[]'],
  ['names of their own', (nth: number) => `{"${nth}":1}`],
  ['members in any order', (nth: number) => `{${[...String(nth)].map((each, i) => `"${each}${i}":1`)}}`],
  ['names that have one hash in Java', (nth: number) => `{"${named(nth, 'Aa', 'BB')}":1}`],
  ['names of escapes', (nth: number) => `{"${named(nth, String.raw`\n`, String.raw`\t`)}":1}`],
  ['integers as names', (nth: number) => `{"${nth}":1}`],
  ['integers as names, among others', (nth: number) => `{"a":1,"${nth}":1}`],
  ['digits as names', (nth: number) => `{"1":1,"0${nth}":1,"00${nth}":1}`],
] as const)('a list of %s takes many times its bytes', (_, made) => {
  expect(takesMany(listOf(made))).toBe(true)
})

const objectOf = (made: (nth: number) => string) => `{${Array.from({ length: 50_000 }, (_, nth) => made(nth)).join()}}`

test.each([
  ['a dictionary of texts', (nth: number) => `"menu.open.${nth}":"Open ${nth}"`],
  ['a dictionary of identifiers', (nth: number) => `"${nth + 1000}":"abc"`],
  ['a dictionary of large integers', (nth: number) => `"${nth * 1000}":1`],
] as const)('%s takes few times its bytes', (_, made) => {
  expect(takesMany(objectOf(made))).toBe(false)
})
