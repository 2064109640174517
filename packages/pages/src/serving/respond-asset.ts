import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { setETag } from '@prismapi/core/http/response/respond'
import { answerMethods } from '@prismapi/core/http/routing'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { Context } from 'koa'
import type { Asset } from '../frame/assets.ts'

/** Answers with a file that pages need. It holds no secret, and its URL changes with it, so that browsers keep it. */
export async function respondAsset(ctx: Context, asset: Asset): Promise<void> {
  if (answerMethods(ctx)) return
  const isPacked = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  const body = isPacked ? await packed(asset) : asset.text
  // Meanwhile the time of the request may have run out.
  if (ctx.res.headersSent) return
  const isKnown = setETag(ctx, `W/"${asset.hash}"`)
  ctx.body = isKnown ? null : body
  // After the body: Koa makes a 204 of every empty one.
  ctx.status = isKnown ? 304 : 200
  ctx.vary('Accept-Encoding')
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Cache-Control', 'private, max-age=31536000, immutable')
  if (isKnown) return
  if (isPacked) ctx.set('Content-Encoding', 'gzip')
  ctx.set('Content-Type', asset.type)
}

const compress = promisify(gzip)

// Once for each of the few files, beside other work: the largest takes a tenth of a second.
const packed = memo(({ text }: Asset): Promise<Buffer> => compress(text))
