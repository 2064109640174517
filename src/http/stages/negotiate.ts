import { unsupportedMediaType } from '../../document/errors.ts'
import { atomicExtension, bothExtensions, type Extensions } from '../../document/profiles.ts'
import { memo } from '../../model/memo.ts'
import { boundedCache } from '../../request/bounded-cache.ts'
import type { CompiledServer } from '../../server/compile.ts'
import type { Call } from '../call.ts'
import { hasBody } from '../request/body.ts'
import { checkAccept, checkContentType } from '../request/negotiate.ts'
import type { HttpStage } from '../stage.ts'

/** Negotiates media types: 406, 415. The document of an atomic request has to be written in the extension. */
export const negotiate: HttpStage = (next) => (call) => {
  const sent = negotiated(call)
  if (call.isAtomic && sent && !sent.ext.includes(atomicExtension)) throw unsupportedMediaType()
  return next(call)
}

/**
 * Writes down what the client asks to have applied.
 * @returns what is applied to the document that it sends; null where it sends none.
 * @throws {JsonApiError} 406, 415
 */
export function negotiated(call: Call): Extensions | null {
  const { koa, api } = call
  const { headers } = koa.req
  const { accepts, sends } = acceptable(api.server)
  const accepted = accepts(headers.accept ?? '')
  call.negotiated = accepted
  if (!hasBody(koa.req)) return null
  const sent = sends(headers['content-type'] ?? '')
  call.negotiated = bothExtensions(accepted, sent)
  return sent
}

/** What headers mean to a server, kept by their text: there are few that clients send. */
const acceptable = memo(({ version, supportedExtensions }: CompiledServer) => ({
  accepts: kept((header) => checkAccept(header || undefined, version, supportedExtensions)),
  sends: kept((header) => checkContentType(header || undefined, version, supportedExtensions)),
}))

const keptHeaders = 50
const keptLength = 200

function kept(check: (header: string) => Extensions): (header: string) => Extensions {
  const known = boundedCache<Extensions>(keptHeaders)
  return (header) => (header.length > keptLength ? check(header) : known.get(header, () => check(header)))
}
