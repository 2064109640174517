import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { Message } from '../../support/cookbook/page.ts'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const secret = `whsec_${Buffer.from('the secret of a provider').toString('base64')}`
const seconds = (time: number) => String(Math.floor(time / 1000))
const hourAgo = () => new Date(Date.now() - 3_600_000)

const recipe = useRecipe('webhook-in', {
  parts: () => ({ paymentsSecret: secret }),
  textsOf({ headers, body }: Message) {
    const { 'webhook-id': id, 'webhook-timestamp': time } = Object.fromEntries(headers)
    if (id === undefined) return {}
    const at = time === '<an hour ago>' ? hourAgo() : new Date()
    return {
      '<now>': seconds(at.getTime()),
      '<an hour ago>': seconds(at.getTime()),
      '<signature>': new Webhook(secret).sign(id, at, body),
    }
  },
})

/** What the provider sends, signed. */
const deliver = async (id: string, message: object, more: Readonly<Record<string, string>> = {}) => {
  const text = JSON.stringify(message)
  const at = new Date()
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds(at.getTime()),
    'webhook-signature': new Webhook(secret).sign(id, at, text),
    ...more,
  }
  return recipe.ask('POST /webhooks/payments', { headers, body: message })
}
const paid = (order: number, cents = 450) => ({ type: 'payment.succeeded', data: { order, cents } })
const rows = async () => ({ payments: await recipe.db.payment.findMany(), orders: await recipe.db.order.findMany() })

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('a message that is delivered ten times at once is a payment', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => deliver('msg_2', paid(2))))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204))
  expect(await recipe.db.payment.count({ where: { message: 'msg_2' } })).toBe(1)
  expect(await recipe.db.order.findUnique({ where: { id: 2 } })).toMatchObject({ isPaid: true })
})

test('what the provider has not signed so changes nothing', async () => {
  const before = await rows()
  const at = new Date()
  const others: Readonly<Record<string, string>>[] = [
    { 'webhook-id': 'msg_4' },
    { 'webhook-timestamp': seconds(at.getTime() - 60_000) },
    { 'webhook-signature': 'v1,' },
    { 'webhook-signature': new Webhook('b3RoZXI=').sign('msg_3', at, JSON.stringify(paid(1))) },
    { 'Content-Type': 'text/plain' },
  ]
  for (const other of others) {
    const { status, headers } = await deliver('msg_3', paid(1), other)
    expect({ other, status, by: headers.get('WWW-Authenticate') }).toEqual({ other, status: 401, by: 'Webhook' })
  }
  expect((await recipe.ask('POST /webhooks/payments')).status).toBe(401)
  expect((await deliver('msg_3', { ...paid(1), padding: 'x'.repeat(70_000) })).status).toBe(413)
  expect(await rows()).toEqual(before)
})

test('other messages are taken and do nothing, and a payment of nothing, or of no order, is refused', async () => {
  const before = await rows()
  expect((await deliver('msg_5', { ...paid(1), type: 'payment.created' })).status).toBe(204)
  expect((await deliver('msg_6', paid(1, 0))).status).toBe(422)
  expect((await deliver('msg_7', paid(99))).status).toBe(404)
  expect(await rows()).toEqual(before)
})
