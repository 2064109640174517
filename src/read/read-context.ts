import type { Condition } from '../condition/condition.ts'
import type { Scopes } from '../condition/scopes.ts'
import type { Store } from '../database/store.ts'
import type { Services } from '../model/register.ts'
import type { CursorSeal } from '../pagination/cursor-seal.ts'
import type { QueryContext, QueryServed, QueryServer } from '../query/query-context.ts'
import type { Preparation } from '../request/preparation.ts'
import type { Hooks } from './hooks.ts'

/** What rows are read with: through the scopes and read hooks of one request. */
export interface ReadContext extends QueryContext {
  readonly server: ReadServer
  readonly served: ReadServed
  readonly store: Pick<Store, 'reader'>
  /** The rows of a model that its policy's rules allow the caller an action on. */
  readonly allowedRows: (model: string, action: string) => Condition
  /** What is known of this request's write before it begins. */
  readonly preparation: Preparation
}

export interface ReadServer extends QueryServer {
  readonly name: string
  /** What the application handed in for its own code. */
  readonly services: Services
  /** What makes the cursors of pages, and reads them again. */
  readonly cursorSeal: CursorSeal
}

export interface ReadServed extends QueryServed {
  /** The scopes for a query that asks for softly deleted rows: they are there for users who may see them. */
  readonly scopesWithDeleted: Scopes
  /** The scopes for what is named by its id, where softly deleted rows stay visible to users who may see them. */
  readonly scopesById: Scopes
  readonly hooks: Hooks
}
