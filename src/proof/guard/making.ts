import type { Resources } from '../../model/meta.ts'
import type { Everybody } from './callers.ts'
import type { RowConditions } from './row-condition.ts'
import type { RowRules } from './row-rules.ts'

/** What policies are made of. */
export interface Making {
  readonly conditions: RowConditions
  readonly everybody: Everybody
  readonly rules: readonly RowRules[]
  readonly resources: Resources
}

/** The role of what the application does by itself, and of migrations: it sees and changes everything. */
export const trustedRole = 'prismapi_trusted'
