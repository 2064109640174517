import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { Attribute, AttributeKind } from '@prismapi/jsonapi/schema/resource-schema'
import type { ISchema, SchemaDescription, SchemaFieldDescription } from 'yup'
import { deprecatedPart } from './deprecations.ts'
import { described, type Part } from './described.ts'

/** The JSON Schema of one value of a kind, which is not null: as documents write it, and queries do. */
export function valueSchema(kind: AttributeKind, column: ColumnMeta | null, values: readonly string[] | null): Part {
  switch (kind) {
    case 'string':
      return textSchema(column)
    case 'integer':
      return { type: 'integer', format: 'int32' }
    case 'bigint':
      return { type: 'string', pattern: '^-?\\d+$' }
    case 'float':
      return { type: 'number', format: 'double' }
    case 'decimal':
      return { type: 'string', pattern: '^-?\\d+(?:\\.\\d+)?$' }
    case 'boolean':
      return { type: 'boolean' }
    case 'datetime':
      return { type: 'string', format: 'date-time' }
    case 'date':
      return { type: 'string', format: 'date' }
    // The format `time` wants a zone.
    case 'time':
      return { type: 'string', pattern: '^\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,3})?)?$' }
    case 'json':
      return {}
    case 'bytes':
      return { type: 'string', contentEncoding: 'base64' }
    case 'enum':
      return { type: 'string', enum: values ?? [] }
    default:
      return kind satisfies never
  }
}

function textSchema(column: ColumnMeta | null): Part {
  const [native = '', size] = column?.native ?? []
  const hasSize = /char$/i.test(native) && Number(size) > 0
  return {
    type: 'string',
    ...(native === 'Uuid' && { format: 'uuid' }),
    ...(hasSize && { maxLength: Number(size) }),
  }
}

/** The values that the attribute's column can hold, except null; null where only the application knows its values. */
export function storedSchema({ kind, column, values, isList, isConverted }: Attribute): Part | null {
  if (!column || isConverted) return null
  const value = valueSchema(kind, column, values)
  return isList ? { type: 'array', items: value } : value
}

/** An attribute as resources show it. */
export function shownSchema(attribute: Attribute, readOnly: boolean): Part {
  const { isNullable, column, deprecation } = attribute
  const stored = storedSchema(attribute) ?? {}
  return {
    ...(isNullable ? orNull(stored) : stored),
    ...(readOnly && { readOnly }),
    ...described(column?.documentation),
    ...deprecatedPart(deprecation),
  }
}

/** The same schema, and null. */
export function orNull(schema: Part): Part {
  const { type, enum: values } = schema
  if ('$ref' in schema || 'anyOf' in schema) return { anyOf: [schema, { type: 'null' }] }
  if (typeof type !== 'string') return schema
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
}

/** What a rule demands, as yup tells it. */
export type Rule = ReturnType<ISchema<unknown>['describe']>

/** Must the value be sent. */
export const isRequired = (rule: Rule): boolean => 'optional' in rule && !rule.optional

/**
 * The JSON Schema of what a rule lets pass, as far as it can be told without running it: tests that are functions are
 * left out. `stored` is what the column holds, for a rule that says no more than that there is one.
 */
export function ruleSchema(rule: Rule, stored: Part | null = null): Part {
  if (!isDescription(rule)) return stored ?? {}
  const base = stored ?? typeSchema(rule)
  const values = rule.oneOf.filter((value) => typeof value !== 'object')
  const schema = {
    ...base,
    ...('fields' in rule && membersOf(rule.fields as Fields)),
    ...(base.type === 'array' && 'innerType' in rule && itemsOf(rule.innerType as Rule | undefined, base)),
    ...(values.length > 0 && { enum: values }),
    ...Object.assign({}, ...rule.tests.map((test) => testSchema(String(base.type), test))),
  }
  return rule.nullable ? orNull(schema) : schema
}

type Fields = Readonly<Record<string, SchemaFieldDescription>>

const isDescription = (rule: Rule): rule is SchemaDescription => 'tests' in rule

const kinds = {
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'decimal',
  dateTime: 'datetime',
  date: 'date',
  time: 'time',
  bytes: 'bytes',
} as const

const types: Readonly<Record<string, Part>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  array: { type: 'array' },
  object: { type: 'object' },
  date: { type: 'string', format: 'date-time' },
}

function typeSchema({ type, meta }: SchemaDescription): Part {
  const name = (meta as { readonly rule?: string } | undefined)?.rule ?? ''
  // A rule's integer is any that JSON can write, a column's one of 32 bits.
  if (name === 'integer') return { type: 'integer' }
  if (name === 'uuid') return { type: 'string', format: 'uuid' }
  const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : null
  return kind ? valueSchema(kind, null, null) : (types[type] ?? {})
}

/** The schema of an object with rules for its members. */
export function membersOf(fields: Fields): Part {
  const required = Object.keys(fields).filter((name) => isRequired(fields[name] as Rule))
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, ruleSchema(rule)])),
    ...(required.length > 0 && { required }),
  }
}

const itemsOf = (rule: Rule | undefined, { items }: Part): Part =>
  rule ? { items: ruleSchema(rule, (items as Part | undefined) ?? null) } : {}

type Test = SchemaDescription['tests'][number]

const bounds: Readonly<Record<string, readonly [min: string, max: string]>> = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
}

function testSchema(type: string, { name = '', params = {} }: Test): Part {
  const [min = '', max = ''] = bounds[type] ?? []
  if (min === '') return {}
  if (name === 'required') return min === 'minimum' ? {} : { [min]: 1 }
  if (name === 'min') return 'more' in params ? bound('exclusiveMinimum', params.more) : bound(min, params.min)
  if (name === 'max') return 'less' in params ? bound('exclusiveMaximum', params.less) : bound(max, params.max)
  if (name === 'length') return { ...bound(min, params.length), ...bound(max, params.length) }
  return type === 'string' ? textRuleSchema(name, params.regex) : {}
}

// A bound may be a reference to another field.
const bound = (keyword: string, value: unknown): Part => (typeof value === 'number' ? { [keyword]: value } : {})

const formats: Readonly<Record<string, string>> = { email: 'email', url: 'uri', uuid: 'uuid' }

function textRuleSchema(name: string, regex: unknown): Part {
  if (formats[name]) return { format: formats[name] }
  const isPattern = name === 'matches' && regex instanceof RegExp && /^u?$/.test(regex.flags)
  return isPattern ? { pattern: regex.source } : {}
}
