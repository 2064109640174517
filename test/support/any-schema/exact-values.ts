import { expect, test } from 'vitest'
import type { FixtureProvider } from './fixtures.ts'
import { useFixture } from './use-fixture.ts'

interface Differing {
  /** What this database keeps beside what all of them do. */
  readonly kept: readonly (readonly [attribute: string, value: unknown])[]
  /** What it has no room for. */
  readonly refused: readonly (readonly [attribute: string, value: unknown, code: string])[]
  /** A float and a decimal that JSON cannot say. */
  readonly unsayable: readonly [float: string, decimal: string]
}

const differing: Readonly<Record<FixtureProvider, Differing>> = {
  sqlite: {
    kept: [],
    refused: [
      ['decimal', '9007199254740993', 'exact'],
      ['decimal', '0.1234567890123456789', 'exact'],
    ],
    unsayable: ['9e999', '9e999'],
  },
  postgresql: {
    kept: [
      ['decimal', '9007199254740993'],
      ['decimal', '0.1234567890123456789'],
      ['decimal', `${'9'.repeat(35)}.${'9'.repeat(30)}`],
    ],
    refused: [
      ['decimal', '9'.repeat(36), 'exact'],
      ['decimal', `0.${'9'.repeat(31)}`, 'exact'],
      ['string', 'a\0b', 'storable'],
      ['json', { 'a\0b': 1 }, 'storable'],
    ],
    unsayable: ["'Infinity'", "'NaN'"],
  },
}

/** What is sent is what is shown, or is refused: on SQLite, too, which itself would take almost anything. */
export function keepsExactValues(provider: FixtureProvider): void {
  const api = useFixture('values', { provider })
  const { kept, refused: tooLarge, unsayable } = differing[provider]

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

  test.each<readonly [string, unknown]>([
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
    ...kept,
  ])('%s %j is shown as it was sent', async (attribute, value) => {
    expect(await written(attribute, value)).toEqual(value)
  })

  test.each([
    ['bigint', '9223372036854775808', 'bigint'],
    ['bigint', 1, 'bigint'],
    ['int', 2_147_483_648, 'max'],
    ['int', -2_147_483_649, 'min'],
    ['int', 1.5, 'integer'],
    ['decimal', '1e3', 'decimal'],
    ['decimal', 'NaN', 'decimal'],
    ['decimal', 0.1, 'decimal'],
    ['float', Number.MAX_VALUE, 'exact'],
    ['bytes', 'AP8', 'bytes'],
    ['datetime', '2024-02-30T00:00:00Z', 'dateTime'],
    ['string', 'half a pair: \ud800', 'storable'],
    ['json', { deep: ['\udc00'] }, 'storable'],
    ['mood', 'not happy', 'enumOf'],
    ...tooLarge,
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
    await api.execute(`UPDATE "Optional" SET "float" = ${unsayable[0]}, "decimal" = ${unsayable[1]} WHERE "id" = ${id}`)
    const { status, body } = await api.ask('GET', `/optionals/${id}`)
    expect([status, body.data.attributes.float, body.data.attributes.decimal]).toEqual([200, null, null])
  })
}
