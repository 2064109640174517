import type { Context } from 'koa'
import { bothExtensions, type Extensions, noExtensions } from '../../document/profiles.ts'
import { memo } from '../../model/memo.ts'
import { boundedCache } from '../../request/bounded-cache.ts'
import type { CompiledServer } from '../../server/compile.ts'
import { hasBody } from './body.ts'
import { checkAccept, checkContentType } from './negotiate.ts'

/**
 * Negotiates the request's media types, and remembers with it what the client asks to have applied.
 * @throws {JsonApiError} 406, 415
 */
export function negotiate(koa: Context, server: CompiledServer): void {
  const { headers } = koa.req
  const { accepts, sends } = acceptable(server)
  const accepted = accepts(headers.accept ?? '')
  koa.state.applied = accepted
  if (!hasBody(koa.req)) return
  koa.state.applied = bothExtensions(accepted, sends(headers['content-type'] ?? ''))
}

/** What headers mean to a server, kept by their text: there are few that clients send. */
const acceptable = memo(({ version, known }: CompiledServer) => ({
  accepts: kept((header) => checkAccept(header || undefined, version, known)),
  sends: kept((header) => checkContentType(header || undefined, version, known)),
}))

const keptHeaders = 50
const keptLength = 200

function kept(check: (header: string) => Extensions): (header: string) => Extensions {
  const known = boundedCache<Extensions>(keptHeaders)
  return (header) => (header.length > keptLength ? check(header) : known.get(header, () => check(header)))
}

/** The extensions and profiles that answers to the request apply, errors too. */
export const appliedTo = (koa: Context): Extensions => koa.state.applied ?? noExtensions
