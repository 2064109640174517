import type { Ability, Rule } from '@casl/ability'
import type { Condition } from '../condition/condition.ts'
import { judge, type Verdict } from '../condition/memory.ts'
import type { Provider } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'

export type CaslAbility = Ability<[string, string], Condition>
export type CaslRule = Rule<[string, string], Condition>

/** A rule, and whether its condition holds for a row, as far as this can be told in memory. */
export interface AppliedRule {
  readonly rule: CaslRule
  readonly holds: Verdict
}

interface Subject {
  readonly row: Row | null
  readonly schema: ResourceSchema
  readonly provider: Provider
}

export const applyRules = (rules: readonly CaslRule[], subject: Subject): readonly AppliedRule[] =>
  rules.map((rule) => ({ rule, holds: doesHold(rule, subject) }))

function doesHold({ conditions }: CaslRule, { row, schema, provider }: Subject): Verdict {
  if (!conditions) return true
  if (!row) throw new Error(`A rule of ${schema.model.name} has a condition, but no row was given to judge.`)
  return judge(conditions, { row, provider })
}

/** As `conditionFor` combines the rules: some `can` holds, and every stronger `cannot` does certainly not. */
export function combine(applied: readonly AppliedRule[]): true | false | 'ask' {
  let isMaybeForbidden = false
  let isMaybeAllowed = false
  for (const { rule, holds } of applied) {
    if (rule.inverted) {
      if (holds === true || holds === null) break
      isMaybeForbidden ||= holds === 'ask'
    } else if (holds === true && !isMaybeForbidden) {
      return true
    } else {
      isMaybeAllowed ||= holds === true || holds === 'ask'
    }
  }
  return isMaybeAllowed ? 'ask' : false
}

/** Do the rules, the strongest first, allow the action on some row. */
export function allowSome(rules: readonly CaslRule[]): boolean {
  const deciding = rules.find(({ inverted, conditions }) => !inverted || !conditions)
  return deciding !== undefined && !deciding.inverted
}
