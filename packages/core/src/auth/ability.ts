import { all, everything, not } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { judge } from '@prismapi/jsonapi/condition/memory'
import type { FieldAccess } from '@prismapi/jsonapi/condition/scopes'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { type Reader, rowKey } from '../database/reader.ts'
import { readNamedRows } from '../read/find.ts'
import { idWhere } from '../read/plan.ts'
import type { FieldAction } from './actions.ts'
import { askedTogether } from './asked-together.ts'
import { allow, type Decision, deny } from './decision.ts'
import type { AnyPolicy } from './policy.ts'
import { type AppliedRule, allowSome, applyRules, combine } from './rules.ts'
import { type CompiledRules, compileRules, noRules } from './user-rules.ts'

/** The rules of one model's policy, for one user. */
export interface ModelAbility {
  /** Is the action named by any rule for this user; what no rule names is denied. */
  names(action: string): boolean
  /** Whether the rules could allow the action on some row: a `can` does, and no later unconditional `cannot`. */
  allowsSome(action: string): boolean
  /**
   * May the user do this with the row (null for actions on the type). Judged in memory where the columns of the row
   * suffice, else by one count; a denial that only the database can explain costs another.
   */
  decide(action: string, row: Row | null): Awaitable<Decision>
  /** The same for several rows, by as many queries as for one row, for each 500 of them. */
  decideEach(action: string, rows: readonly Row[]): Promise<readonly Decision[]>
  /** The rows that the action is allowed on. */
  conditionFor(action: string): Condition
  /** Which fields the rules allow the action on; null for all of them. */
  fieldsFor(action: FieldAction): FieldAccess | null
  /** The same rules, for questions about many rows: those of one turn share their queries. No denial has a reason. */
  askingTogether(): ModelAbility
  /** The rules that name the action, the strongest first, each applied to the row in memory. */
  apply(action: string, row: Row | null): readonly NumberedRule[]
  /** Asks the database whether a condition holds for a row. */
  holds(row: Row, condition: Condition): Promise<boolean>
  /** Those of the rows that a condition holds for; the database is asked once about all that memory cannot judge. */
  among(rows: readonly Row[], condition: Condition): Promise<ReadonlySet<Row>>
}

export interface NumberedRule extends AppliedRule {
  /** Which one it is of those that `abilities` declared for this user, from 1 on. */
  readonly number: number
}

/** One request's abilities by model, each built at its first use. */
export type AbilityOf = (model: string) => ModelAbility

/** They know of another reader, which judges by the same rules. */
export interface AbilitiesOverReaders extends AbilityOf {
  over(reader: Reader): AbilitiesOverReaders
  /** The rules of a model's policy for the user. What says the same is the same object. */
  rulesOf(model: string): CompiledRules
  /** The models whose policies were asked so far. */
  asked(): Iterable<string>
}

interface AbilityServer {
  readonly policies: ReadonlyMap<string, AnyPolicy>
  readonly schemas: SchemaRegistry
  readonly resources: Resources
}

/** The abilities of one request, which no other request shares. Each policy is asked once. */
export function abilitiesFor(server: AbilityServer, user: unknown, reader: Reader): AbilitiesOverReaders {
  const asked = new Map<string, CompiledRules>()
  const rulesOf = (name: string): CompiledRules => {
    const known = asked.get(name)
    if (known) return known
    const schema = schemaOf(server.schemas, name)
    const policy = server.policies.get(name)
    const rules = policy ? compileRules(policy, schema, server.resources, user) : noRules(schema)
    asked.set(name, rules)
    return rules
  }
  const over = (reader: Reader): AbilitiesOverReaders => {
    const built = new Map<string, ModelAbility>()
    const abilityOf = (model: string): ModelAbility => {
      const known = built.get(model)
      if (known) return known
      const schema = schemaOf(server.schemas, model)
      const ability = new RuledAbility(rulesOf(model), { schema, reader, resources: server.resources })
      built.set(model, ability)
      return ability
    }
    return Object.assign(abilityOf, { over, rulesOf, asked: () => asked.keys() })
  }
  return over(reader)
}

interface AbilitySubject {
  readonly schema: ResourceSchema
  readonly reader: Reader
  readonly resources: Resources
}

class RuledAbility implements ModelAbility {
  private readonly rules: CompiledRules
  private readonly subject: AbilitySubject
  /** Null where each question is asked at once. */
  private readonly together: ModelAbility['holds'] | null

  constructor(rules: CompiledRules, subject: AbilitySubject, isTogether = false) {
    this.rules = rules
    this.subject = subject
    this.together = isTogether ? askedTogether((rows, condition) => this.among(rows, condition)) : null
  }

  names(action: string): boolean {
    return this.rules.rulesFor(action).length > 0
  }

  allowsSome(action: string): boolean {
    return allowSome(this.rules.rulesFor(action))
  }

  conditionFor(action: string): Condition {
    return this.rules.conditionFor(action)
  }

  fieldsFor(action: FieldAction): FieldAccess | null {
    return this.rules.fieldsFor(action)
  }

  askingTogether(): ModelAbility {
    return new RuledAbility(this.rules, this.subject, true)
  }

  decide(action: string, row: Row | null): Awaitable<Decision> {
    const applied = this.applied(action, row)
    const combined = combine(applied)
    if (combined === true) return allow()
    const asked = combined === 'ask' ? this.conditionFor(action) : null
    return this.together ? this.decideTogether(asked, row as Row) : this.decideByCounting(applied, asked, row as Row)
  }

  apply(action: string, row: Row | null): readonly NumberedRule[] {
    return this.applied(action, row).map((each) => ({ ...each, number: this.rules.numberOf(each.rule) }))
  }

  async holds(row: Row, condition: Condition): Promise<boolean> {
    if (this.together) return this.together(row, condition)
    const { schema, reader } = this.subject
    const where = all(idWhere(schema, row), condition)
    return (await reader.read({ kind: 'count', model: schema.model.name, where })) > 0
  }

  async decideEach(action: string, rows: readonly Row[]): Promise<readonly Decision[]> {
    const subjects = rows.map((row) => ({ row, applied: this.applied(action, row) }))
    const verdicts = subjects.map(({ applied }) => combine(applied))
    const unsure = rows.filter((_, i) => verdicts[i] === 'ask')
    const allowed = await this.inDatabase(unsure, this.conditionFor(action))
    const isAllowed = (i: number) => verdicts[i] === true || allowed.has(rows[i] as Row)
    const reasons = await this.reasonsFor(subjects.filter((_, i) => !isAllowed(i)))
    return rows.map((row, i) => (isAllowed(i) ? allow() : deny(reasons.get(row))))
  }

  async among(rows: readonly Row[], condition: Condition): Promise<ReadonlySet<Row>> {
    const { provider } = this.subject.resources
    const verdicts = rows.map((row) => judge(condition, { row, provider }))
    const found = await this.inDatabase(
      rows.filter((_, i) => verdicts[i] === 'ask'),
      condition,
    )
    return new Set(rows.filter((row, i) => verdicts[i] === true || found.has(row)))
  }

  private async inDatabase(rows: readonly Row[], condition: Condition): Promise<ReadonlySet<Row>> {
    if (rows.length === 0) return new Set()
    const { schema, reader } = this.subject
    const { columns } = schema.id
    const found = await readNamedRows(reader, schema, { keys: rows, columns, where: condition })
    const keys = new Set(found.map((row) => rowKey(row, columns)))
    return new Set(rows.filter((row) => keys.has(rowKey(row, columns))))
  }

  private applied(action: string, row: Row | null): readonly AppliedRule[] {
    const { schema, resources } = this.subject
    return applyRules(this.rules.rulesFor(action), { row, schema, provider: resources.provider })
  }

  /** `condition` is null if the row is certainly denied. */
  private decideTogether(condition: Condition | null, row: Row): Awaitable<Decision> {
    return condition ? this.holds(row, condition).then((holds) => (holds ? allow() : deny())) : deny()
  }

  /** `condition` is null if the row is certainly denied. */
  private async decideByCounting(
    applied: readonly AppliedRule[],
    condition: Condition | null,
    row: Row,
  ): Promise<Decision> {
    if (condition && (await this.holds(row, condition))) return allow()
    return deny(await this.reasonFor(applied, row))
  }

  /** The message of the strongest `cannot` that holds for the row. */
  private async reasonFor(applied: readonly AppliedRule[], row: Row): Promise<string | undefined> {
    if (!applied.some(({ rule }) => rule.reason)) return undefined
    for (const { rule, holds } of applied) {
      if (!rule.inverted || holds === false) continue
      if (holds !== 'ask' || !(await this.holds(row, not(rule.conditions ?? everything)))) return rule.reason
    }
    return undefined
  }

  /** The same of several rows. The rules are the same for all of them, in the same order. */
  private async reasonsFor(denied: readonly AppliedRow[]): Promise<ReadonlyMap<Row, string>> {
    const reasons = new Map<Row, string>()
    const rules = denied[0]?.applied ?? []
    if (!rules.some(({ rule }) => rule.reason)) return reasons
    let open = denied
    for (const [i, { rule }] of rules.entries()) {
      if (!rule.inverted) continue
      const asked = open.filter(({ applied }) => applied[i]?.holds === 'ask').map(({ row }) => row)
      const spared = await this.inDatabase(asked, not(rule.conditions ?? everything))
      const forbids = ({ row, applied }: AppliedRow) => applied[i]?.holds !== false && !spared.has(row)
      if (rule.reason) for (const { row } of open.filter(forbids)) reasons.set(row, rule.reason)
      open = open.filter((each) => !forbids(each))
    }
    return reasons
  }
}

/** A row, with what each rule makes of it. */
interface AppliedRow {
  readonly row: Row
  readonly applied: readonly AppliedRule[]
}
