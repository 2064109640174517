import type { ISchema, SchemaDescription, SchemaFieldDescription } from 'yup'
import type { Part } from './described.ts'
import { orNull, valueSchema } from './value-schema.ts'

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
  return type === 'string' ? textSchema(name, params.regex) : {}
}

// A bound may be a reference to another field.
const bound = (keyword: string, value: unknown): Part => (typeof value === 'number' ? { [keyword]: value } : {})

const formats: Readonly<Record<string, string>> = { email: 'email', url: 'uri', uuid: 'uuid' }

function textSchema(name: string, regex: unknown): Part {
  if (formats[name]) return { format: formats[name] }
  const isPattern = name === 'matches' && regex instanceof RegExp && /^u?$/.test(regex.flags)
  return isPattern ? { pattern: regex.source } : {}
}
