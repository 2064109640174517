import { policyFile } from '../auth/policy.ts'
import type { OrderTerm } from '../condition/order-term.ts'
import type { Groups } from '../database/reader.ts'
import { type Awaitable, after } from '../model/awaitable.ts'
import type { ExplainedDecision } from '../request/decided.ts'
import type {
  Authorization,
  Concealed,
  ConcealedField,
  ObservedRead,
  Observer,
  Priced,
  ServedPhase,
} from '../request/observer.ts'
import { policyAction } from '../request/operation.ts'
import type { Fallback } from '../request/telemetry.ts'
import { type Stage, untilDone } from '../request/tracing.ts'
import type { SchemaRegistry } from '../schema/resource-schema.ts'
import type { RunStatement } from './explained-clients.ts'
import { type ShownCondition, showValues, showWhere } from './shown-where.ts'

/** Ends the work on a request that is to be authorized and no more. */
export class AuthorizedOnly extends Error {
  override readonly name = 'AuthorizedOnly'
}

interface Level {
  readonly asked: ObservedRead
  readonly plan: ShownCondition
  readonly statements: Statement[]
  answer: unknown
  milliseconds: number | null
}

interface Statement {
  readonly sql: string
  readonly values: readonly unknown[] | null
  rows: number | null
  milliseconds: number | null
}

/** Collects what there is to say about the answer to one request. */
export class Explanation implements Observer {
  readonly endsAtAuthorization: boolean
  private readonly schemas: SchemaRegistry
  private readonly start = performance.now()
  private readonly stages = new Map<Stage, number>()
  private readonly decisions: ExplainedDecision[] = []
  private readonly hidden: (ConcealedField & Pick<Concealed, 'schema'>)[] = []
  private readonly prices: object[] = []
  private readonly levels: Level[] = []
  private readonly fallbacks: Fallback[] = []
  private phase: ServedPhase | null = null
  /** The level that begins to be read: its statements run at once. */
  private level: Level | null = null
  private isAside = false

  constructor(schemas: SchemaRegistry, endsAtAuthorization: boolean) {
    this.schemas = schemas
    this.endsAtAuthorization = endsAtAuthorization
  }

  stage<T>(stage: Stage, work: () => T): T {
    const began = performance.now()
    return untilDone(work, () => {
      this.stages.set(stage, (this.stages.get(stage) ?? 0) + performance.now() - began)
    })
  }

  repeated(): void {}

  served(phase: ServedPhase): void {
    this.phase = phase
  }

  async authorized({ allowed, explain }: Authorization): Promise<void> {
    this.decisions.push(await this.aside(explain))
    if (allowed && this.endsAtAuthorization) throw new AuthorizedOnly()
  }

  concealed({ schema, fields }: Concealed): void {
    if (this.isAside) return
    for (const field of fields) if (field.ids.length > 0) this.hidden.push({ schema, ...field })
  }

  priced({ points, limit, parameters }: Priced): void {
    if (this.isAside) return
    const told = parameters().map((each) => ({ parameter: each.parameter, points: each.points }))
    this.prices.push({ points, limit, parameters: told })
  }

  aroundRead<T>(asked: ObservedRead, work: () => Awaitable<T>): Awaitable<T> {
    if (this.isAside) return work()
    const plan = showWhere(asked.where, asked.model, this.schemas)
    const level: Level = { asked, plan, statements: [], answer: undefined, milliseconds: null }
    this.levels.push(level)
    const outer = this.level
    const began = performance.now()
    this.level = level
    try {
      return after(work(), (answer) => {
        level.answer = answer
        level.milliseconds = performance.now() - began
        return answer
      })
    } finally {
      this.level = outer
    }
  }

  /** What is read at once within is no part of the request. */
  private aside<T>(work: () => T): T {
    this.isAside = true
    try {
      return work()
    } finally {
      this.isAside = false
    }
  }

  readonly runStatement: RunStatement = (sql, values, work) => {
    if (this.level === null) return work()
    const { plan, statements } = this.level
    const shown = plan.isConcealed ? null : showValues(values)
    const statement: Statement = { sql, values: shown, rows: null, milliseconds: null }
    statements.push(statement)
    const began = performance.now()
    return after(work(), (rows) => {
      statement.rows = rows.length
      statement.milliseconds = performance.now() - began
      return rows
    })
  }

  readonly onFallback = (fallback: Fallback): void => {
    if (!this.isAside) this.fallbacks.push(fallback)
  }

  /** What `meta.explain` says. */
  toMeta(): object {
    const { phase, schemas } = this
    return {
      user: userOf(phase?.user),
      decisions: this.decisions.map((decided) => decisionMeta(decided, schemas)),
      scopes: Object.fromEntries(
        [...(phase?.scopes ?? [])].map(([model, where]) => [model, showWhere(where, model, schemas).where]),
      ),
      ...(this.hidden.length > 0 && { hidden: this.hidden.map((each) => hiddenMeta(each, schemas)) }),
      prices: this.prices,
      levels: this.levels.map(levelMeta),
      ...(this.fallbacks.length > 0 && { fallbacks: this.fallbacks }),
      stages: Object.fromEntries([...this.stages].map(([stage, milliseconds]) => [stage, rounded(milliseconds)])),
      milliseconds: rounded(performance.now() - this.start),
    }
  }
}

const rounded = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : Math.round(milliseconds * 100) / 100

/** Nothing of the user but who it is. */
function userOf(user: unknown): object | null {
  if (user === null || user === undefined) return null
  const { id } = user as { readonly id?: unknown }
  return id === undefined ? {} : { id: String(id) }
}

/** A field that is missing of some resources, and the rules about it, the strongest first. */
const hiddenMeta = (
  { schema: { type, model }, name, ids, rules }: ConcealedField & Pick<Concealed, 'schema'>,
  schemas: SchemaRegistry,
): object => ({
  type,
  field: name,
  ids,
  place: policyFile(model.name),
  rules: rules.map((each) => ({ ...each, where: each.where && showWhere(each.where, model.name, schemas).where })),
})

function decisionMeta({ operation, rules, ...decided }: ExplainedDecision, schemas: SchemaRegistry): object {
  const { schema } = operation
  const id = 'id' in operation ? operation.id : null
  const { by, place, allowed, message, decisive } = decided
  return {
    action: policyAction(operation),
    type: schema.type,
    id,
    allowed,
    by,
    place,
    message,
    ...(rules.length > 0 && {
      decisive,
      rules: rules.map((rule) => ({
        ...rule,
        where: rule.where && showWhere(rule.where, schema.model.name, schemas).where,
      })),
    }),
  }
}

function levelMeta({ asked, plan, statements, answer, milliseconds }: Level): object {
  const { skip, take, order, through, takePerParent } = asked
  return {
    operation: asked.operation,
    model: asked.model,
    by: statements.length > 0 ? 'sql' : 'prisma',
    where: plan.where,
    ...(order && { order: order.map(orderText) }),
    ...(skip && { skip }),
    ...(typeof take === 'number' && { take }),
    ...(through && { through }),
    ...(takePerParent !== undefined && { takePerParent }),
    ...(typeof answer === 'number' ? { count: answer } : { rows: rowsIn(answer) }),
    milliseconds: rounded(milliseconds),
    statements: statements.map((each) => ({ ...each, milliseconds: rounded(each.milliseconds) })),
  }
}

/** The number of rows that a read was answered with; null while there is no answer. */
function rowsIn(answer: unknown): number | null {
  if (answer === undefined) return null
  if (Array.isArray(answer)) return answer.length
  if (answer === null) return 0
  return (answer as Partial<Groups>).groups?.length ?? 1
}

const orderText = ({ path, direction }: OrderTerm): string => (direction === 'desc' ? '-' : '') + path.join('.')
