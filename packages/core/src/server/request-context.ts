import type { Extensions } from '@prismapi/jsonapi/document/profiles'
import { isPromise } from '@prismapi/jsonapi/model/awaitable'
import { hookRequest } from '@prismapi/jsonapi/request/hook-context'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import type { Observer } from '@prismapi/jsonapi/request/observer'
import type { Precondition } from '@prismapi/jsonapi/request/operation'
import { type Preparation, Spent } from '@prismapi/jsonapi/request/write-state'
import { abilitiesFor } from '../auth/ability.ts'
import { allowedRows, listableRows, seenFields, viewableRows, visibleTrash } from '../auth/viewable.ts'
import type { Store } from '../database/store.ts'
import { observedStore } from '../database/wrap.ts'
import { Rows, requestStore } from '../read/rows.ts'
import type { RowTaker } from '../serialize/document-context.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { type ServerContext, serve } from './serving.ts'

/** What the context of a request is made of. */
export interface ContextParts {
  readonly request: Pick<IncomingRequest, 'server' | 'user' | 'job' | 'at'>
  readonly method: string
  /** The parsed document; undefined where none was sent. */
  readonly body: unknown
  /** What it asks the database by. */
  readonly store: Store
  readonly preparation: Preparation
  readonly negotiated: Extensions
  readonly precondition: Precondition | null
  readonly observer: Observer | null
  readonly limits: Limits
  /** As the context has it. */
  readonly place: ServerContext['place']
  /** Null where the answer is a document. */
  readonly taker: RowTaker | null
  /** As the context has it. */
  readonly namesTargets: boolean
}

/** Runs the serving phase, and makes the context that the actions are given. */
export async function requestContext(parts: ContextParts): Promise<ServerContext> {
  const { request, method, body, store: given, preparation, negotiated, precondition, observer, limits } = parts
  const { server, user, job, at } = request
  const store = observer ? observedStore(given, observer) : given
  const abilityOf = abilitiesFor(server, user, store.reader)
  const visible = visibleTrash({ server, user, abilityOf })
  const trash = isPromise(visible) ? await visible : visible
  const viewable = viewableRows({ server, abilityOf })
  const serving = serve(hookRequest({ user, method, at, server }), server, { trash, viewable, seesAll: job !== null })
  const served = isPromise(serving) ? await serving : serving
  observer?.served?.({ user, scopes: served.scopes })
  const rows = new Rows(store.reader, served, listableRows({ server, abilityOf }))
  return Object.freeze({
    user,
    method,
    at,
    server,
    rows,
    store: requestStore(store, rows),
    preparation,
    spent: new Spent(limits.cost),
    negotiatedExtensions: negotiated,
    served,
    body,
    limits,
    abilityOf,
    seen: seenFields({ server, abilityOf }),
    allowedRows: allowedRows({ server, abilityOf }),
    precondition,
    observer,
    place: parts.place,
    taker: parts.taker,
    namesTargets: parts.namesTargets,
  })
}
