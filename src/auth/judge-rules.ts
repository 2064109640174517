import type { Ability, Rule } from '@casl/ability'
import type { Resources } from '../model/meta.ts'
import { every, type Row, type Where } from '../model/where.ts'
import type { JudgedRule } from '../request/explaining.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Reader } from '../store/reader.ts'
import type { ModelAbility } from './ability.ts'
import { judge } from './judge.ts'
import type { RawRule } from './rules.ts'
import type { Verdict } from './verdict.ts'

export type CaslAbility = Ability<[string, string], Where>
export type CaslRule = Rule<[string, string], Where>

export interface Subject {
  readonly schema: ResourceSchema
  readonly reader: Reader
  readonly resources: Resources
  readonly declared: readonly RawRule[]
}

export interface Judged {
  readonly rule: CaslRule
  readonly verdict: Verdict
}

export const judgeAll = (rules: readonly CaslRule[], row: Row | null, subject: Subject): readonly Judged[] =>
  rules.map((rule) => ({ rule, verdict: judgeRule(rule, row, subject) }))

function judgeRule({ conditions }: CaslRule, row: Row | null, { schema, resources }: Subject): Verdict {
  if (!conditions) return true
  if (!row) throw new Error(`A rule of ${schema.model.name} has a condition, but no row was given to judge.`)
  return judge(conditions, { row, model: schema.model, provider: resources.provider })
}

/** As `toWhere` combines them: some `can` holds, and every stronger `cannot` does certainly not. */
export function combine(judged: readonly Judged[]): true | false | 'ask' {
  let isMaybeForbidden = false
  let isMaybeAllowed = false
  for (const { rule, verdict } of judged) {
    if (rule.inverted) {
      if (verdict === true || verdict === null) break
      isMaybeForbidden ||= verdict === 'ask'
    } else if (verdict === true && !isMaybeForbidden) {
      return true
    } else {
      isMaybeAllowed ||= verdict === true || verdict === 'ask'
    }
  }
  return isMaybeAllowed ? 'ask' : false
}

/** What can be judged of an ability's rules. */
type OfRules = Pick<ModelAbility, 'rulesFor' | 'subject'>

/** May the user do this with the row; null where only the database could say, which is not asked. */
export function judgeUnasked(ability: OfRules, action: string, row: Row | null): boolean | null {
  const verdict = combine(judgeAll(ability.rulesFor(action), row, ability.subject))
  return verdict === 'ask' ? null : verdict
}

/** The rules that name the action, the strongest first, and what each makes of the row; `ask` where only the database knows. */
export const judgeEach = (ability: OfRules, action: string, row: Row | null) =>
  judgeAll(ability.rulesFor(action), row, ability.subject).map(({ rule, verdict }) => ({
    rule: ability.subject.declared.indexOf(rule.origin as unknown as RawRule) + 1,
    effect: rule.inverted ? ('cannot' as const) : ('can' as const),
    where: rule.conditions ?? null,
    because: rule.reason ?? null,
    holds: verdict,
  }))

/** The same for developers: what only the database knows is asked of it, by a count for each such rule, all at once. */
export const explainEach = (ability: OfRules, action: string, row: Row | null): Promise<readonly JudgedRule[]> =>
  Promise.all(
    judgeEach(ability, action, row).map(async ({ holds, ...rule }) => ({
      ...rule,
      holds: holds === 'ask' ? await countOf(row as Row, rule.where as Where, ability.subject) : holds,
    })),
  )

/** Is the row one that the condition holds for, as the database has it. */
export async function countOf(row: Row, where: Where, { schema, reader }: Subject): Promise<boolean> {
  const id = Object.fromEntries(schema.id.columns.map((column) => [column, row[column]]))
  return (await reader.count(schema.model.name, every(id, where))) > 0
}
