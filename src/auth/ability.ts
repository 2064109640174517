import type { Awaitable } from '../model/awaitable.ts'
import type { Row, Where } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import type { Reader } from '../store/reader.ts'
import { type CompiledRules, compiledRules, noRules } from './compiled-rules.ts'
import { allow, type Decision, deny } from './decision.ts'
import { type CaslRule, combine, countOf, type Judged, judgeAll, type Subject } from './judge-rules.ts'

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
    const rules = policy ? compiledRules(policy, schema, server.resources, user) : noRules(schema)
    const subject = { schema, reader, resources: server.resources, declared: rules.declared }
    const ability = new RuledAbility(rules, subject)
    built.set(model, ability)
    return ability
  }
}

class RuledAbility implements ModelAbility {
  readonly subject: Subject
  private readonly rules: CompiledRules

  constructor(rules: CompiledRules, subject: Subject) {
    this.rules = rules
    this.subject = subject
  }

  names(action: string): boolean {
    return this.rulesFor(action).length > 0
  }

  allowsSome(action: string): boolean {
    return allowsSome(this.rulesFor(action))
  }

  whereFor(action: string): Where {
    return this.rules.whereFor(action)
  }

  rulesFor(action: string): readonly CaslRule[] {
    return this.rules.rulesFor(action)
  }

  decide(action: string, row: Row | null): Awaitable<Decision> {
    const judged = judgeAll(this.rulesFor(action), row, this.subject)
    const verdict = combine(judged)
    if (verdict === true) return allow()
    return decideByCounting(judged, verdict, { where: this.whereFor(action), row, subject: this.subject })
  }
}

function allowsSome(rules: readonly CaslRule[]): boolean {
  const deciding = rules.find(({ inverted, conditions }) => !inverted || !conditions)
  return deciding !== undefined && !deciding.inverted
}

interface Undecided {
  /** The rows that the rules allow it on. */
  readonly where: Where
  readonly row: Row | null
  readonly subject: Subject
}

async function decideByCounting(
  judged: readonly Judged[],
  verdict: false | 'ask',
  { where, row, subject }: Undecided,
): Promise<Decision> {
  const exists = (condition: Where) => countOf(row as Row, condition, subject)
  if (verdict === 'ask' && (await exists(where))) return allow()
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
