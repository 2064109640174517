import { Ability } from '@casl/ability'
import { rulesToCondition } from '@casl/ability/extra'
import { all, any, everything, not, nothing } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { FieldAccess } from '@prismapi/jsonapi/condition/scopes'
import { isPlain } from '@prismapi/jsonapi/document/types'
import { type BoundedCache, boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { spellingOf } from '@prismapi/jsonapi/model/prisma-values'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { FieldAction } from './actions.ts'
import { belowCeiling } from './caller.ts'
import { fieldAccess } from './field-rules.ts'
import { type AnyPolicy, policyMethod } from './policy.ts'
import { type CaslAbility, type CaslRule, type DeclaredRule, declaredRules, type RawRule, toRules } from './rules.ts'

/** Rules in the form that requests use. Follows from what the rules say alone, so that users may share it. */
export interface CompiledRules {
  /** Which of the declared rules this is, from 1 on. */
  numberOf(rule: CaslRule): number
  /** The rules that name the action, the strongest first. */
  rulesFor(action: string): readonly CaslRule[]
  /** The rows that the action is allowed on. */
  conditionFor(action: string): Condition
  /** Which fields the action is allowed on; null for all of them. */
  fieldsFor(action: FieldAction): FieldAccess | null
}

/** For each policy and type. Rules that name the user's own id are as many as there are users. */
const keptRules = 200

const keptOf = memo((_: AnyPolicy) => memo((_: ResourceSchema): BoundedCache<CompiledRules> => boundedCache(keptRules)))

/**
 * What a policy declares for one user. The policy is asked each time; what its rules come to is kept by what they say.
 *
 * @throws Error naming the policy's file, for rules that cannot mean anything and for `abilities` that throws.
 */
export function compileRules(
  policy: AnyPolicy,
  schema: ResourceSchema,
  { models }: Resources,
  user: unknown,
): CompiledRules {
  const declared = belowCeiling(declaredRules(policy, schema.model.name, user), schema, user)
  const key = ruleKey(declared)
  const source = { policy, schema, models }
  if (key === null) return compile(declared, source)
  return keptOf(policy)(schema).get(key, () => compile(copyOf(declared), source))
}

/** Of a type without a policy. */
export const noRules = memo(
  (schema: ResourceSchema): CompiledRules => compile([], { policy: null, schema, models: {} }),
)

interface RuleSource {
  readonly policy: AnyPolicy | null
  readonly schema: ResourceSchema
  readonly models: Resources['models']
}

function compile(given: readonly DeclaredRule[], { policy, schema, models }: RuleSource): CompiledRules {
  const { name } = schema.model
  const declared = toRules(given, schema, { models, policy })
  const casl: CaslAbility = new Ability<[string, string], Condition>([...declared], { conditionsMatcher, fieldMatcher })
  const conditions = new Map<string, Condition>()
  const fields = new Map<string, FieldAccess | null>()
  const fieldsOf = (action: FieldAction): FieldAccess | null => {
    const rules = casl.possibleRulesFor(action, name)
    const isByMethod = policy !== null && policyMethod(policy, action) !== null
    const combine = (some: readonly CaslRule[]) => combined(isByMethod ? [...some, allowing] : some)
    return fieldAccess(schema, { rules, isByMethod, combine, numberOf })
  }
  const numberOf = ({ origin }: CaslRule) => declared.indexOf(origin as unknown as RawRule) + 1
  const rulesFor = (action: string): readonly CaslRule[] => casl.rulesFor(action, name)
  return {
    numberOf,
    rulesFor,
    conditionFor(action) {
      const rules = rulesFor(action)
      // Actions by the same rules have one condition, which is asked once for all of them.
      const key = rules.map(numberOf).join()
      const known = conditions.get(key) ?? combined(rules)
      conditions.set(key, known)
      return known
    },
    fieldsFor(action) {
      const known = fields.get(action)
      if (known !== undefined) return known
      const made = fieldsOf(action)
      fields.set(action, made)
      return made
    },
  }
}

const fieldMatcher = (fields: string[]) => (field: string) => fields.includes(field)

// CASL picks the rules of an action; their conditions are judged by `condition/`.
const conditionsMatcher = (): never => {
  throw new Error('CASL was asked to judge a condition.')
}

/** What a method stands for beside rules about fields. */
const allowing = { inverted: false } as CaslRule

function combined(rules: readonly CaslRule[]): Condition {
  const convert = ({ inverted, conditions = everything }: CaslRule): Condition =>
    inverted ? not(conditions) : conditions
  const condition = rulesToCondition<CaslAbility, Condition, Condition>(rules, convert, {
    and: (parts) => all(...parts),
    or: any,
    empty: () => everything,
  })
  return condition ?? nothing
}

/**
 * The rules as a text: two lists of rules have the same text exactly if they are equal. Null for very long rules, and
 * for a value without such a text, such as a Decimal.
 */
export function ruleKey(rules: readonly DeclaredRule[]): string | null {
  let key = ''
  for (const { inverted, actions, fields, where, reason } of rules) {
    const condition = where.length === 0 ? '' : valueText(where[0])
    if (condition === null) return null
    const named = typeof actions === 'string' ? text(actions) : texts(actions)
    const about = fields === null ? '' : `.${texts(fields)}`
    key += `${inverted ? '-' : '+'}${named}${about}?${condition}!${reason === undefined ? '' : text(reason)};`
    if (key.length > longest) return null
  }
  return key
}

const longest = 2000
const longestList = 100

// What clients or users have chosen must not be taken for a part of the rules, so a text says how long it is.
const text = (value: string): string => `${value.length}:${value}`

function texts(values: readonly string[]): string {
  let all = ''
  for (const value of values) all += text(value)
  return all
}

/** A value as a text: two values have the same text exactly if they are equal. Null for one that has none. */
export function valueText(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return `s${text(value)}`
    case 'number':
    case 'bigint':
    case 'boolean':
      return `${typeof value}${value};`
    case 'object':
      return value === null ? 'null' : objectKey(value)
    default:
      return null
  }
}

function objectKey(value: object): string | null {
  // Some instants are told apart by nothing but how the database spells them.
  if (value instanceof Date) return spellingOf(value) === undefined ? `date${value.getTime()};` : null
  if (Array.isArray(value)) return value.length > longestList ? null : listKey(value)
  if (!isPlain(value)) return null
  let key = '{'
  for (const name of Object.keys(value)) {
    const member = valueText(value[name])
    if (member === null) return null
    key += text(name) + member
  }
  return `${key}}`
}

function listKey(list: readonly unknown[]): string | null {
  let key = '['
  for (const each of list) {
    const item = valueText(each)
    if (item === null) return null
    key += item
  }
  return `${key}]`
}

/** A frozen copy of rules that have a key: the application cannot change it. */
export const copyOf = (rules: readonly DeclaredRule[]): readonly DeclaredRule[] =>
  copied(rules) as readonly DeclaredRule[]

/** A frozen copy of a value that has a text (`valueText`): the application cannot change it. */
export function copied(value: unknown): unknown {
  if (value instanceof Date) return new Date(value)
  if (Array.isArray(value)) return Object.freeze(value.map(copied))
  if (!isPlain(value)) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member)])))
}
