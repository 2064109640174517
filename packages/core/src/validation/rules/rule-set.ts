import type { Linkage } from '@prismapi/jsonapi/document/types'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import type { ColumnOf, ModelName, RelationOf } from '@prismapi/jsonapi/model/register'
import { isCreating, isDeleting, isUpdating, type Operation } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { type ISchema, isSchema, type Schema, type TestContext } from 'yup'

/**
 * Rules by field, or by a path below one (`tags.*`, `meta.comments`).
 *
 * @internal
 */
export type RuleSet = Readonly<Record<string, ISchema<unknown> | undefined>>

/** @internal */
type FieldOf<M extends ModelName, Extra extends string> = ColumnOf<M> | RelationOf<M> | Extra | 'id'

/** The rules of a model: a name that is none of its fields is a compile error. */
export type Rules<M extends ModelName, Extra extends string = never> = {
  readonly [Field in FieldOf<M, Extra> | `${FieldOf<M, Extra>}.${string}`]?: ISchema<unknown> | undefined
}

/**
 * The data that rules get, by field: attributes as clients wrote them, relationships as their linkage. A name that is
 * none of the model's fields is a compile error (docs/specification.md#validation-data).
 */
export type ValidationData<M extends ModelName, Extra extends string = never> = {
  readonly [Field in FieldOf<M, Extra>]?: ValueOf<M, Field>
} & { readonly type: string }

/** @internal */
type ValueOf<M extends ModelName, Field extends string> = string extends Field
  ? unknown
  : Field extends 'id'
    ? string | null
    : Field extends RelationOf<M>
      ? Linkage
      : unknown

/**
 * The same rules, each by the name of a field. Another name is a compile error: in a literal, at that name, with the
 * most similar field; for a constant, as a missing property that names the fields with the same initial.
 *
 * @internal
 */
export type KnownRules<R, M extends ModelName, Extra extends string> = Named<R, Rules<M, Extra>, `field of ${M}`>

/**
 * Rules by names of `Known`, or what is wrong with them. `Kind` says what the names are.
 *
 * @internal
 */
export type Named<R, Known, Kind extends string> = [Misnamed<R, Known>] extends [never]
  ? R
  : Known & { readonly [Name in Misnamed<R, Known> as `'${Name}' is no ${Kind}`]: Like<Name, keyof Known> }

/** @internal */
type Misnamed<R, Known> = Exclude<keyof R, keyof Known> & string

/** @internal */
type Like<Name extends string, Known> = Name extends `${infer Initial}${string}`
  ? Exclude<Extract<Known, `${Initial}${string}`>, `${string}.${string}`>
  : never

/** Rules, read: each is the object that the application returned, so nothing of them has to be kept. */
export interface FieldRules {
  /** The fields that have a rule of their own, in the order of the rules. */
  readonly fields: ReadonlyMap<string, ISchema<unknown>>
  /** Rules of paths below a field. */
  readonly below: readonly { readonly names: readonly string[]; readonly rule: Schema }[]
}

/** Rules that can never be run, whatever is sent. */
export class InvalidRules extends Error {}

/**
 * @param owner whose rules they are, for messages
 * @param known the names that a rule's key may begin with
 * @throws {InvalidRules} for a rule of a field that does not exist, and for a rule that is none.
 */
export function readRules(rules: RuleSet, owner: string, known: ReadonlySet<string>): FieldRules {
  const fields = new Map<string, ISchema<unknown>>()
  const below: FieldRules['below'][number][] = []
  for (const [key, rule] of Object.entries(rules)) {
    if (rule === undefined) continue
    const isField = !key.includes('.')
    const names = isField ? [key] : key.split('.')
    if (!known.has(names[0] as string)) throw unknownField(owner, key, known)
    if (!isSchema(rule)) throw noRule(owner, key)
    if (isField) fields.set(key, rule)
    else below.push({ names, rule: rule as Schema })
  }
  return { fields, below }
}

const noRule = (owner: string, key: string): InvalidRules =>
  new InvalidRules(`${owner}: the rule of ${key} is no yup schema. Make it with string(), toOne() and so on.`)

function unknownField(owner: string, key: string, known: ReadonlySet<string>): InvalidRules {
  const [name = ''] = key.split('.')
  const meant = nearest(name, known)
  const cure = meant
    ? `Did you mean ${meant}?`
    : `Remove it, or declare the field. These exist: ${[...known].join(', ')}.`
  return new InvalidRules(`${owner}: there is no field for the rule ${key}. ${cure}`)
}

/** What rules may know besides the value: yup's context, which `when('$isCreating', …)` and `when('$user', …)` read. */
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
