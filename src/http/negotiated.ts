import type { Context } from 'koa'
import { bothExtensions, type Extensions, noExtensions } from '../document/profiles.ts'
import type { CompiledServer } from '../server/compile.ts'
import { hasBody } from './body.ts'
import { checkAccept, checkContentType } from './negotiate.ts'

/**
 * Negotiates the request's media types, and remembers with it what the client asks to have applied.
 * @throws {JsonApiError} 406, 415
 */
export function negotiate(koa: Context, { version, known }: CompiledServer): void {
  const accepted = checkAccept(koa.get('Accept') || undefined, version, known)
  koa.state.applied = accepted
  if (!hasBody(koa.req)) return
  koa.state.applied = bothExtensions(accepted, checkContentType(koa.get('Content-Type') || undefined, version, known))
}

/** The extensions and profiles that answers to the request apply, errors too. */
export const appliedTo = (koa: Context): Extensions => koa.state.applied ?? noExtensions
