import { rulesToCondition } from '@casl/ability/extra'
import { createPrismaAbility } from '@casl/prisma/runtime'
import { memo } from '../model/memo.ts'
import type { Resources } from '../model/meta.ts'
import { every, nothing, some, type Where } from '../model/where.ts'
import { type BoundedCache, boundedCache } from '../request/bounded-cache.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { CaslAbility, CaslRule } from './judge-rules.ts'
import type { AnyPolicy } from './policy.ts'
import { copyOf, ruleKey } from './rule-key.ts'
import { type DeclaredRule, declaredRules, type RawRule, toRules } from './rules.ts'

/** What rules come to. Nobody's request is in it: it follows from what the rules say, and from nothing else. */
export interface CompiledRules {
  readonly declared: readonly RawRule[]
  /** The rules that name the action, the strongest first. */
  rulesFor(action: string): readonly CaslRule[]
  /** The rows that the action is allowed on; `{}` for all of them. */
  whereFor(action: string): Where
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
  if (key === null) return compile(declared, schema, models)
  return keptOf(policy)(schema).get(key, () => compile(copyOf(declared), schema, models))
}

/** Of a type without a policy. */
export const noRules = memo((schema: ResourceSchema): CompiledRules => compile([], schema, {}))

function compile(given: readonly DeclaredRule[], schema: ResourceSchema, models: Resources['models']): CompiledRules {
  const { name, key } = schema.model
  const declared = toRules(given, schema, models)
  const casl = createPrismaAbility<CaslAbility>([...declared])
  const none = nothing(key[0] as string)
  const conditions = new Map<string, Where>()
  const rulesFor = (action: string): readonly CaslRule[] => casl.rulesFor(action, name)
  return {
    declared,
    rulesFor,
    whereFor(action) {
      const known = conditions.get(action) ?? toWhere(rulesFor(action), none)
      conditions.set(action, known)
      return known
    },
  }
}

function toWhere(rules: readonly CaslRule[], none: Where): Where {
  const convert = (rule: CaslRule): Where => (rule.inverted ? { NOT: rule.conditions } : (rule.conditions ?? {}))
  const where = rulesToCondition<CaslAbility, Where, Where>(rules, convert, {
    and: (parts) => every(...parts),
    or: (parts) => some(parts, none),
    empty: () => ({}),
  })
  return where ?? none
}
