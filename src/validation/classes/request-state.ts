import type { Linkage } from '../../document/types.ts'
import type { Row } from '../../model/where.ts'
import type { RequestContext } from '../../request/context.ts'
import { isModifyingRelationship, type Operation } from '../../request/operation.ts'
import type { RelatedRows } from '../../store/filling/related-rows.ts'
import type { Places } from '../failures/places.ts'

/** Values by field, as documents write them; relationships hold their linkage. */
export type Values = Readonly<Record<string, unknown>>

/** What passed: only what has a rule and was sent. */
export interface Validated {
  readonly id: string | null
  /** Columns' values by attribute name. */
  readonly attributes: ReadonlyMap<string, unknown>
  readonly relationships: ReadonlyMap<string, Linkage>
}

/**
 * What one instance of a request or query class knows of its request. There is an instance for each request, and one
 * without a request (`ctx` null) from which the rules that all requests can share are made.
 *
 * @internal
 */
export interface RequestState {
  readonly operation: Operation
  readonly ctx: RequestContext | null
  /** A template that was asked for its request: what it made depends on the request, and cannot be shared. */
  isTouched: boolean
  row: Row | null
  related: RelatedRows | null
  data: Values | null
  /** The fields that have a rule. */
  fields: ReadonlySet<string>
  places: Places | null
  /** Set when all rules passed. */
  validated: Values | null
}

/** The key under which an instance keeps its state, out of the application's sight. */
export const stateKey: unique symbol = Symbol('prismapi.request')

export const newState = (operation: Operation, ctx: RequestContext | null): RequestState => ({
  operation,
  ctx,
  isTouched: false,
  row: null,
  related: null,
  data: null,
  fields: new Set(),
  places: null,
  validated: null,
})

/** What a template throws when it is asked for its request. */
class NoRequest extends Error {
  constructor() {
    super('There is no request here: what a rule reads of the request it must read inside rules(), not keep for later.')
    this.name = 'NoRequest'
  }
}

/** The request's context; on a template this is the proof that its rules depend on the request. */
export function contextOf(state: RequestState): RequestContext {
  touch(state)
  return state.ctx as RequestContext
}

/** The row; null where there need not be one. Who changes a relationship has one, but before anybody does there is none. */
export function rowOf(state: RequestState): Row | null {
  touch(state)
  if (state.row === null && isModifyingRelationship(state.operation)) throw new NoRequest()
  return state.row
}

export function touch(state: RequestState): void {
  if (state.ctx) return
  state.isTouched = true
  throw new NoRequest()
}
