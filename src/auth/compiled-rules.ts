import { Ability } from '@casl/ability'
import { rulesToCondition } from '@casl/ability/extra'
import { all, any, everything, not, nothing } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { FieldAccess } from '../condition/field-access.ts'
import { memo } from '../model/memo.ts'
import type { Resources } from '../model/meta.ts'
import { type BoundedCache, boundedCache } from '../request/bounded-cache.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { FieldAction } from './actions.ts'
import { fieldAccess } from './field-rules.ts'
import type { CaslAbility, CaslRule } from './judge-rules.ts'
import { type AnyPolicy, policyMethod } from './policy.ts'
import { copyOf, ruleKey } from './rule-key.ts'
import { type DeclaredRule, declaredRules, type RawRule, toRules } from './rules.ts'

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
export function compiledRules(
  policy: AnyPolicy,
  schema: ResourceSchema,
  { models }: Resources,
  user: unknown,
): CompiledRules {
  const declared = declaredRules(policy, schema.model.name, user)
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
  const declared = toRules(given, schema, models)
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
      const known = conditions.get(action) ?? combined(rulesFor(action))
      conditions.set(action, known)
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
