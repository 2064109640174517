import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { BasePathParams, DatabaseClient, Services } from '@prismapi/jsonapi/model/register'
import type { VisibleRows } from '@prismapi/jsonapi/model/visible-rows'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Delegates, Transaction } from '../database/store.ts'
import { visibleRows } from '../read/find.ts'
import { type AnyHook, hookKey, hooksOf, type WithHooks } from '../read/hooks.ts'
import type { RequestTransaction } from '../read/rows.ts'
import type { WriteContext } from './write-context.ts'

/** Before a write, with the columns that it will set: what a hook returns is set as well. */
export const fillHooks: readonly FillHookName[] = ['creating', 'updating', 'saving']
type FillAction = 'create' | 'update'
/** Those that run for a new row, and those for one that changes, in their order. */
export const fillHooksOf: Readonly<Record<FillAction, readonly FillHookName[]>> = {
  create: ['creating', 'saving'],
  update: ['updating', 'saving'],
}
/** Those of a row that goes, in their order. */
export const deleteHooks = ['deleting', 'deleted'] as const satisfies readonly RowHookName[]
/** Before and after, with a row: what a hook returns is ignored. */
export const rowHooks: readonly RowHookName[] = [
  'created',
  'updated',
  'saved',
  ...deleteHooks,
  'attaching',
  'attached',
  'detaching',
  'detached',
]
/** Before the transaction of a write begins. */
export const prepareHooks: readonly PrepareHookName[] = ['preparing']
/** The hooks before a write that return columns to set. */
export type FillHookName = 'creating' | 'updating' | 'saving'
/** The hooks before and after a write that look at its row. */
export type RowHookName =
  | 'created'
  | 'updated'
  | 'saved'
  | 'deleting'
  | 'deleted'
  | 'attaching'
  | 'attached'
  | 'detaching'
  | 'detached'
/** The hook before the transaction of a write. */
export type PrepareHookName = 'preparing'

/** What a hook may know of the write that it belongs to. */
export interface WriteEvent extends VisibleRows {
  /** What is done: `attach` and `detach` add to and remove from a relationship. */
  readonly action: 'create' | 'update' | 'delete' | 'attach' | 'detach'
  /** The signed-in user; null for a guest. */
  readonly user: unknown
  /** The row as it was before; null on create. */
  readonly row: Row | null
  /** The validated attributes, as documents name them; virtual ones among them. */
  readonly input: Row
  /** The relation that is written by itself; null where a resource is. */
  readonly relation: string | null
  /** The identifiers that were sent for that relation. */
  readonly identifiers: readonly Identifier[]
  /** Prisma Client inside of the write's transaction. Work of `afterCommit` gets a client of its own instead. */
  readonly db: Delegates
  /**
   * The same client, trusted: row level security lets it read and write all rows, for audits and outboxes. Without row
   * level security it is `db`. The trail names the request's caller.
   */
  asSystem(): Delegates
  /** The values of the parameters of the server's base path: of `/api/:organization/v1` the `organization`. */
  readonly params: BasePathParams
  /** What the application handed to `createApi({ services })`. */
  readonly services: Services
  /** Does the work after the commit, and never without one. If it fails, it is logged; the response is the same. */
  afterCommit(work: CommittedWork): void
}

/** What work after a commit may use. */
export interface CommittedEvent {
  /** Prisma Client outside of any transaction: it sees what is committed, and its writes stay. It knows no scopes. */
  readonly db: DatabaseClient
  /** What the application handed to `createApi({ services })`. */
  readonly services: Services
}

/** @internal */
type CommittedWork = (event: CommittedEvent) => unknown

/** What a hook may know of a write whose transaction has not begun. */
export interface PrepareEvent extends Pick<WriteEvent, 'user' | 'row' | 'input' | 'params' | 'services'> {
  readonly action: 'create' | 'update'
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that returns nothing is the usual one
type Answer = Row | null | void
export type WriteHook = (subject: Row, event: WriteEvent) => Answer | Promise<Answer>
export type PrepareHook = (data: Row, event: PrepareEvent) => Answer | Promise<Answer>

/** Does a hook look at the row: else the row need not be read for it. */
export const hasHooks = (ctx: WithHooks, model: string, names: readonly RowHookName[]): boolean =>
  names.some((name) => hooksOf(ctx, model, name).length > 0)

/** Does anything run before the transaction of a write of the model. */
export const hasPrepareHooks = (ctx: WithHooks, model: string): boolean =>
  ctx.served.hooks.has(hookKey(model, 'preparing'))

export const prepareEvent = (
  { user, server }: WriteContext,
  about: Omit<PrepareEvent, 'user' | 'params' | 'services'>,
): PrepareEvent => Object.freeze({ user, params: server.params, services: server.services, ...about })

/** Runs the hooks before a transaction, each seeing what those before it have set; answers with what they have set. */
export async function runPrepareHooks(
  ctx: WriteContext,
  model: string,
  dataWith: (set: Row) => Row,
  event: PrepareEvent,
): Promise<Row> {
  let set: Row = {}
  for (const hook of hooksOf(ctx, model, 'preparing') as PrepareHook[])
    set = { ...set, ...(await hook(dataWith(set), event)) }
  return set
}

/** Does anything of the application run before a row of the model is created, or updated. */
export const hasHooksBefore = (ctx: WithHooks, model: string, action: FillAction): boolean =>
  hasPrepareHooks(ctx, model) || hasFillHooks(ctx, model, action)

/** May hooks still set columns of a row that is created, or updated. */
export const hasFillHooks = (ctx: WithHooks, model: string, action: FillAction): boolean =>
  fillHooksOf[action].some((name) => hooksOf(ctx, model, name).length > 0)

interface EventParts
  extends Pick<WriteEvent, 'action' | 'row'>,
    Partial<Pick<WriteEvent, 'input' | 'relation' | 'identifiers'>> {}

/** Registers work that is given a client of its own, after the commit. */
export function afterCommitOf(
  { server, store }: Pick<WriteContext, 'server' | 'store'>,
  { afterCommit }: Pick<Transaction, 'afterCommit'>,
): WriteEvent['afterCommit'] {
  const event = Object.freeze({ db: store.committed() as DatabaseClient, services: server.services })
  return (work) => afterCommit(() => work(event))
}

/** As much of a transaction as hooks use. */
export type HookTransaction = Pick<RequestTransaction, 'client' | 'asSystem' | 'rows' | 'afterCommit'>

/** Null where the write may be one statement, because none of its hooks takes the event. */
export function writeEvent(ctx: WriteContext, transaction: HookTransaction | null, parts: EventParts): WriteEvent {
  return new EventOfWrite(ctx, transaction, parts)
}

/** Is the hook given the event, by which it may ask for the database, or for work after the commit. */
export const takesEvent = (hook: AnyHook): boolean => hook.length > 1

// A class, as all that has a getter: CONTRIBUTING.md says why.
class EventOfWrite implements WriteEvent {
  readonly action: WriteEvent['action']
  readonly row: WriteEvent['row']
  readonly input: WriteEvent['input']
  readonly relation: WriteEvent['relation']
  readonly identifiers: WriteEvent['identifiers']
  readonly user: unknown
  readonly params: BasePathParams
  readonly services: Services
  readonly afterCommit: WriteEvent['afterCommit']
  readonly asSystem: WriteEvent['asSystem']
  readonly #ctx: WriteContext
  readonly #transaction: HookTransaction | null

  constructor(ctx: WriteContext, transaction: HookTransaction | null, parts: EventParts) {
    this.action = parts.action
    this.row = parts.row
    this.input = parts.input ?? {}
    this.relation = parts.relation ?? null
    this.identifiers = parts.identifiers ?? []
    this.user = ctx.user
    this.params = ctx.server.params
    this.services = ctx.server.services
    this.afterCommit = transaction ? afterCommitOf(ctx, transaction) : () => this.#within('afterCommit')
    this.asSystem = () => this.#within('asSystem').asSystem()
    this.#ctx = ctx
    this.#transaction = transaction
    Object.freeze(this)
  }

  get db(): WriteEvent['db'] {
    return this.#within('db').client
  }

  get find(): WriteEvent['find'] {
    return this.#visible().find
  }

  get list(): WriteEvent['list'] {
    return this.#visible().list
  }

  get count(): WriteEvent['count'] {
    return this.#visible().count
  }

  // Made for who asks: most hooks do not.
  #visible(): VisibleRows {
    return visibleRows(this.#ctx, () => this.#within('find').rows)
  }

  #within(member: string): HookTransaction {
    if (this.#transaction) return this.#transaction
    throw new Error(
      `event.${member}: this write has no transaction, because none of its hooks has a second parameter. Give the hook one without a default: phase.${this.action === 'create' ? 'creating' : 'updating'}('…', (data, event) => …).`,
    )
  }
}

/** Runs the hooks that fill columns, one after the other, each seeing what those before it have set. */
export async function fill(
  ctx: WriteContext,
  model: string,
  names: readonly FillHookName[],
  start: { data: Row; event: WriteEvent },
): Promise<Row> {
  let { data } = start
  for (const hook of names.flatMap((name) => hooksOf(ctx, model, name)) as WriteHook[])
    data = { ...data, ...(await hook(data, start.event)) }
  return data
}

/** Runs the hooks that look at a row; one that throws undoes the write. */
export async function runHooks(
  ctx: WriteContext,
  model: string,
  names: readonly RowHookName[],
  about: { row: Row; event: WriteEvent },
): Promise<void> {
  for (const hook of names.flatMap((name) => hooksOf(ctx, model, name)) as WriteHook[])
    await hook(about.row, about.event)
}
