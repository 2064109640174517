import type { Linkage } from '../../document/types.ts'
import type { Awaitable } from '../../model/awaitable.ts'
import { NotKnown } from '../../model/not-known.ts'
import type { Services } from '../../model/register.ts'
import type { VisibleRows } from '../../model/visible-rows.ts'
import type { Row, Where } from '../../model/where.ts'
import type { RelatedRows } from '../../read/related-rows.ts'
import type { Operation } from '../../request/operation.ts'
import type { Relation } from '../../schema/relation-kinds.ts'

/** Values by field, as documents write them; relationships hold their linkage. */
export type Values = Readonly<Record<string, unknown>>

/** Rows for request classes. */
export interface RequestRows extends VisibleRows {
  /** How many rows there are, hidden ones too. */
  countAll(model: string, where: Where): Promise<number>
}

/** Who asks. */
export interface Caller {
  /** Null for a guest. */
  readonly user: unknown
  /** Rows as the caller may see them, and the number of all; null where rules are described, which asks no database. */
  readonly rows: RequestRows | null
}

/**
 * What an instance of a request or query class is made with. Frozen.
 *
 * @internal
 */
export interface RequestFacts {
  readonly operation: Operation
  /** Null where rules are described for every caller: there is no request then. */
  readonly caller: Caller | null
  /** The row that the URL names; null where it names none, and where it is not looked for yet. */
  readonly row: Row | null
  readonly services: Services
  readonly progress: Progress
}

/** What an instance knows that no document is validated for. */
export const factsOf = (operation: Operation, { caller, row = null, services }: Known): RequestFacts =>
  Object.freeze({ operation, caller, row, services, progress: new Progress() })

interface Known extends Pick<RequestFacts, 'caller' | 'services'> {
  readonly row?: Row | null
}

/** What is known when all rules passed. */
export interface Passed {
  readonly values: Values
  readonly related: RelatedRows
  /** The linkage that a relation has after the write: what was sent, or the current one. */
  readonly linkageOf: (relation: Relation, sent: Linkage | undefined) => Awaitable<Linkage>
}

/**
 * What becomes known of a request while it is validated. The run of the rules hands it over, in this order and once; the
 * instance reads it for the application.
 */
export class Progress {
  #data: Values | null = null
  #passed: Passed | null = null

  /** Validation begins with this data. */
  begin(data: Values): void {
    if (this.#data) throw new Error('A request is validated once: make another instance of its class.')
    this.#data = data
  }

  /** All rules passed: what was sent and has a rule, and the rows that relationships name. */
  pass(passed: Passed): void {
    this.#passed = passed
  }

  /** @throws {Error} before validation has begun. */
  dataFor(call: string): Values {
    return known(this.#data, call, 'validation has begun')
  }

  /** @throws {Error} before all rules passed. */
  passedFor(call: string): Passed {
    return known(this.#passed, call, 'validation has succeeded')
  }
}

function known<T>(value: T | null, call: string, moment: string): T {
  if (value === null) throw new NotKnown(`${call} has no answer yet: it is known only after ${moment}.`)
  return value
}

/** @throws {NotKnown} where rules are described for every caller. */
export function callerOf({ caller }: RequestFacts, call: string): Caller {
  if (caller) return caller
  throw new NotKnown(`${call} has no answer here: rules are described for every caller, without a request.`)
}
