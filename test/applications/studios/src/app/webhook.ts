import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import { koaBody } from 'koa-body'
import { badRequest, JsonApiError, type PrismApi, unauthorized } from 'prismapi'
import type { Services } from 'prismapi/types'

const fiveMinutes = 300

/** `POST /webhooks/payments`: the bank tells of a payment, as Standard Webhooks says, until it has been told that it arrived. */
export const paymentsWebhook =
  (api: PrismApi, services: Services): Middleware =>
  async (ctx, next) => {
    if (ctx.method !== 'POST' || ctx.path !== '/webhooks/payments') return next()
    const respond = api.respond(ctx, 'desk')
    await koaBody({ json: false, urlencoded: false, text: true, textLimit: '16kb' })(withText(ctx), async () => {})
    const body = String(ctx.request.body)
    if (!isSigned(ctx, body, services)) return respond.errors(unauthorized('Webhook'))
    const told = readPayment(body)
    if (!told) return respond.errors(badRequest('Send invoice, amount and method.'))
    try {
      await api
        .asSystem('payments', { server: 'desk' })
        .create('Payment', told, { idempotencyKey: ctx.get('Webhook-Id') })
    } catch (error) {
      if (error instanceof JsonApiError) return respond.errors(error)
      throw error
    }
    ctx.status = 204
  }

/** The signature is of the text, so that it has to be read as text. */
function withText(ctx: Context): Context {
  ctx.request.headers['content-type'] = 'text/plain'
  return ctx
}

function isSigned(ctx: Context, body: string, { paymentsSecret }: Services): boolean {
  const [id, timestamp] = [ctx.get('Webhook-Id'), ctx.get('Webhook-Timestamp')]
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < fiveMinutes)) return false
  const signature = createHmac('sha256', paymentsSecret).update(`${id}.${timestamp}.${body}`).digest('base64')
  const [sent, own] = [Buffer.from(ctx.get('Webhook-Signature')), Buffer.from(`v1,${signature}`)]
  return sent.length === own.length && timingSafeEqual(sent, own)
}

function readPayment(body: string) {
  try {
    const { invoice, amount, method } = JSON.parse(body)
    const isComplete = [invoice, amount, method].every((part) => typeof part === 'string')
    return isComplete ? { invoice: invoice as string, amount: amount as string, method: method as string } : null
  } catch {
    return null
  }
}
