import type { Feature } from '@prismapi/core/api/feature'
import type { Store } from '@prismapi/core/database/store'
import type { Call } from '@prismapi/core/http/call'
import { chooseStore } from '@prismapi/core/http/choose-store'
import type { Handler, HttpStage } from '@prismapi/core/http/plugin'
import { parsePreferences } from '@prismapi/core/http/request/headers'
import { readAnswer, respond } from '@prismapi/core/http/response/respond'
import { jsonapiOf } from '@prismapi/jsonapi/document/types'
import { explainedClients } from './explained-clients.ts'
import { AuthorizedOnly, Explanation } from './explanation.ts'

// `Prefer: explain` (https://www.rfc-editor.org/rfc/rfc7240): the document says in `meta.explain` how it came about.
// With `=authorization` nothing is done once the request is authorized. Not for production: it tells the inside.

/** Opens a store whose statements for reading the explanation runs, and which tells it what it does the slow way. */
type OpenStore = (explanation: Pick<Explanation, 'runStatement' | 'onFallback'>) => Store

/** Answers explain themselves where the client prefers it, outside of production. */
export const explain: Feature = {
  serve: ({ production, options, openStores }) => {
    if (production) return () => null
    return ({ reads }) => {
      const openStore: OpenStore = ({ runStatement, onFallback }) =>
        openStores({ clients: explainedClients(options.clients, runStatement), onFallback })[reads]
      return { around: explaining(openStore), located: endingEarly }
    }
  },
}

const preferences = ['explain', 'explain=authorization'] as const

const explaining =
  (openStore: OpenStore): HttpStage =>
  (next, api) =>
  (call) => {
    const sent = parsePreferences(call.koa)
    const preference = preferences.findLast((each) => sent.includes(each))
    if (preference === undefined) return next(call)
    const explanation = new Explanation(api.server, preference === 'explain=authorization')
    const store = explainedStore(api.store, openStore(explanation))
    call.store = store
    return explained(call, { next: chooseStore(next, { ...api, store, replicas: null }), preference, explanation })
  }

// Reads in the process: threads have connections of their own, whose statements the explanation would not see.
const explainedStore = (store: Store, { reader, single }: Store): Store => ({
  ...store,
  reader,
  threads: null,
  single: store.single && single,
})

interface Explained {
  readonly next: Handler
  readonly preference: string
  readonly explanation: Explanation
}

async function explained(call: Call, { next, preference, explanation }: Explained): Promise<void> {
  const { koa, observer } = call
  call.observe(explanation)
  call.isDryRun = explanation.endsAtAuthorization
  await next(call)
  // What a page that shows the answer asks for itself is no part of it.
  call.observer = observer
  if (koa.headerSent) return
  koa.append('Preference-Applied', preference)
  const body = await readAnswer(koa)
  if (body === null) return
  // It is another body each time.
  koa.remove('ETag')
  const document = JSON.parse(body)
  const { status } = koa
  koa.body = JSON.stringify({ ...document, meta: { ...document.meta, explain: explanation.toMeta() } })
  koa.status = status
}

/** Answers a call that ended once it was authorized. */
const endingEarly: HttpStage =
  (next, { server }) =>
  async (call) => {
    try {
      await next(call)
    } catch (error) {
      if (!(error instanceof AuthorizedOnly)) throw error
      respond(call.koa, 200, { jsonapi: jsonapiOf(server.version, call.negotiated), meta: {} })
    }
  }
