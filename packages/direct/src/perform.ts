import { randomUUID } from 'node:crypto'
import { dispatch, executeOperation, prepareAhead } from '@prismapi/core/actions/actions'
import type { ActionResult } from '@prismapi/core/actions/context'
import { retryOnConflict } from '@prismapi/core/database/attempts'
import { translated } from '@prismapi/core/database/prisma/database-errors'
import type { Store } from '@prismapi/core/database/store'
import { checkWritePrice, priceOfWrite } from '@prismapi/core/price/check-price'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { failureOf, knownFailure } from '@prismapi/core/server/failure'
import type { DirectFeature } from '@prismapi/core/server/incoming-request'
import type { OpenTransaction, OpenTransactions } from '@prismapi/core/server/open-transactions'
import { requestContext, type ServerContext } from '@prismapi/core/server/serving'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { type Meta, noExtensions } from '@prismapi/jsonapi/document/types'
import type { PageParams } from '@prismapi/jsonapi/pagination/paginator'
import type { Parameter } from '@prismapi/jsonapi/request/hook-context'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import type { Operation, Precondition } from '@prismapi/jsonapi/request/operation'
import { Preparation } from '@prismapi/jsonapi/request/write-state'
import { type Actor, DirectCall } from './direct-call.ts'
import { everyRow } from './every-row.ts'
import { rowsInDocument } from './kept-rows.ts'
import { type Shown, type ShownRow, ShownRows } from './shown-rows.ts'

/** A server that is asked from inside of the process. */
export interface DirectApi {
  readonly server: CompiledServer
  readonly store: Store
  readonly plugins: readonly DirectFeature[]
  readonly transactions: OpenTransactions
}

/** What is asked: an operation, with what a client would send for it. */
export interface Asked {
  readonly operation: Operation
  readonly method: string
  readonly parameters: readonly Parameter[]
  /** The document; left out, none. */
  readonly body?: object
  readonly precondition?: Precondition | null
  /** The key of a call that is carried out once; left out, none. */
  readonly key?: string | undefined
}

/** What came of it. */
export interface Answered {
  /** Undefined where the answer has no rows. */
  readonly rows: Shown | undefined
  readonly meta: Meta
  /** The version of the row; null where it has none. */
  readonly version: string | null
  readonly next: PageParams | null
}

type CallInContext = DirectCall & { readonly context: ServerContext }

/** Carries out what an actor asks, and what it does in a transaction. */
export class Performer {
  readonly #api: DirectApi
  readonly #actor: Actor
  readonly #limits: Limits
  /** The transaction that all of it is a part of; null where each call looks for one. */
  readonly #given: OpenTransaction | null

  constructor(api: DirectApi, actor: Actor, limits: Limits, given: OpenTransaction | null = null) {
    this.#api = api
    this.#actor = actor
    this.#limits = limits
    this.#given = given
  }

  async perform(asked: Asked): Promise<Answered> {
    const open = this.#open()
    return open ? this.#joining(open, () => this.#within(open, asked)) : this.#told(() => this.#alone(asked))
  }

  /** All rows of a collection, a page at a time. */
  async *everyRow(asked: Asked): AsyncGenerator<ShownRow> {
    const open = this.#open()
    const told = <T>(work: () => Promise<T>) => (open ? this.#joining(open, work) : this.#told(work))
    const { context } = await told(() => this.#called(asked, open, null))
    const pages = everyRow(context, asked.operation)
    for (;;) {
      const { done, value } = await told(() => pages.next())
      if (done) return
      yield* value
    }
  }

  /** Does the work in one transaction: that which this code runs in, or a new one. */
  async transaction<T>(work: (within: Performer) => Promise<T>): Promise<T> {
    const open = this.#open()
    if (open) return work(this.#over(open))
    const requestId = randomUUID()
    const call = new DirectCall(this.#actor, { operation: null, parameters: [], isWithin: false, requestId })
    const { transactions } = this.#api
    const opened = { preparation: new Preparation(), by: this.#actor, requestId }
    const store = transactions.joinable(this.#asking(this.#api.store, call), opened)
    const begin = () => store.write(async () => work(this.#over(transactions.begun())))
    try {
      return await retryOnConflict({ store, observer: null }, '', begin)
    } catch (error) {
      throw knownFailure(error) ?? error
    }
  }

  #open(): OpenTransaction | null {
    const { transactions } = this.#api
    if (this.#given) return transactions.checkOpen(this.#given)
    return transactions.current()
  }

  readonly #over = (open: OpenTransaction) => new Performer(this.#api, this.#actor, this.#limits, open)

  #asking(store: Store, call: DirectCall): Store {
    return this.#api.plugins.reduceRight((inner, plugin) => plugin.store?.(inner, call) ?? inner, store)
  }

  /** A call whose context is made. */
  async #called(asked: Asked, open: OpenTransaction | null, taker: ShownRows | null): Promise<CallInContext> {
    const { operation, method, parameters, body, precondition = null, key } = asked
    const { store, transactions } = this.#api
    const requestId = open ? open.requestId : randomUUID()
    const call = new DirectCall(this.#actor, {
      operation,
      parameters,
      isWithin: open?.by === this.#actor,
      requestId,
    })
    const preparation = open ? open.preparation.ofCall(open.calls++) : new Preparation()
    const asking = this.#asking(open ? joinedStore(store, open) : store, call)
    const opened = { preparation, by: this.#actor, requestId }
    const context = await requestContext({
      request: call,
      method,
      body,
      store: open ? asking : transactions.joinable(asking, opened),
      preparation,
      negotiated: noExtensions,
      precondition,
      observer: null,
      limits: this.#limits,
      place: null,
      taker: key === undefined ? taker : null,
      namesTargets: true,
    })
    if (call.mayWrite) checkWritePrice(context, priceOfWrite(body, 1), '/data')
    return Object.assign(call, { context })
  }

  async #alone(asked: Asked): Promise<Answered> {
    const taker = new ShownRows()
    const call = await this.#called(asked, null, taker)
    const { operation, key } = asked
    if (key !== undefined) return this.#once(call, asked, key)
    return answered(taker, await executeOperation(call.context, operation))
  }

  async #once(request: CallInContext, { operation, parameters }: Asked, key: string): Promise<Answered> {
    const once = this.#api.plugins.find((plugin) => plugin.once)?.once
    if (!once)
      throw new Error(
        `idempotencyKey: no feature of server ${request.server.name} carries calls out once. Pass one that does to createApi({ features }).`,
      )
    const kept = await once({
      request,
      key,
      prepare: () => prepareAhead(request.context, operation),
      attempt: (within) => dispatch(within, operation),
    })
    const sent = parameters.find(({ key }) => key === 'include')?.value
    const paths = sent?.split(',') ?? operation.schema.defaultInclude
    return { ...rowsInDocument(kept, paths), version: null, next: null }
  }

  async #within(open: OpenTransaction, asked: Asked): Promise<Answered> {
    if (asked.key !== undefined)
      throw new Error(
        'idempotencyKey: this call is a part of a transaction, whose own answer tells whether it was done.',
      )
    const taker = new ShownRows()
    const { context } = await this.#called(asked, open, taker)
    return answered(taker, await dispatch(context, asked.operation))
  }

  /** What fails for another reason than that it was refused undoes the transaction, or begins it again. */
  async #joining<T>(open: OpenTransaction, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof JsonApiError) || error.cause !== undefined) open.failure ??= { error }
      throw error
    }
  }

  /** What fails is told as by HTTP. */
  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { server, job } = this.#actor
      const failure = failureOf(
        { error, known: knownFailure(error), request: { ...(job !== null && { job }) } },
        server,
      )
      failure.cause ??= error === failure ? undefined : error
      throw failure
    }
  }
}

function answered({ rows, next }: ShownRows, { document, version }: ActionResult): Answered {
  const meta = document && 'meta' in document ? (document.meta ?? {}) : {}
  return { rows, next, meta, version: version ?? null }
}

/**
 * The store of a call inside of an open transaction. If a write fails, the transaction is undone, even if the error is
 * caught: some of the write may be done.
 */
const joinedStore = (store: Store, open: OpenTransaction): Store => ({
  reader: open.transaction.reader,
  threads: null,
  // The answer would come by a second connection, which may have to wait for this one.
  tableSizes: store.tableSizes.known ?? store.tableSizes,
  async write(work, onBroken) {
    try {
      return await translated(() => work(open.transaction), onBroken)
    } catch (error) {
      open.failure ??= { error }
      throw error
    }
  },
  lock: { tryRun: (_key, work) => work(), enqueue: (_key, work) => work() },
  committed: (begin) => store.committed(begin),
  isWithin: true,
  single: null,
})
