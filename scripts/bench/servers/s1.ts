import Router from '@koa/router'
import Koa, { type Context } from 'koa'
import { koaBody } from 'koa-body'
import { readUrl } from './asked.ts'
import { listen, origin } from './process.ts'
import { hasTokens, userOf } from './tokens.ts'
import { queries, work } from './work/prisma.ts'
import { type Document, mediaType, type Sent } from './work/work.ts'

// What a good engineer writes by hand: Koa, Prisma Client, JSON.stringify; no authorization, no negotiation.

const router = new Router()

const read = async (ctx: Context): Promise<void> => answer(ctx, 200, await work.read(readUrl(ctx.url)))
router.get('/api/:base/posts/:id', read)
router.get('/api/:base/posts', read)

router.post('/api/:base/posts', async (ctx) => {
  const { id, document } = await work.change(readUrl(ctx.url), sentIn(ctx))
  ctx.set('Location', `${origin}/api/bench/posts/${id}`)
  answer(ctx, 201, document)
})

router.patch('/api/:base/posts/:id', async (ctx) =>
  answer(ctx, 200, (await work.change(readUrl(ctx.url), sentIn(ctx))).document),
)

const sentIn = (ctx: Context): Sent => (ctx.request.body as unknown as { readonly data: Sent }).data

function answer(ctx: Context, status: number, document: Document): void {
  ctx.status = status
  ctx.set('Content-Type', mediaType)
  ctx.body = JSON.stringify(document)
}

async function authenticate(ctx: Context, next: () => Promise<void>): Promise<void> {
  ctx.state.user = await userOf(work, ctx.headers.authorization)
  await next()
}

const parseBody = koaBody({ jsonTypes: [mediaType] } as never)
const app = new Koa()
if (hasTokens) app.use(authenticate)
listen(app.use(parseBody).use(router.routes()).callback(), queries)
