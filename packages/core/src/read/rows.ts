import { all, equals, everything, isEverything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Scopes } from '@prismapi/jsonapi/condition/scopes'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type OnBroken, translated } from '../database/prisma/database-errors.ts'
import { type Answer, type Plan, type PlanKind, type Reader, type Shared, share, sharedOf } from '../database/reader.ts'
import type { Store, Transaction } from '../database/store.ts'

/**
 * The purpose of a read, which decides who sees the rows.
 *
 * - `listed`: the collection of the type, which may list only what the caller may `view`.
 * - `related`: rows beside others: includes, linkage, totals, targets of links, and rows that hooks and rules look
 *   for.
 * - `named`: the row of an id. If the caller may not view it, a policy decides. Softly deleted rows are included for
 *   callers who may see them.
 * - `…WithDeleted`: the same for a query that asks for softly deleted rows, for callers who may see them.
 */
export type Visibility = 'listed' | 'listedWithDeleted' | 'related' | 'relatedWithDeleted' | 'named'

/** What the collection of a model lists; null for all that is seen of it. */
export type Listable = (model: string) => Condition | null

/**
 * The wall between a request and the database: every row that operations, validation and writes read passes it. A read
 * names its purpose, and the wall leaves out the rows that the caller does not see. `unscoped` is the one way around
 * it; a test lists who takes that way.
 */
export class Rows {
  readonly #reader: Reader
  readonly #sight: Sight
  readonly #listable: Listable

  constructor(reader: Reader, sight: Sight, listable: Listable) {
    this.#reader = reader
    this.#sight = sight
    this.#listable = listable
  }

  /** The condition on rows of the model that the caller sees: for what names rows without reading them. */
  visible(visibility: Visibility, model: string): Condition {
    const { scopes, scopesWithDeleted, scopesById } = this.#sight
    switch (visibility) {
      case 'listed':
        return both(scopes.get(model), this.#listable(model))
      case 'listedWithDeleted':
        return both(scopesWithDeleted.get(model), this.#listable(model))
      case 'related':
        return scopes.get(model) ?? everything
      case 'relatedWithDeleted':
        return scopesWithDeleted.get(model) ?? everything
      case 'named':
        return scopesById.get(model) ?? everything
      default:
        return visibility satisfies never
    }
  }

  /** The condition, restricted to the rows that the caller sees. The restriction stands first. */
  where(visibility: Visibility, model: string, condition: Condition): Condition {
    const visible = this.visible(visibility, model)
    return condition.kind === 'all' ? all(visible, ...condition.conditions) : all(visible, condition)
  }

  /** Whether there may be rows of the model that the caller does not see. */
  hides(visibility: Visibility, model: string): boolean {
    return !isEverything(this.visible(visibility, model))
  }

  /** Reads those of the plan's rows that the caller sees. Counted behind a join table, these are the rows behind it. */
  read<Kind extends PlanKind>(visibility: Visibility, plan: Plan<Kind>): Awaitable<Answer<Kind>> {
    return this.#reader.read(this.#narrowed(visibility, plan as Plan) as Plan<Kind>)
  }

  /** A reader of such rows, for what reads in parts. */
  reading(visibility: Visibility): Reader {
    return { read: (plan) => this.read(visibility, plan) }
  }

  /** Reads every row there is, those that the caller does not see among them. */
  get unscoped(): Reader {
    return this.#reader
  }

  /** The same wall around another reader: in a transaction, or beside the event loop. */
  over(reader: Reader): Rows {
    return new Rows(reader, this.#sight, this.#listable)
  }

  #narrowed(visibility: Visibility, plan: Plan): Plan {
    const { kind, model } = plan
    if (kind === 'countThrough') return { ...plan, counted: this.where(visibility, plan.relation.model, plan.counted) }
    if (!this.hides(visibility, model)) return plan
    const shared = sharedOf(plan)
    if (!shared) return this.#narrowedAnew(visibility, plan)
    // The same for all callers who see the same.
    const forms = narrowedForms(shared.form)
    const visible = this.visible(visibility, model)
    const known = forms.get(visible)
    if (known && shared.form === plan) return known as Plan
    const narrowed = this.#narrowedAnew(visibility, plan)
    const form = known ?? narrowed
    if (!known && forms.size === (shared.form === plan ? mostCallers : mostSights)) forms.clear()
    if (!known) forms.set(visible, form)
    return share(narrowed, { form, parameters: shared.parameters })
  }

  #narrowedAnew(visibility: Visibility, plan: Exclude<Plan, Plan<'countThrough'>>): Plan {
    if (plan.kind === 'lookUp') return { ...plan, rest: this.where(visibility, plan.model, plan.rest) }
    return { ...plan, where: this.where(visibility, plan.model, plan.where) }
  }
}

/** Of one plan that is shared whole, those of so many callers are kept, who see different rows. */
const mostCallers = 4
/** The same of one form, of which a type has few. */
const mostSights = 100

const narrowedForms = memo((_: Shared['form']) => new Map<Condition, object>())

/** Both of the conditions: the same one each time. */
const both = (scope: Condition | undefined, listed: Condition | null): Condition =>
  scope && listed ? bothOf(scope)(listed) : all(scope, listed)

const bothOf = memo((scope: Condition) => memo((listed: Condition) => all(scope, listed)))

/** What one caller sees of each model. */
export interface Sight {
  /** The scopes and soft deletion; on a server that asks `view` everywhere, also what the caller may view. */
  readonly scopes: Scopes
  /** The same, with the softly deleted rows of models whose deleted rows the caller may see. */
  readonly scopesWithDeleted: Scopes
  /** The same again, whether the caller may view them or not. */
  readonly scopesById: Scopes
  /** The models whose scopes were asked so far, those of which there are none among them. */
  readonly asked: ReadonlySet<string>
}

interface SightParts {
  /** What the serving phase registered for each model. */
  readonly scopes: ReadonlyMap<string, readonly Condition[]>
  /** The types whose rows are deleted softly. */
  readonly softDeleted: readonly ResourceSchema[]
  /** The models whose softly deleted rows the caller may see. */
  readonly trash: ReadonlySet<string>
  /** The rows that the caller may view, where the server asks for that everywhere. */
  readonly viewable: Scopes
}

/** What the scopes, soft deletion and `view` leave to one caller, as one condition for each model. */
export function sightOf({ scopes, softDeleted, trash, viewable }: SightParts): Sight {
  const viewed = withViewable(scopes, viewable)
  const untold = softDeleted.filter(({ model }) => !trash.has(model.name))
  const asked = new Set<string>()
  const joined = (of: Conditions): Scopes => new NotedScopes(of, asked)
  const scopesById = joined(withoutDeleted(scopes, untold))
  const scopesWithDeleted = viewed === scopes ? scopesById : joined(withoutDeleted(viewed, untold))
  return {
    scopes: trash.size === 0 ? scopesWithDeleted : joined(withoutDeleted(viewed, softDeleted)),
    scopesWithDeleted,
    scopesById,
    asked,
  }
}

/** One condition for each model, which notes down of which models it was asked. */
class NotedScopes extends Map<string, Condition> {
  readonly #asked: Set<string>

  constructor(scopes: Conditions, asked: Set<string>) {
    super()
    for (const [model, conditions] of scopes) {
      const [first, second, ...more] = conditions
      this.set(model, first && second && more.length === 0 ? both(first, second) : all(...conditions))
    }
    this.#asked = asked
  }

  override get(model: string): Condition | undefined {
    this.#asked.add(model)
    return super.get(model)
  }

  override has(model: string): boolean {
    this.#asked.add(model)
    return super.has(model)
  }
}

type Conditions = ReadonlyMap<string, readonly Condition[]>

function withViewable(scopes: Conditions, viewable: Scopes): Conditions {
  if (viewable.size === 0) return scopes
  const narrowed = new Map(scopes)
  for (const [model, where] of viewable) narrowed.set(model, [...(scopes.get(model) ?? []), where])
  return narrowed
}

function withoutDeleted(scopes: Conditions, schemas: readonly ResourceSchema[]): Conditions {
  if (schemas.length === 0) return scopes
  const narrowed = new Map(scopes)
  for (const schema of schemas) {
    const { name } = schema.model
    if (schema.deletedAt) narrowed.set(name, [undeleted(schema), ...(scopes.get(name) ?? [])])
  }
  return narrowed
}

const undeleted = memo(({ model, deletedAt }: ResourceSchema) => equals(model, deletedAt as string, null))

/** A transaction of a request: its rows come through the wall, too. */
export interface RequestTransaction extends Transaction {
  readonly rows: Rows
}

/** The database behind the wall: what a request has beside `rows`. */
export interface RequestStore extends Omit<Store, 'reader' | 'threads' | 'write'> {
  /** Threads for long reads, so that the process answers others meanwhile; null where reads do not block it. */
  readonly threads: RowThreads | null
  /** As the store does it, in a transaction whose rows come through the wall. */
  write<T>(work: (transaction: RequestTransaction) => Promise<T>, onBroken?: OnBroken): Promise<T>
}

export interface RowThreads {
  /** What a read may cost that is done in the event loop. */
  readonly inlineCost: number
  /** As `ReaderThreads` does it, through the wall. */
  read<T>(work: (rows: Rows) => Promise<T>, isWorthTrying?: boolean): Promise<T>
}

/** A store as a request has it, whose rows come through the same wall. */
export function requestStore(store: Store, rows: Rows): RequestStore {
  const { tableSizes, lock, isWithin, single, threads, outside } = store
  return {
    tableSizes,
    lock,
    isWithin,
    single,
    ...(outside && { outside }),
    committed: (begin) => store.committed(begin),
    threads: threads && {
      inlineCost: threads.inlineCost,
      read: (work, isWorthTrying) => threads.read((reader) => work(rows.over(reader)), isWorthTrying),
    },
    write: (work, onBroken) =>
      store.write(({ reader, ...transaction }) => work({ ...transaction, rows: rows.over(reader) }), onBroken),
  }
}

/** The store of a request inside of a larger transaction: its writes are kept or undone with the whole transaction. */
export const storeWithin = (
  transaction: RequestTransaction,
  { committed, tableSizes }: Pick<RequestStore, 'committed' | 'tableSizes'>,
): RequestStore => ({
  committed,
  write: (work, onBroken) => translated(() => work(transaction), onBroken),
  lock: { tryRun: (_key, work) => work(), enqueue: (_key, work) => work() },
  threads: null,
  // The answer would come by a second connection, which may have to wait for this one.
  tableSizes: tableSizes.known ?? tableSizes,
  isWithin: true,
  single: null,
})
