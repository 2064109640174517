import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const received: { headers: IncomingHttpHeaders; body: string }[] = []
let status = 204
let receiver: Server
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
  await recipe.db.subscription.create({ data: { url, secret: 'the secret of the receiver' } })
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
const mine = { subscription: { secret: 'the secret of the receiver' } }

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
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = createHmac('sha256', 'the secret of the receiver').update(signed).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
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
  await recipe.db.delivery.create({ data: { event: 'x', body: '{}', subscriptionId: id, nextAt } })
  await Promise.all([deliverDue(recipe.db, nextAt), deliverDue(recipe.db, nextAt)])
  expect(received).toHaveLength(1)
})

test('nobody is told of what was rolled back', async () => {
  const { tellSubscribers } = await recipe.load('src/app/webhooks/outbox.ts')
  const before = await recipe.db.delivery.count()
  const rung: unknown[] = []
  const work = recipe.db.$transaction(async (db: unknown) => {
    await tellSubscribers({ db, afterCommit: (ring: unknown) => rung.push(ring) }, 'order.created', {})
    throw new Error('Undone.')
  })
  await expect(work).rejects.toThrow('Undone.')
  expect(await recipe.db.delivery.count()).toBe(before)
})

test('members do not subscribe, and nobody to an address without https', async () => {
  const data = { type: 'subscriptions', attributes: { url: 'http://inside.example/', secret: 's'.repeat(32) } }
  expect((await recipe.ask('POST /api/v1/subscriptions', { as: 'ben@example.com', body: { data } })).status).toBe(403)
  const { body } = await recipe.ask('POST /api/v1/subscriptions', { as: 'ann@example.com', body: { data } })
  expect(body.errors.map(({ source }: { source: object }) => source)).toEqual([{ pointer: '/data/attributes/url' }])
})
