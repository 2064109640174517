import { Schema } from 'prismapi'
import { CursorProfilePagination } from 'prismapi/cursor-pagination'
import { beforeAll, describe, expect, test } from 'vitest'
import { badParameter, invalid } from '../answers.ts'
import type { FixtureProvider } from './fixtures.ts'
import { useFixture } from './use-fixture.ts'

// Columns that are only a day, or only a time of a day: no zone moves them.

class Bookings extends Schema {
  override pagination() {
    return new CursorProfilePagination()
  }
  override fields() {
    return [this.attribute('day').groupable().aggregatable(), this.attribute('opensAt').groupable()]
  }
}

export function daysAreDays(provider: FixtureProvider) {
  describe.each(['auto', 'prisma'] as const)('reads = %s', (reads) => {
    const api = useFixture('everyday', { provider, reads, schemas: { Booking: Bookings as never } })
    const ids: string[] = []
    const add = (day: string, more: object = {}) => api.create('bookings', { day, price: '1', ...more })

    beforeAll(async () => {
      ids.push(await add('2026-11-27', { until: '2026-12-01', opensAt: '09:30:00' }))
      ids.push(await add('2026-11-28', { opensAt: '18:05' }))
      ids.push(await add('2026-11-27', { until: null, opensAt: null }))
      ids.push(await add('0042-02-28'))
    })

    const fields = 'fields[bookings]=day,until,opensAt'
    const attributesOf = async (query: string) => {
      const { status, body } = await api.ask('GET', `/bookings?${fields}&${query}`)
      expect([status, body.errors]).toEqual([200, undefined])
      return body.data.map((each: { attributes: object }) => each.attributes)
    }
    const idsOf = async (query: string) => {
      const { status, body } = await api.ask('GET', `/bookings?${query}`)
      expect([status, body.errors]).toEqual([200, undefined])
      return body.data.map(({ id }: { id: string }) => ids.indexOf(id))
    }

    test('are shown as they were sent', async () => {
      expect(await attributesOf('sort=id')).toEqual([
        { day: '2026-11-27', until: '2026-12-01', opensAt: '09:30:00' },
        { day: '2026-11-28', until: null, opensAt: '18:05:00' },
        { day: '2026-11-27', until: null, opensAt: null },
        { day: '0042-02-28', until: null, opensAt: null },
      ])
    })

    test.each([
      ['filter[day]=2026-11-27', [0, 2]],
      ['filter[day]=2026-11-27,0042-02-28', [0, 2, 3]],
      ['filter[day][gt]=2026-11-27', [1]],
      ['filter[day][lte]=2026-11-27', [0, 2, 3]],
      ['filter[until][isNull]=true', [1, 2, 3]],
      ['filter[opensAt]=09:30', [0]],
      ['filter[opensAt][gte]=09:30:00.001', [1]],
    ])('are filtered by: %s', async (query, expected) => {
      expect(await idsOf(`${query}&sort=id`)).toEqual(expected)
    })

    test('are sorted by, and pages behind cursors go on', async () => {
      expect(await idsOf('sort=day,id')).toEqual([3, 0, 2, 1])
      const found: number[] = []
      let path: string | null = '/bookings?sort=-day,id&page[size]=1'
      while (path !== null && found.length < 9) {
        const { status, body } = await api.ask('GET', path)
        expect(status).toBe(200)
        found.push(...body.data.map(({ id }: { id: string }) => ids.indexOf(id)))
        const next: string | null = body.links.next
        path = next?.slice(next.indexOf('/bookings')) ?? null
      }
      expect(found).toEqual([1, 0, 2, 3])
    })

    test('are grouped by without a part, and with one', async () => {
      const groups = async (key: string) => {
        const { status, body } = await api.ask('GET', `/bookings/-stats?groupBy=${key}`)
        expect([status, body.errors]).toEqual([200, undefined])
        return body.meta.groups.map((each: { key: object; stats: object }) => [each.key, each.stats])
      }
      const count = (n: number) => ({ '*': { count: n } })
      expect(await groups('day')).toEqual([
        [{ day: '0042-02-28' }, count(1)],
        [{ day: '2026-11-27' }, count(2)],
        [{ day: '2026-11-28' }, count(1)],
      ])
      expect(await groups('day:month')).toEqual([
        [{ 'day:month': '0042-02' }, count(1)],
        [{ 'day:month': '2026-11' }, count(3)],
      ])
    })

    test('have a least and a largest one', async () => {
      const { body } = await api.ask('GET', '/bookings?withStats[day]=min,max,count')
      expect(body.meta.stats.day).toEqual({ min: '0042-02-28', max: '2026-11-28', count: 4 })
    })

    test.each([
      ['day', '2026-11-27T00:00:00Z', 'date', 'The day field must be a date such as 2026-11-27.'],
      ['day', '2026-02-30', 'date', 'The day field must be a date such as 2026-11-27.'],
      ['day', '27.11.2026', 'date', 'The day field must be a date such as 2026-11-27.'],
      ['opensAt', '1970-01-01T09:30:00Z', 'time', 'The opens at field must be a time such as 09:30:00.'],
      ['opensAt', '24:00:00', 'time', 'The opens at field must be a time such as 09:30:00.'],
    ])('are 422 as anything else: %s = %s', async (name, value, code, detail) => {
      const attributes = { [name]: value }
      const { status, body } = await api.ask('PATCH', `/bookings/${ids[0]}`, {
        data: { type: 'bookings', id: ids[0], attributes },
      })
      expect([status, body.errors]).toEqual([422, [invalid(code, detail, `/data/attributes/${name}`)]])
    })

    test.each([
      ['filter[day]', '2026-11-27T00:00:00Z', 'a date such as 2026-11-27'],
      ['filter[day]', '2026-02-30', 'a date such as 2026-11-27'],
      ['filter[day][gt]', 'nonsense', 'a date such as 2026-11-27'],
      ['filter[opensAt]', '2026-11-27T09:30:00Z', 'a time such as 09:30:00'],
    ])('are 400 in a filter as anything else: %s=%s', async (key, value, expected) => {
      const { status, body } = await api.ask('GET', `/bookings?${key}=${value}`)
      expect([status, body.errors]).toEqual([400, [badParameter(key, `The value of ${key} must be ${expected}.`)]])
    })

    test('an update leaves what it does not name', async () => {
      const { status, body } = await api.ask('PATCH', `/bookings/${ids[1]}`, {
        data: { type: 'bookings', id: ids[1], attributes: { until: '2028-02-29' } },
      })
      expect(status).toBe(200)
      expect(body.data.attributes).toMatchObject({ day: '2026-11-28', until: '2028-02-29', opensAt: '18:05:00' })
    })

    test('the forms of the pages have a control for days', async () => {
      const page = await fetch(api.url(`/bookings/${ids[0]}?-edit`), { headers: { Accept: 'text/html' } })
      expect(page.status).toBe(200)
      expect(await page.text()).toMatch(
        /<input [^>]*data-pointer="\/data\/attributes\/day"[^>]* type="date" value="2026-11-27">/,
      )
    })

    test('the OpenAPI document says their formats', async () => {
      const { body } = await api.ask('GET', '/openapi.json')
      const all = JSON.stringify(body.components.schemas)
      expect(all).toMatch(/"day":\{"type":"string","format":"date"[,}]/)
      expect(all).toMatch(/"until":\{"type":\["string","null"\],"format":"date"[,}]/)
      expect(all).toContain('"opensAt":{"type":["string","null"],"pattern":')
      const partAt = ($ref: string) =>
        $ref
          .split('/')
          .slice(1)
          .reduce((part, key) => part[key], body)
      const parameters = body.paths['/api/v1/bookings'].get.parameters.map(({ $ref }: { $ref: string }) => partAt($ref))
      const { schema } = parameters.find(({ name }: { name: string }) => name === 'filter[day]')
      expect(JSON.stringify(partAt(schema.$ref))).toContain('{"type":"string","format":"date"}')
    })
  })
}
