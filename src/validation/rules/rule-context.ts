import type { TestContext } from 'yup'
import { isCreating, isDeleting, isUpdating, type Operation } from '../../request/operation.ts'
import type { ResourceSchema, SchemaRegistry } from '../../schema/resource-schema.ts'

/** What rules may know beyond the value: yup's context. `when('$isCreating', …)` and `when('$user', …)` read it, too. */
export interface RuleContext {
  readonly schema: ResourceSchema
  readonly registry: SchemaRegistry
  readonly user: unknown
  readonly isCreating: boolean
  readonly isUpdating: boolean
  readonly isDeleting: boolean
  /** The fields that the client sent; what else the data holds are current values. */
  readonly sent: ReadonlySet<string>
  /** Uniqueness that a rule wants to be asked of the database, after all other rules passed. */
  readonly uniques: UniqueCheck[]
}

export interface UniqueCheck {
  readonly field: string
  /** Fields that are unique only together with it. */
  readonly together: readonly string[]
}

/** What the context of rules is made from. */
export interface RuleContextSource {
  readonly server: { readonly schemas: SchemaRegistry }
  /** Null for a guest. */
  readonly user: unknown
}

export const newContext = (ctx: RuleContextSource, operation: Operation, sent: ReadonlySet<string>): RuleContext => ({
  schema: operation.schema,
  registry: ctx.server.schemas,
  user: ctx.user,
  isCreating: isCreating(operation),
  isUpdating: isUpdating(operation),
  isDeleting: isDeleting(operation),
  sent,
  uniques: [],
})

/** The framework's context of a running test; null where the application runs the rule on its own. */
export const ruleContext = (test: TestContext): RuleContext | null => {
  const context = test.options.context as RuleContext | undefined
  return context?.schema ? context : null
}
