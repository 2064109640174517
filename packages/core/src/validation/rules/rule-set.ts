import type { Linkage } from '@prismapi/jsonapi/document/types'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import type { ColumnOf, ModelName, RelationOf } from '@prismapi/jsonapi/model/register'
import { isCreating, isDeleting, isUpdating, type Operation } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { type ISchema, isSchema, object, type Schema, type TestContext, type ValidationError } from 'yup'
import { type Failure, toFailures } from '../failures/failure.ts'
import { matches, writePath } from '../failures/places.ts'
import type { Values } from '../request/request-base.ts'

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

// In: rules and data. Out: every failure, in the order of the rules. A rule that throws is the application's fault, and
// thrown on.

/** Runs rules of which some may have to wait. */
export async function runRules(rules: FieldRules, data: Values, context: object): Promise<readonly Failure[]> {
  const failures = await new Promise<Failure[]>((resolve, reject) => {
    runFields(rules, { data, options: optionsOf(context, false) }, reject, resolve)
  })
  for (const { rule, value, options } of runsBelow(rules, data, context)) {
    await rule.validate(value, options).catch((error: unknown) => void failures.push(...toFailures(error)))
  }
  return withoutNoise(failures)
}

/** Runs rules that answer at once; one that does not is an Error. */
export function runRulesSync(rules: FieldRules, data: Values, context: object): readonly Failure[] {
  const failures: Failure[] = []
  const fail = (error: unknown): never => {
    throw error
  }
  runFields(rules, { data, options: optionsOf(context, true) }, fail, (found) => failures.push(...found))
  for (const { rule, value, options } of runsBelow(rules, data, context)) {
    try {
      rule.validateSync(value, options)
    } catch (error) {
      failures.push(...toFailures(error))
    }
  }
  return withoutNoise(failures)
}

type Options = Parameters<ISchema<unknown>['asNestedTest']>[0]['options']

interface FieldRun {
  readonly data: Values
  readonly options: Options
}

/**
 * Runs each field's rule as yup runs the fields of an object. An object schema of them all would be made anew whenever
 * `rules()` chooses others; a rule on its own is used as the application made it.
 */
function runFields(
  { fields }: FieldRules,
  { data, options }: FieldRun,
  onError: (error: unknown) => void,
  onEnd: (failures: Failure[]) => void,
): void {
  const found: (readonly Failure[])[] = []
  let waiting = fields.size
  if (waiting === 0) onEnd([])
  const nested = { from: [{ schema: document, value: data }], ...options }
  let index = 0
  for (const [key, rule] of fields) {
    const at = index++
    const run = rule.asNestedTest({ key, parent: data, originalParent: data, parentPath: '', options: nested })
    run(nothing, onError, (errors) => {
      const all = errorsOf(errors)
      if (all.length > 0) found[at] = all.flatMap(toFailures)
      if (--waiting === 0) onEnd(found.flat())
    })
  }
}

/** What tests find in `from`: the data, as the value of an object. */
const document = object()

// yup's tests of a field take all that they need from its rule and the options.
const nothing = {} as Parameters<ReturnType<ISchema<unknown>['asNestedTest']>>[0]

const errorsOf = (errors: ValidationError | ValidationError[] | null): readonly ValidationError[] =>
  errors === null ? [] : Array.isArray(errors) ? errors : [errors]

interface RunBelow {
  readonly rule: FieldRules['below'][number]['rule']
  readonly value: unknown
  readonly options: object
}

function* runsBelow({ below }: FieldRules, data: Values, context: object): Generator<RunBelow> {
  for (const { names, rule } of below) {
    for (const { path, value, parent } of matches(data, names)) {
      yield { rule, value, options: { ...optionsOf(context, false), path: writePath(path), parent } }
    }
  }
}

// yup writes into the options that it is given, so each run has its own.
const optionsOf = (context: object, sync: boolean): Options => ({
  strict: true,
  abortEarly: false,
  disableStackTrace: true,
  context,
  sync,
})

// What is missing has one fault, not one for each rule that it does not meet either.
function withoutNoise(failures: readonly Failure[]): readonly Failure[] {
  if (failures.length < 2) return failures
  const missing = new Set(failures.filter(({ rule }) => rule === 'required').map(({ path }) => path.join('.')))
  const seen = new Set<string>()
  return failures.filter(({ path, rule }) => {
    const at = path.join('.')
    if (missing.has(at) && rule !== 'required') return false
    const isNew = !seen.has(`${at} ${rule}`)
    if (rule !== null) seen.add(`${at} ${rule}`)
    return isNew
  })
}
