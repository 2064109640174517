import { type Awaitable, after } from '../../model/awaitable.ts'
import type { OrderTerm, Scopes } from '../../model/where.ts'
import type { AskedLevel, Decided, Explaining } from '../../request/explaining.ts'
import { policyAction } from '../../request/operation.ts'
import { type Stage, type Tracing, untilDone } from '../../request/tracing.ts'
import type { SchemaRegistry } from '../../schema/resource-schema.ts'
import type { RunStatement } from '../../store/around/explained-clients.ts'
import type { LevelPlan } from '../../store/reader.ts'
import { type Shown, showValues, showWhere } from './shown-where.ts'

interface Level {
  readonly asked: AskedLevel
  readonly plan: Shown
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
export class Explanation implements Tracing, Explaining {
  readonly endsAtAuthorization: boolean
  readonly explaining = this
  private readonly schemas: SchemaRegistry
  private readonly start = performance.now()
  private readonly stages = new Map<Stage, number>()
  private readonly decisions: Decided[] = []
  private readonly levels: Level[] = []
  private served: { readonly user: unknown; readonly scopes: Scopes } | null = null
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

  began(served: { readonly user: unknown; readonly scopes: Scopes }): void {
    this.served = served
  }

  decided(decided: Decided): void {
    this.decisions.push(decided)
  }

  aside<T>(work: () => T): T {
    this.isAside = true
    try {
      return work()
    } finally {
      this.isAside = false
    }
  }

  read<T>(asked: AskedLevel, work: () => Awaitable<T>): Awaitable<T> {
    if (this.isAside) return work()
    const plan = showWhere(asked.plan.where, asked.model, this.schemas)
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

  /** What `meta.explain` says. */
  toMeta(): object {
    const { served, schemas } = this
    return {
      user: userOf(served?.user),
      decisions: this.decisions.map((decided) => decisionMeta(decided, schemas)),
      scopes: Object.fromEntries(
        [...(served?.scopes ?? [])].map(([model, where]) => [model, showWhere(where, model, schemas).where]),
      ),
      levels: this.levels.map(levelMeta),
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

function decisionMeta({ operation, rules, ...decided }: Decided, schemas: SchemaRegistry): object {
  const { schema } = operation
  const id = 'id' in operation ? operation.id : null
  const { by, place, allowed, message, decisive } = decided
  return {
    ...{ action: policyAction(operation), type: schema.type, id, allowed, by, place, message },
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
  const { skip, take, order, through, perParent } = asked.plan as PlanParts
  return {
    ...{ operation: asked.operation, model: asked.model },
    by: statements.length > 0 ? 'sql' : 'prisma',
    where: plan.where,
    ...(order && { order: order.map(orderText) }),
    ...(skip && { skip }),
    ...(typeof take === 'number' && { take }),
    ...(through && { through: through.relation }),
    ...(perParent && { takePerParent: perParent.take }),
    ...(typeof answer === 'number' ? { count: answer } : { rows: Array.isArray(answer) ? answer.length : null }),
    milliseconds: rounded(milliseconds),
    statements: statements.map((each) => ({ ...each, milliseconds: rounded(each.milliseconds) })),
  }
}

/** What is told of a plan beside its condition. */
type PlanParts = Partial<Pick<LevelPlan, 'skip' | 'take' | 'order' | 'through' | 'perParent'>>

const orderText = ({ path, direction }: OrderTerm): string => (direction === 'desc' ? '-' : '') + path.join('.')
