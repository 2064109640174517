import { type InferType, type ISchema, isSchema, type SchemaDescription } from 'yup'
import type { SearchMeta } from '../model/meta.ts'
import type { BasePathParams, User } from '../model/register.ts'
import type { Where } from '../model/where.ts'
import { checkDeprecation, type Deprecation } from './deprecation.ts'
import { isPlainName } from './naming.ts'

/** @internal */
export interface FilterValues {
  string: string
  /** 32 bits. */
  integer: number
  bigint: bigint
  float: number
  decimal: string
  boolean: boolean
  datetime: Date
}

/**
 * What the text of a query becomes before a declared filter sees it: `string`; `integer`, a number of
 * 32 bits; `bigint`; `float`, a number; `decimal`, a string of digits; `boolean`; `datetime`, a Date.
 */
export type FilterKind = keyof FilterValues

const kinds: readonly string[] = [
  'string',
  'integer',
  'bigint',
  'float',
  'decimal',
  'boolean',
  'datetime',
] satisfies FilterKind[]

/** What a declared filter may know of the request. */
export interface FilterRequest extends HookRequest {
  /** The signed-in user; null for a guest. */
  readonly user: User | null
}

/** What `this.filter(…)` of a schema class is told. */
export interface FilterOptions<
  W,
  K extends FilterKind,
  V extends string,
  L extends boolean,
  R extends ISchema<unknown> = never,
> {
  /** By default a string. A value that does not fit is 400. */
  readonly kind?: K
  /** The only strings that are values. */
  readonly values?: readonly V[]
  /**
   * In the place of `kind` and `values`: a rule of the value, of each one of a list, that answers at once.
   * `where` gets what the rule lets pass: of `date()` the text, of `integer()` a number. What it refuses is 400.
   */
  readonly rule?: R
  /** True: the values of a comma list. */
  readonly list?: L
  /** What it finds, for people: the OpenAPI document says it. */
  readonly description?: string
  /** It will be gone: answers to requests that filter by it say so. */
  readonly deprecated?: Deprecation
  /** The condition on the model's rows, in Prisma's words; null for none. Rows that a scope hides never meet it. */
  where(value: L extends true ? ValueOf<K, V, R>[] : ValueOf<K, V, R>, request: FilterRequest): W | null
}

/** @internal */
type ValueOf<K extends FilterKind, V extends string, R extends ISchema<unknown>> = [R] extends [never]
  ? K extends 'string'
    ? V
    : FilterValues[K]
  : NonNullable<InferType<R>>

/**
 * A filter that stands for no field; `this.filter(…)` of a schema class makes it.
 *
 * @see https://jsonapi.org/format/#fetching-filtering
 */
export interface DeclaredFilter {
  /** In URLs: `filter[<name>]`. */
  readonly name: string
  /** What the text becomes. */
  readonly kind: FilterKind
  /** The only strings that are values; null for any. */
  readonly values: readonly string[] | null
  /** What the application demands of a value; null where the kind says all. */
  readonly rule: ISchema<unknown> | null
  /** Takes a comma list. */
  readonly isList: boolean
  /** What it finds, for people; null where the schema class does not say it. */
  readonly description: string | null
  /** Null where the schema class does not announce its end. */
  readonly deprecation: Deprecation | null
  /** Searches texts by their words, in the place of `where`. */
  readonly search?: SearchMeta
  /** The condition on the model's rows; null for none. */
  where(value: unknown, request: HookRequest): Where | null
}

/** How a schema's own names are taken: a filter or a sort needs one that is free. */
export interface TakenNames {
  readonly model: string
  has(name: string): boolean
}

/** @throws {Error} for two filters of one name, and for a name that a field or the language has. */
export function compileFilters(
  declared: readonly DeclaredFilter[],
  taken: TakenNames,
): ReadonlyMap<string, DeclaredFilter> {
  const filters = new Map<string, DeclaredFilter>()
  for (const filter of declared) {
    checkName(`filter('${filter.name}') of ${taken.model}`, filter.name, (name) => taken.has(name) || filters.has(name))
    if (!kinds.includes(filter.kind))
      throw new Error(
        `filter('${filter.name}') of ${taken.model}: there is no kind ${filter.kind}. It is one of ${kinds.join(', ')}.`,
      )
    if (filter.values && filter.kind !== 'string')
      throw new Error(`filter('${filter.name}') of ${taken.model}: values are strings. Remove its kind.`)
    checkRule(`filter('${filter.name}') of ${taken.model}`, filter)
    checkDeprecation(`filter('${filter.name}') of ${taken.model}: deprecated`, filter.deprecation ?? undefined)
    filters.set(filter.name, Object.freeze(filter))
  }
  return filters
}

function checkRule(what: string, { rule, kind, values }: DeclaredFilter): void {
  if (rule === null) return
  if (!isSchema(rule)) throw new Error(`${what}: its rule is no yup schema. Make it with date(), integer() and so on.`)
  if (kind !== 'string' || values)
    throw new Error(`${what}: its rule says what a value is. Remove its kind and values.`)
  // Silently it would hold for everything.
  const { tests } = rule.describe() as SchemaDescription
  if (tests?.some(({ name }) => name === 'unique'))
    throw new Error(`${what}: unique() asks about a field that is written, and a filter writes none. Remove it.`)
}

/** @throws {Error} beginning with `what`. */
export function checkName(what: string, name: string, isTaken: (name: string) => boolean): void {
  if (!isPlainName(name))
    throw new Error(`${what}: its name is a part of URLs. Use letters, digits, - and _ between them.`)
  if (isTaken(name)) throw new Error(`${what}: that name means something else already. Give it another one.`)
}

/** What a hook may know of the request. */
export interface HookRequest {
  /** What `authenticate` returned; null for a guest. */
  readonly user: unknown
  /** The HTTP method. */
  readonly method: string
  /** The URL as it was asked for, with the server's public origin. */
  readonly url: URL
  /** The values of the parameters of the server's base path: of `/api/:organization/v1` the `organization`. */
  readonly params: BasePathParams
}
