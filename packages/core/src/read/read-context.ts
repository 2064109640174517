import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Services } from '@prismapi/jsonapi/model/register'
import type { CursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import type { QueryContext, QueryServed, QueryServer } from '@prismapi/jsonapi/query/query-context'
import type { Preparation, Spent } from '@prismapi/jsonapi/request/write-state'
import type { Hooks } from './hooks.ts'
import type { Rows } from './rows.ts'

/** What rows are read with: through the wall and the read hooks of one request. */
export interface ReadContext extends QueryContext {
  readonly server: ReadServer
  readonly served: ReadServed
  /** The rows that the caller sees: nothing else of a request reads any. */
  readonly rows: Rows
  /** The rows of a model that its policy's rules allow the caller an action on. */
  readonly allowedRows: (model: string, action: string) => Condition
  /** True: resources always show linkage for foreign keys in their own row, even if the client does not ask. */
  readonly namesTargets: boolean
  /** What is known of this request's write before it begins. */
  readonly preparation: Preparation
  /** What this attempt of a write has cost so far. */
  readonly spent: Spent
}

export interface ReadServer extends QueryServer {
  readonly name: string
  /** What the application handed in for its own code. */
  readonly services: Services
  /** What makes the cursors of pages, and reads them again. */
  readonly cursorSeal: CursorSeal
}

export interface ReadServed extends QueryServed {
  readonly hooks: Hooks
}
