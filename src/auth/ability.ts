import type { Ability, Rule } from '@casl/ability'
import { rulesToCondition } from '@casl/ability/extra'
import { createPrismaAbility } from '@casl/prisma/runtime'
import type { Awaitable } from '../model/awaitable.ts'
import type { Resources } from '../model/meta.ts'
import { every, nothing, type Row, some, type Where } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import type { Reader } from '../store/reader.ts'
import { allow, type Decision, deny } from './decision.ts'
import { judge } from './judge.ts'
import { collectRules } from './rules.ts'
import type { Verdict } from './verdict.ts'

/** The rules of one model's policy, for one user. */
export interface ModelAbility {
  /** Is the action named by any rule for this user; what no rule names is denied. */
  names(action: string): boolean
  /**
   * May the user do this with the row (null for actions on the type). Judged in memory where the columns of the row
   * suffice, else by one count; a denial that only the database can explain costs another.
   */
  decide(action: string, row: Row | null): Awaitable<Decision>
  /** The rows that the action is allowed on, as a condition for a query; `{}` for all of them. */
  whereFor(action: string): Where
}

/** One request's abilities by model, each built at its first use. */
export type AbilityOf = (model: string) => ModelAbility

type AbilityServer = Pick<RequestContext['server'], 'policies' | 'schemas' | 'resources'>

/** The abilities of one request. Nothing in them outlives it, or is known to another. */
export function abilitiesFor(server: AbilityServer, user: unknown, reader: Reader): AbilityOf {
  const built = new Map<string, ModelAbility>()
  return (model) => {
    const known = built.get(model)
    if (known) return known
    const schema = schemaOf(server.schemas, model)
    const policy = server.policies.get(model)
    const rules = policy ? collectRules(policy, schema, server.resources.models, user) : []
    const ability = modelAbility(createPrismaAbility<CaslAbility>(rules), {
      schema,
      reader,
      resources: server.resources,
    })
    built.set(model, ability)
    return ability
  }
}

type CaslAbility = Ability<[string, string], Where>
type CaslRule = Rule<[string, string], Where>

interface Subject {
  readonly schema: ResourceSchema
  readonly reader: Reader
  readonly resources: Resources
}

function modelAbility(casl: CaslAbility, subject: Subject): ModelAbility {
  const { name, key } = subject.schema.model
  // The strongest first: CASL's last rule wins.
  const rulesFor = (action: string): readonly CaslRule[] => casl.rulesFor(action, name)
  const none = nothing(key[0] as string)
  return Object.freeze({
    names: (action: string) => rulesFor(action).length > 0,
    whereFor: (action: string) => toWhere(rulesFor(action), none),
    decide: (action: string, row: Row | null) => decide(rulesFor(action), row, none, subject),
  })
}

function toWhere(rules: readonly CaslRule[], none: Where): Where {
  const convert = (rule: CaslRule): Where => (rule.inverted ? { NOT: rule.conditions } : (rule.conditions ?? {}))
  const where = rulesToCondition<CaslAbility, Where, Where>(rules, convert, {
    and: (conditions) => every(...conditions),
    or: (conditions) => some(conditions, none),
    empty: () => ({}),
  })
  return where ?? none
}

interface Judged {
  readonly rule: CaslRule
  readonly verdict: Verdict
}

function decide(rules: readonly CaslRule[], row: Row | null, none: Where, subject: Subject): Awaitable<Decision> {
  const judged = rules.map((rule) => ({ rule, verdict: judgeRule(rule, row, subject) }))
  const verdict = combine(judged)
  if (verdict === true) return allow()
  return decideByCounting(judged, verdict, { rules, row, none, subject })
}

interface Undecided {
  readonly rules: readonly CaslRule[]
  readonly row: Row | null
  readonly none: Where
  readonly subject: Subject
}

async function decideByCounting(
  judged: readonly Judged[],
  verdict: false | 'ask',
  { rules, row, none, subject }: Undecided,
): Promise<Decision> {
  const exists = (where: Where) => countOf(row as Row, where, subject)
  if (verdict === 'ask' && (await exists(toWhere(rules, none)))) return allow()
  return deny(await reasonFor(judged, exists))
}

function judgeRule({ conditions }: CaslRule, row: Row | null, { schema, resources }: Subject): Verdict {
  if (!conditions) return true
  if (!row) throw new Error(`A rule of ${schema.model.name} has a condition, but no row was given to judge.`)
  return judge(conditions, { row, model: schema.model, provider: resources.provider })
}

/** As `toWhere` combines them: some `can` holds, and every stronger `cannot` does certainly not. */
function combine(judged: readonly Judged[]): true | false | 'ask' {
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

async function countOf(row: Row, where: Where, { schema, reader }: Subject): Promise<boolean> {
  const id = Object.fromEntries(schema.id.columns.map((column) => [column, row[column]]))
  return (await reader.count(schema.model.name, every(id, where))) > 0
}

/** The message of the strongest `cannot` that holds for the row. */
async function reasonFor(
  judged: readonly Judged[],
  exists: (where: Where) => Promise<boolean>,
): Promise<string | undefined> {
  if (!judged.some(({ rule }) => rule.reason)) return undefined
  for (const { rule, verdict } of judged) {
    if (!rule.inverted || verdict === false) continue
    if (verdict !== 'ask' || !(await exists({ NOT: rule.conditions }))) return rule.reason
  }
  return undefined
}
