import { Schema } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FixtureProvider } from './fixtures.ts'
import { useFixture } from './use-fixture.ts'

class Optionals extends Schema {
  override fields() {
    return [
      this.attribute('bigint').aggregatable(),
      this.attribute('decimal').aggregatable(),
      this.attribute('float').aggregatable(),
      this.attribute('int').groupable(),
    ]
  }
}

// PostgreSQL has more digits than a float.
const decimals: Readonly<Record<FixtureProvider, { readonly sent: readonly string[]; readonly figures: object }>> = {
  sqlite: { sent: ['0.7', '0.1', '0.1'], figures: { sum: '0.9', avg: '0.3' } },
  postgresql: {
    sent: ['12345678901234567890.0123456789', '0.1', '0.2'],
    figures: { sum: '12345678901234567890.3123456789', avg: expect.stringMatching(/^4115226300411522630\.10411522/) },
  },
}

/** Figures beyond 64 bits and 20 digits, by statements and by Prisma Client. */
export function figuresAreExact(provider: FixtureProvider): void {
  describe.each(['auto', 'prisma'] as const)('reads = %s', (reads) => {
    const api = useFixture('values', { provider, reads, schemas: { Optional: Optionals as never } })
    const { sent, figures } = decimals[provider]

    beforeAll(async () => {
      const integers = ['9223372036854775807', '9223372036854775807', '-5']
      for (const [i, bigint] of integers.entries())
        await api.create('optionals', { bigint, decimal: sent[i], float: i + 0.5, int: i === 2 ? 2 : 1 })
      await api.create('optionals', { int: 1 })
    })

    test('sums are beyond 64 bits, and decimals have all of their digits', async () => {
      const asked = 'withStats[bigint]=count,sum,avg&withStats[decimal]=sum,avg&withStats[float]=sum'
      const { status, body } = await api.ask('GET', `/optionals?${asked}`)
      expect({ status, stats: body.meta?.stats }).toEqual({
        status: 200,
        stats: {
          bigint: { count: 3, sum: '18446744073709551609', avg: expect.closeTo(2 ** 64 / 3, -6) },
          decimal: figures,
          float: { sum: 4.5 },
        },
      })
    })

    test('so are those of groups', async () => {
      const { body } = await api.ask('GET', '/optionals/-stats?groupBy=int&withStats[bigint]=sum&withStats[float]=sum')
      expect(body.meta.groups).toEqual([
        { key: { int: 1 }, stats: { bigint: { sum: '18446744073709551614' }, float: { sum: 2 } } },
        { key: { int: 2 }, stats: { bigint: { sum: -5 }, float: { sum: 2.5 } } },
      ])
    })
  })
}
