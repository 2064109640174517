import { expect, test } from 'vitest'
import { useFixture } from '../../support/any-schema/use-fixture.ts'

// What is sent is what is shown, or is refused: on SQLite, which itself would take almost anything.

const api = useFixture('values')

/** What is shown of an attribute once the value was written; the errors where it was refused. */
async function written(attribute: string, value: unknown): Promise<unknown> {
  const id = await api.create('optionals', {})
  const data = { type: 'optionals', id, attributes: { [attribute]: value } }
  const { status, body } = await api.ask('PATCH', `/optionals/${id}`, { data })
  if (status === 200) return body.data.attributes[attribute]
  return body.errors.map((error: { status: string; code: string; source: object }) => [
    error.status,
    error.code,
    error.source,
  ])
}

const refused = (attribute: string, code: string) => [['422', code, { pointer: `/data/attributes/${attribute}` }]]

test.each([
  ['bigint', '9223372036854775807'],
  ['bigint', '-9223372036854775808'],
  ['bigint', '9007199254740993'],
  ['int', 2_147_483_647],
  ['int', -2_147_483_648],
  ['decimal', '0.1'],
  ['decimal', '123456789.012345'],
  ['decimal', '-99999999999999.9'],
  ['float', 0.1],
  ['float', 5e-324],
  ['bytes', 'AP8='],
  ['datetime', '2026-01-31T09:30:00.123Z'],
  ['datetime', '0001-01-01T00:00:00.000Z'],
  ['json', { a: null, b: [null, 1.5, 'x'] }],
  ['json', [null]],
  ['json', false],
  ['json', 'null'],
  ['json', null],
  ['string', 'ä日😀\u2028'],
  ['mood', 'SAD'],
])('%s %j is shown as it was sent', async (attribute, value) => {
  expect(await written(attribute, value)).toEqual(value)
})

test.each([
  ['bigint', '9223372036854775808', 'bigint'],
  ['bigint', 1, 'bigint'],
  ['int', 2_147_483_648, 'max'],
  ['int', -2_147_483_649, 'min'],
  ['int', 1.5, 'integer'],
  ['decimal', '9007199254740993', 'exact'],
  ['decimal', '0.1234567890123456789', 'exact'],
  ['decimal', '1e3', 'decimal'],
  ['decimal', 'NaN', 'decimal'],
  ['decimal', 0.1, 'decimal'],
  ['float', Number.MAX_VALUE, 'exact'],
  ['bytes', 'AP8', 'bytes'],
  ['datetime', '2024-02-30T00:00:00Z', 'dateTime'],
  ['string', 'half a pair: \ud800', 'storable'],
  ['json', { deep: ['\udc00'] }, 'storable'],
  ['mood', 'not happy', 'enumOf'],
] as const)('%s %j is refused', async (attribute, value, code) => {
  const [[status, said, source]] = (await written(attribute, value)) as [[string, string, { pointer: string }]]
  expect([[status, said, { pointer: source.pointer.slice(0, `/data/attributes/${attribute}`.length) }]]).toEqual(
    refused(attribute, code),
  )
})

test('microseconds are dropped, and zeros at the end of a decimal say nothing', async () => {
  expect([await written('datetime', '2026-01-31T10:30:00.123999+01:00'), await written('decimal', '1.50')]).toEqual([
    '2026-01-31T09:30:00.123Z',
    '1.5',
  ])
})

test('what JSON cannot say, others may have stored: it is shown as null', async () => {
  const id = await api.create('optionals', { float: 1, decimal: '1' })
  await api.execute(`UPDATE "Optional" SET "float" = 9e999, "decimal" = 9e999 WHERE "id" = ${id}`)
  const { status, body } = await api.ask('GET', `/optionals/${id}`)
  expect([status, body.data.attributes.float, body.data.attributes.decimal]).toEqual([200, null, null])
})
