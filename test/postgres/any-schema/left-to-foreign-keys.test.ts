import { Schema } from 'prismapi'
import { beforeAll, expect, test } from 'vitest'
import { toOne, useFixture } from '../../support/any-schema/use-fixture.ts'
import { postgresAnswers, shownUrl } from '../../support/postgres.ts'

// Rows that a new one names, and does not find: by keys of several columns, some of which several relations share.

if (!postgresAnswers) throw new Error(`PostgreSQL does not answer at ${shownUrl}. Start it, or set TEST_POSTGRES_URL.`)

class Chosen extends Schema<never> {
  override fields() {
    return [this.id().clientGenerated()]
  }
}

const api = useFixture('tenants', { provider: 'postgresql', schemas: { Desk: Chosen as never } })

beforeAll(async () => {
  await api.execute(`
    ALTER TABLE "Room" ALTER CONSTRAINT "Room_tenantId_fkey" DEFERRABLE INITIALLY DEFERRED;
    CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    ALTER TABLE "Partner" ALTER "partnerId" TYPE text COLLATE any_case;
    ALTER TABLE "Commission" ALTER "partnerId" TYPE text COLLATE any_case;
  `)
  for (const tenant of ['acme', 'beta']) {
    await api.create('tenants', { name: tenant }, {}, { id: tenant })
    await api.create('employees', { number: 1, name: 'Ann' }, { tenant: toOne('tenants', tenant) })
  }
})

const post = async (type: string, attributes: object, relationships: object, more: object = {}) => {
  const { status, body } = await api.ask('POST', `/${type}`, { data: { type, ...more, attributes, relationships } })
  return [status, body.errors?.map((error: { source: object }) => error.source) ?? body.data.id]
}
const missing = (...relations: string[]) => [404, relations.map((name) => ({ pointer: `/data/relationships/${name}` }))]
const employee = (id: string) => ({ employee: toOne('employees', id) })

test('the one of a row whose id the client says', async () => {
  expect(await post('desks', {}, employee('acme_99'), { id: 'acme_1' })).toEqual(missing('employee'))
  expect(await post('desks', {}, employee('acme_1'), { id: 'acme_1' })).toEqual([201, 'acme_1'])
})

test('one of several that share a column', async () => {
  const project = (tenant: string, lead: string, deputy: string | null) =>
    post(
      'projects',
      { title: tenant + lead },
      {
        tenant: toOne('tenants', tenant),
        lead: toOne('employees', lead),
        deputy: toOne('employees', deputy),
      },
    )
  expect(await project('acme', 'beta_9', null)).toEqual(missing('lead'))
  expect(await project('none', 'acme_1', 'acme_9')).toEqual(missing('tenant', 'deputy'))
  expect(await project('acme', 'beta_1', null)).toEqual([422, [{ pointer: '/data' }]])
  expect(await project('acme', 'acme_1', null)).toEqual([201, expect.any(String)])
  expect(await post('bookings', {}, { ...employee('acme_9'), room: toOne('rooms', null) })).toEqual(missing('employee'))
  expect(await post('bookings', {}, { ...employee('acme_1'), room: toOne('rooms', '9') })).toEqual(missing('room'))
})

test('one that the database looks for at the end of a transaction', async () => {
  expect(await post('rooms', {}, { tenant: toOne('tenants', 'none') })).toEqual(missing('tenant'))
  expect((await api.ask('GET', '/rooms')).body.data).toEqual([])
})

test('another spelling of one names it where the database takes both for the same', async () => {
  await api.create('partners', { title: 'P' }, {}, { id: 'x_ann' })
  const commission = (partner: string) =>
    post('commissions', { amount: 1, programId: 'x' }, { partner: toOne('partners', partner) })
  const made = [await commission('x_ANN'), await commission('x_ann')]
  expect(made.map(([status]) => status)).toEqual([201, 201])
  expect((await api.rows('Commission')).Commission).toEqual([
    expect.objectContaining({ partnerId: 'ann' }),
    expect.objectContaining({ partnerId: 'ann' }),
  ])
  expect(await commission('x_ben')).toEqual(missing('partner'))
})
