import { decimal, ResourceRequest, Schema } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { invalid } from '../answers.ts'
import type { FixtureProvider } from './fixtures.ts'
import { useFixture } from './use-fixture.ts'

// Decimals have the digits of their column's scale, and their rules compare numbers.

class Bookings extends Schema {
  override fields() {
    return [this.attribute('price').aggregatable(), this.attribute('day').groupable()]
  }
}
class BookingRequest extends ResourceRequest<never> {
  override rules() {
    const price = decimal().min('0.01').max('1000').scale(2).required()
    return { ...this.inferred(), price, rate: decimal().positive().nullable() } as never
  }
}

export function decimalsGoByValue(provider: FixtureProvider) {
  const api = useFixture('everyday', {
    provider,
    schemas: { Booking: Bookings as never },
    requests: { Booking: { request: BookingRequest as never, query: null, collectionQuery: null } },
  })
  const scaled = provider === 'postgresql'
  const day = '2026-11-27'
  const send = (attributes: object) =>
    api.ask('POST', '/bookings', { data: { type: 'bookings', attributes: { day, ...attributes } } })

  describe('a decimal with a scale', () => {
    let id = ''
    beforeAll(async () => {
      id = await api.create('bookings', { day, price: '119', fee: '7', rate: '0.5' })
      await api.create('bookings', { day, price: '0.1', fee: null, rate: null })
    })

    const shown = scaled ? { price: '119.00', fee: '7', rate: '0.5' } : { price: '119', fee: '7', rate: '0.5' }
    test('is shown with it', async () => {
      const { body } = await api.ask('GET', `/bookings/${id}?fields[bookings]=price,fee,rate`)
      expect(body.data.attributes).toEqual(shown)
      const { body: all } = await api.ask('GET', '/bookings?filter[price]=119.0&fields[bookings]=price,fee,rate')
      expect(all.data.map((each: { attributes: object }) => each.attributes)).toEqual([shown])
    })

    test('and so are its sums, least and largest values', async () => {
      const { body } = await api.ask('GET', '/bookings?withStats[price]=sum,min,max,avg')
      expect(body.meta.stats.price).toEqual(
        scaled
          ? { sum: '119.10', min: '0.10', max: '119.00', avg: '59.55' }
          : { sum: '119.1', min: '0.1', max: '119', avg: '59.55' },
      )
    })
  })

  test.each<[object, ...[code: string, detail: string][]]>([
    [
      { price: '0.009' },
      ['min', 'The price field must be at least 0.01.'],
      ['scale', 'The price field must not have more than 2 digits behind the point.'],
    ],
    [{ price: '1000.01' }, ['max', 'The price field must not be greater than 1000.']],
    [{ price: '-20' }, ['min', 'The price field must be at least 0.01.']],
    [{ price: '9', rate: '0' }, ['positive', 'The rate field must be greater than 0.']],
    [{ price: '9', rate: '-0.5' }, ['positive', 'The rate field must be greater than 0.']],
    [{ price: '1,5' }, ['decimal', 'The price field must be a decimal number, written as a string.']],
  ])('rules go by the value: %j', async (attributes, ...faults) => {
    const { status, body } = await send(attributes)
    const member = 'rate' in attributes ? 'rate' : 'price'
    expect([status, body.errors]).toEqual([
      422,
      faults.map(([code, detail]) => invalid(code, detail, `/data/attributes/${member}`)),
    ])
  })

  test.each(['0.01', '1000', '1000.00', '5.5'])(
    'a value between the bounds passes, however long: %s',
    async (price) => {
      expect((await send({ price })).status).toBe(201)
    },
  )
}
