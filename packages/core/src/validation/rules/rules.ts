import type { LocalIdentifier } from '@prismapi/jsonapi/document/parse-document'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { ModelName, RowOf } from '@prismapi/jsonapi/model/register'
import type { DecimalSize } from '@prismapi/jsonapi/schema/attributes'
import { isDate, isDateTime, isTime } from '@prismapi/jsonapi/schema/calendar'
import { type Relation, targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import { type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import {
  type AnyObject,
  ArraySchema,
  type BooleanSchema,
  type ISchema,
  type MixedSchema,
  mixed,
  type NumberSchema,
  type Schema,
  type StringSchema,
  type TestContext,
  ValidationError,
  boolean as yupBoolean,
  number as yupNumber,
  object as yupObject,
  string as yupString,
} from 'yup'
import { type RuleContext, ruleContext } from './rule-set.ts'
import { DecimalSchema, isBase64, isBigInt, isDecimal, isUuid, TextSchema } from './value-schemas.ts'

// Rules are strict: what is not of the right JSON type is refused, never converted.
// `meta.rule` is the name by which a rule is reported when the value is not of its type at all.

/**
 * JSON `true` or `false`.
 *
 * @example
 * const featured = boolean().required()
 */
export const boolean = (): BooleanSchema => yupBoolean().strict().meta({ rule: 'boolean' })

/**
 * A JSON number; never a numeric string, never a number that JSON could not write.
 *
 * @example
 * const latitude = number().min(-90).max(90)
 */
export const number = (): NumberSchema => numeric('number', Number.isFinite)

/**
 * A JSON integer that a double holds exactly (±2^53−1).
 *
 * @example
 * const durationSeconds = integer().min(0).nullable()
 */
export const integer = (): NumberSchema => numeric('integer', Number.isSafeInteger)

const numeric = (name: string, test: (value: unknown) => boolean): NumberSchema =>
  yupNumber().strict().meta({ rule: name }).test({ name, skipAbsent: true, test })

/**
 * A JSON string. `required()` counts an empty string as missing. `min`, `max` and `length` count an emoji as one.
 *
 * @example
 * const title = string().required().max(200)
 */
export const string = (): StringSchema => new TextSchema().strict().meta({ rule: 'string' })

const formatted = (
  name: string,
  test: (value: string) => boolean,
  params: Readonly<Record<string, unknown>> = {},
): StringSchema =>
  yupString()
    .strict()
    .meta({ rule: name })
    .test({ name, params, skipAbsent: true, test: (value) => test(value as string) })

/**
 * An ISO 8601 date-time with hours and minutes, optional seconds with 1–9 fraction digits, and `Z` or `±hh:mm`.
 * Only real calendar days; milliseconds are kept, finer digits dropped.
 *
 * @example
 * const publishedAt = dateTime().nullable() // '2030-01-31T09:00:00.000Z'
 */
export const dateTime = (): StringSchema => formatted('dateTime', isDateTime)

/**
 * A day that the calendar has, `YYYY-MM-DD`, in the years 1 to 9999. No zone moves it.
 *
 * @example
 * const birthday = date().nullable() // '2030-01-31'
 */
export const date = (): StringSchema => formatted('date', isDate)

/**
 * A time of a day, `hh:mm` with optional seconds and 1–3 fraction digits. It has no zone.
 *
 * @example
 * const opensAt = time().required() // '09:30:00'
 */
export const time = (): StringSchema => formatted('time', isTime)

/**
 * A 64-bit integer, as a string (docs/specification.md#values): a JSON number could not hold it.
 *
 * @example
 * const views = bigint().required() // '9007199254740993'
 */
export const bigint = (): StringSchema => formatted('bigint', isBigInt)

/**
 * A decimal number, as a string without an exponent; with a size, of at most so many digits. `min('0.01')`, `max()`,
 * `positive()` and `scale(2)` compare its value.
 *
 * @example
 * const price = decimal({ precision: 10, scale: 2 }).min('0.01').required() // '19.90'
 */
export const decimal = (size?: DecimalSize): DecimalSchema =>
  new DecimalSchema()
    .strict()
    .meta({ rule: 'decimal' })
    .test({
      name: 'decimal',
      params: size ? { digits: size.precision, scale: size.scale } : {},
      skipAbsent: true,
      test: (value) => isDecimal(value as string, size ?? null),
    })

/**
 * Bytes, as a base64 string (docs/specification.md#values).
 *
 * @example
 * const checksum = bytes().required() // '3q2+7w=='
 */
export const bytes = (): StringSchema => formatted('bytes', isBase64)

/**
 * An UUID of any version, as a string.
 *
 * @example
 * const token = uuid().required()
 */
export const uuid = (): StringSchema => formatted('uuid', isUuid)

/**
 * One of the values.
 *
 * @example
 * const role = enumOf(['MEMBER', 'EDITOR', 'ADMIN']).required()
 */
export const enumOf = <const T extends string>(values: readonly T[]): StringSchema<T | undefined> =>
  yupString()
    .strict()
    .meta({ rule: 'enumOf', values: values.join(', ') })
    .oneOf(values)

/**
 * Any JSON value.
 *
 * @example
 * const settings = json().nullable()
 */
export const json = (): MixedSchema => mixed().meta({ rule: 'json' })

/**
 * A JSON object; members that have no rule are kept as they are, unless `noUnknown()` refuses them.
 *
 * @example
 * const size = object({ width: integer().min(1), height: integer().min(1) }).noUnknown()
 */
export const object = <Shape extends Record<string, ISchema<unknown>>>(shape?: Shape) =>
  yupObject(shape ?? ({} as Shape))
    .default(undefined)
    .strict()
    .meta({ rule: 'object' })

/** yup's `array().required()` accepts an empty list; here that counts as missing. */
class RequirableArray extends ArraySchema<unknown[] | undefined, AnyObject> {
  override required(message?: string) {
    return super.required(message).test({
      name: 'required',
      skipAbsent: true,
      test: (value) => value.length > 0,
      ...(message !== undefined && { message }),
    })
  }
}

/**
 * A JSON array, of values that follow the rule. `required()` counts an empty one as missing.
 *
 * @example
 * const keywords = array(string().required().max(40)).max(10)
 */
export const array = <T = unknown>(of?: ISchema<T>): ArraySchema<T[] | undefined, AnyObject> =>
  new RequirableArray(of).strict().meta({ rule: 'array' }) as unknown as ArraySchema<T[] | undefined, AnyObject>

/** A to-one relationship of rules: what it holds where it is validated. */
export type ToOneRule<Value> = MixedSchema<Value | undefined>
/** A to-many relationship of rules. */
export type ToManyRule<Value> = ArraySchema<Value[] | undefined, AnyObject>

/**
 * A to-one relationship that holds a resource of the relation's type; `nullable()` lets clients empty it. The server
 * has checked before that the resource exists.
 *
 * With a model, for the input of an action: an identifier of the model's type, which becomes the row if the caller may
 * see it, and 404 otherwise.
 *
 * @see https://jsonapi.org/format/#document-resource-object-linkage
 * @example
 * export default class CommentRequest extends ResourceRequest<'Comment'> {
 *   override rules() {
 *     return this.checked({ ...this.inferred(), author: toOne().required() })
 *   }
 * }
 */
export function toOne(): ToOneRule<Identifier>
/** For the input of an action: an identifier of the model's type, which becomes the row that the caller may see. */
export function toOne<M extends ModelName>(model: M): ToOneRule<RowOf<M>>
export function toOne(model?: string): ToOneRule<unknown> {
  return mixed<Identifier>({ type: 'toOne', check: isIdentifier })
    .meta({ rule: 'toOne', ...(model !== undefined && { model }) })
    .test({
      name: 'toOne',
      skipAbsent: true,
      test: (value, test) => wrongTypes([value as Identifier], { test, model, pathOf: () => test.path }) ?? true,
    })
}

/**
 * A to-many relationship that holds resources of the relation's type; `required()` counts an empty one as missing. With
 * a model, for the input of an action: identifiers of the model's type, which become the rows that the caller may see.
 *
 * @see https://jsonapi.org/format/#document-resource-object-linkage
 * @example
 * export default class PostRequest extends ResourceRequest<'Post'> {
 *   override rules() {
 *     return this.checked({ ...this.inferred(), tags: toMany().max(10) })
 *   }
 * }
 */
export function toMany(): ToManyRule<Identifier>
/** For the input of an action: identifiers of the model's type, which become the rows that the caller may see. */
export function toMany<M extends ModelName>(model: M): ToManyRule<RowOf<M>>
export function toMany(model?: string): unknown {
  const schema = new RequirableArray().meta({
    rule: 'toMany',
    ...(model !== undefined && { model }),
  }) as unknown as ToManyRule<Identifier>
  return schema.test({
    name: 'toMany',
    skipAbsent: true,
    test: (value, test) =>
      wrongTypes(value as Identifier[], { test, model, pathOf: (i) => `${test.path}[${i}]` }) ?? true,
  })
}

/** The model whose rows a rule of an action holds; null for any other rule. */
export const modelOfRule = (rule: ISchema<unknown>): string | null =>
  ((rule as Partial<Schema>).spec?.meta as { readonly model?: string } | undefined)?.model ?? null

// A new resource is named by its lid.
function isIdentifier(value: unknown): value is Identifier {
  const { type, id, lid } = (value ?? {}) as Partial<Identifier & LocalIdentifier>
  return typeof type === 'string' && (typeof id === 'string' || typeof lid === 'string')
}

/** One failure for each identifier of another type; null when there is none. */
function wrongTypes(values: readonly unknown[], { test, model, pathOf }: Tested): ValidationError | null {
  const context = ruleContext(test)
  const models = model === undefined ? modelsOf(context?.schema.relations.get(test.path)) : [model]
  const failures: ValidationError[] = []
  values.forEach((value, i) => {
    const isNamed = isIdentifier(value) && (model === undefined || typeof value.id === 'string')
    if (isNamed && (!context || !models || isOfType(context.registry, models, value))) return
    failures.push(test.createError({ path: pathOf(i), params: { types: typesOf(context, models), field: test.path } }))
  })
  return failures.length > 0 ? new ValidationError(failures, undefined, undefined, undefined, true) : null
}

interface Tested {
  readonly test: TestContext
  readonly model: string | undefined
  readonly pathOf: (index: number) => string
}

const modelsOf = (relation: Relation | undefined): readonly string[] | null =>
  relation ? targetModels(relation) : null

function isOfType(registry: SchemaRegistry, models: readonly string[], { type }: Identifier): boolean {
  const model = registry.byType.get(type)?.model.name
  return model !== undefined && models.includes(model)
}

const typesOf = (context: RuleContext | null, models: readonly string[] | null): string =>
  context && models ? models.map((model) => schemaOf(context.registry, model).type).join(', ') : ''
