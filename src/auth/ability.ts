import { rulesToCondition } from '@casl/ability/extra'
import { createPrismaAbility } from '@casl/prisma/runtime'
import type { Awaitable } from '../model/awaitable.ts'
import { every, nothing, type Row, some, type Where } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import type { Reader } from '../store/reader.ts'
import { allow, type Decision, deny } from './decision.ts'
import {
  type CaslAbility,
  type CaslRule,
  combine,
  countOf,
  type Judged,
  judgeAll,
  type Subject,
} from './judge-rules.ts'
import { collectRules } from './rules.ts'

/** The rules of one model's policy, for one user. */
export interface ModelAbility {
  /** Is the action named by any rule for this user; what no rule names is denied. */
  names(action: string): boolean
  /** Could the rules allow the action on some row: a `can` names it that no later, unconditional `cannot` takes back. */
  allowsSome(action: string): boolean
  /**
   * May the user do this with the row (null for actions on the type). Judged in memory where the columns of the row
   * suffice, else by one count; a denial that only the database can explain costs another.
   */
  decide(action: string, row: Row | null): Awaitable<Decision>
  /** The rows that the action is allowed on, as a condition for a query; `{}` for all of them. */
  whereFor(action: string): Where
  /** The rules that name the action, the strongest first; for `judge-rules.ts`, as is their subject. */
  rulesFor(action: string): readonly CaslRule[]
  readonly subject: Subject
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
      declared: rules,
    })
    built.set(model, ability)
    return ability
  }
}

function modelAbility(casl: CaslAbility, subject: Subject): ModelAbility {
  const { name, key } = subject.schema.model
  // The strongest first: CASL's last rule wins.
  const rulesFor = (action: string): readonly CaslRule[] => casl.rulesFor(action, name)
  const none = nothing(key[0] as string)
  return Object.freeze({
    names: (action: string) => rulesFor(action).length > 0,
    allowsSome: (action: string) => allowsSome(rulesFor(action)),
    whereFor: (action: string) => toWhere(rulesFor(action), none),
    rulesFor,
    subject,
    decide: (action: string, row: Row | null) => decide(rulesFor(action), row, none, subject),
  })
}

function allowsSome(rules: readonly CaslRule[]): boolean {
  const deciding = rules.find(({ inverted, conditions }) => !inverted || !conditions)
  return deciding !== undefined && !deciding.inverted
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

function decide(rules: readonly CaslRule[], row: Row | null, none: Where, subject: Subject): Awaitable<Decision> {
  const judged = judgeAll(rules, row, subject)
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
