import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const received: { headers: IncomingHttpHeaders; body: string }[] = []
let status = 204
let receiver: Server
const secret = `whsec_${Buffer.from('the secret of the receiver').toString('base64')}`
const draining = new AbortController()

const recipe = useRecipe('webhooks', { parts: () => ({ draining: draining.signal }) })

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  // Clients may only name https.
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  await recipe.db.subscription.create({ data: { url, secret } })
})
afterAll(() => {
  draining.abort()
  receiver.closeAllConnections()
  receiver.close()
})

const order = () =>
  recipe.ask('POST /api/v1/orders', {
    as: 'ben@example.com',
    body: { data: { type: 'orders', attributes: { item: 'Coffee', quantity: 1 } } },
  })
const mine = { subscription: { secret } }

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it, and subscribers are told, with a signature', async () => {
  const { shown, seen } = await recipe.follow()
  // The receiver of the test has subscribed before.
  expect(
    JSON.parse(JSON.stringify(seen).replaceAll('subscriptions/2', 'subscriptions/1').replace('"id":"2"', '"id":"1"')),
  ).toEqual(shown)
  await expect.poll(() => received.length).toBe(1)
  const [{ headers, body } = { headers: {}, body: '' }] = received
  expect(JSON.parse(body)).toEqual(JSON.parse(recipe.shown('delivery')))
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
  await expect.poll(() => recipe.db.delivery.count({ where: { ...mine, deliveredAt: null } })).toBe(0)
})

test('what is refused is sent again, with the same id, when its time has come', async () => {
  received.length = 0
  status = 500
  await order()
  await expect.poll(() => received.length).toBe(1)
  const { deliverDue } = await recipe.load('src/app/webhooks/deliver.ts')
  await deliverDue(recipe.db)
  expect(received).toHaveLength(1)
  status = 204
  await deliverDue(recipe.db, new Date(Date.now() + 60_000))
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array(2).fill(received[0]?.headers['webhook-id']),
  )
  expect(await recipe.db.delivery.count({ where: { ...mine, deliveredAt: null } })).toBe(0)
})

test('of two processes that look at one time, one sends', async () => {
  const { deliverDue } = await recipe.load('src/app/webhooks/deliver.ts')
  const { id } = await recipe.db.subscription.findFirst({ where: mine.subscription })
  received.length = 0
  // Later than the bell and the clock of the application look for it.
  const nextAt = new Date(Date.now() + 600_000)
  await recipe.db.delivery.create({ data: { type: 'x', body: '{}', subscriptionId: id, nextAt } })
  await Promise.all([deliverDue(recipe.db, nextAt), deliverDue(recipe.db, nextAt)])
  expect(received).toHaveLength(1)
})

test('nobody is told of what was rolled back', async () => {
  const count = async () => ({ orders: await recipe.db.order.count(), deliveries: await recipe.db.delivery.count() })
  const before = await count()
  const api = await (await recipe.load('src/app/api.ts')).makeApi(recipe.parts)
  const ben = api.as({ id: 2, role: 'MEMBER' }, { server: 'v1' })
  const during: object[] = []
  const work = ben.transaction(async (within: typeof ben) => {
    const { id } = await within.create('Order', { item: 'Coffee', quantity: 1 })
    during.push(await within.find('Order', id))
    throw new Error('Undone.')
  })
  await expect(work).rejects.toThrow('Undone.')
  expect(during).toMatchObject([{ item: 'Coffee' }])
  expect(await count()).toEqual(before)
})

test('members do not subscribe, and nobody to an address without https', async () => {
  const data = {
    type: 'subscriptions',
    attributes: { url: 'http://inside.example/', secret: `whsec_${'s'.repeat(32)}` },
  }
  expect((await recipe.ask('POST /api/v1/subscriptions', { as: 'ben@example.com', body: { data } })).status).toBe(403)
  const { body } = await recipe.ask('POST /api/v1/subscriptions', { as: 'ann@example.com', body: { data } })
  expect(body.errors.map(({ source }: { source: object }) => source)).toEqual([{ pointer: '/data/attributes/url' }])
  const weak = { type: 'subscriptions', attributes: { url: 'https://shop.invalid/two', secret: 'whsec_short' } }
  const refused = await recipe.ask('POST /api/v1/subscriptions', { as: 'ann@example.com', body: { data: weak } })
  expect(refused.body.errors).toMatchObject([{ status: '422', source: { pointer: '/data/attributes/secret' } }])
})
