import { describe, expect, test } from 'vitest'
import type { FixtureProvider } from './fixtures.ts'
import { toOne, useFixture } from './use-fixture.ts'

/** Decimals that are too long for their columns, by type and attribute, and what is said of them. */
const tooManyDigits: Readonly<
  Record<
    FixtureProvider,
    readonly (readonly [type: string, attribute: string, value: string, said: string, code: string])[]
  >
> = {
  sqlite: [['optionals', 'decimal', '1234567890.12345678', 'more than 15 digits', 'exact']],
  postgresql: [
    ['optionals', 'decimal', '9'.repeat(36), 'more than 35 digits before and 30 behind the point', 'exact'],
    ['sizeds', 'price', '12345678901', 'more than 10 digits before and 2 behind the point', 'decimal'],
    ['sizeds', 'price', '0.123', 'more than 10 digits before and 2 behind the point', 'decimal'],
    ['sizeds', 'exact', '0.1', 'more than 65 digits before and 0 behind the point', 'decimal'],
  ],
}

/** Refusals that say what would be right. */
export function refusesHelpfully(provider: FixtureProvider): void {
  describe('a row that the database refuses', () => {
    const api = useFixture('joins', { provider })

    test('a column that the database wants filled is named, also where the Prisma schema does not know of it', async () => {
      await api.execute(`
    DROP TABLE "MemberComplaint";
    CREATE TABLE "MemberComplaint" (
      "memberId" INTEGER NOT NULL, "complaintId" INTEGER NOT NULL UNIQUE, "note" TEXT NOT NULL,
      PRIMARY KEY ("complaintId", "memberId")
    )`)
      const member = toOne('members', await api.create('members', { name: 'ann' }))
      const complaint = toOne('complaints', await api.create('complaints', { reason: 'noise' }))
      const { status, body } = await api.ask('POST', '/member-complaints', {
        data: { type: 'member-complaints', relationships: { member, complaint } },
      })
      expect([status, body.errors]).toEqual([
        422,
        [
          {
            status: '422',
            code: 'required',
            title: 'Unprocessable Entity',
            detail: 'The note field is required.',
            source: { pointer: '/data' },
            meta: { field: 'note' },
          },
        ],
      ])
    })
  })

  describe('a value that its column has no room for', () => {
    const api = useFixture('values', { provider })

    test.each(tooManyDigits[provider])(
      '%s.%s = %s is told how many digits there may be',
      async (type, attribute, value, said, code) => {
        const { status, body } = await api.ask('POST', `/${type}`, {
          data: { type, attributes: { [attribute]: value } },
        })
        expect([status, body.errors]).toEqual([
          422,
          [
            {
              status: '422',
              code,
              title: 'Unprocessable Entity',
              detail: `The ${attribute} field must not have ${said}.`,
              source: { pointer: `/data/attributes/${attribute}` },
            },
          ],
        ])
      },
    )
  })
}
