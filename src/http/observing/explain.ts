import type { Context } from 'koa'
import { jsonapiOf } from '../../document/profiles.ts'
import { AuthorizedOnly } from '../../request/explaining.ts'
import { bothTracing } from '../../request/tracing.ts'
import type { CompiledServer } from '../../server/compile.ts'
import type { Store } from '../../store/store.ts'
import { answeredText } from '../answering/answered-text.ts'
import { respond } from '../answering/respond.ts'
import { appliedTo } from '../incoming/negotiated.ts'
import { preferencesOf } from '../incoming/preferences.ts'
import { Explanation } from './explanation.ts'
import { type Handle, tracingOf } from './tracing-of.ts'

// `Prefer: explain` (https://www.rfc-editor.org/rfc/rfc7240): the document says in `meta.explain` how it came about.
// With `=authorization` nothing is done once the request is authorized. Not for production: it tells the inside.

/** Answers explain themselves where the client prefers it. */
export const withExplanation =
  (server: CompiledServer, handle: Handle): Handle =>
  (ctx) => {
    const preference = preferenceOf(ctx)
    return preference === null ? handle(ctx) : explained(ctx, { handle, server, preference })
  }

const preferences = ['explain', 'explain=authorization'] as const
type Preference = (typeof preferences)[number]

function preferenceOf(ctx: Context): Preference | null {
  const sent = preferencesOf(ctx)
  return preferences.findLast((each) => sent.includes(each)) ?? null
}

interface Explained {
  readonly handle: Handle
  readonly server: CompiledServer
  readonly preference: Preference
}

async function explained(ctx: Context, { handle, server, preference }: Explained): Promise<void> {
  const explanation = new Explanation(server.schemas, preference === 'explain=authorization')
  const outer = tracingOf(ctx)
  ctx.state.explanation = explanation
  ctx.state.tracing = outer ? bothTracing(outer, explanation) : explanation
  await handle(ctx)
  if (ctx.headerSent) return
  ctx.append('Preference-Applied', preference)
  const body = await answeredText(ctx)
  if (body === null) return
  // It is another body each time.
  ctx.remove('ETag')
  const document = JSON.parse(body)
  const status = ctx.status
  ctx.body = JSON.stringify({ ...document, meta: { ...document.meta, explain: explanation.toMeta() } })
  ctx.status = status
}

const explanationOf = ({ state }: Context): Explanation | null => state.explanation ?? null

/** The work on a request, which may be to be authorized and no more. */
export const endingEarly =
  (server: CompiledServer, work: (ctx: Context) => void | Promise<void>) =>
  async (ctx: Context): Promise<void> => {
    try {
      await work(ctx)
    } catch (error) {
      if (!(error instanceof AuthorizedOnly)) throw error
      respond(ctx, 200, { jsonapi: jsonapiOf(server.version, appliedTo(ctx)), meta: {} })
    }
  }

/** Makes the store of requests that are explained; null where none are. */
export type ExplainedStores = ((explanation: Pick<Explanation, 'runStatement'>) => Store) | null

/** The store of the request, whose reads are explained where that is wanted. */
export function explainedStore(ctx: Context, store: Store, stores: ExplainedStores = null): Store {
  const explanation = stores && explanationOf(ctx)
  return explanation ? { ...store, reader: stores(explanation).reader } : store
}
