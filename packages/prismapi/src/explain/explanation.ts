import { type Awaitable, after } from '@prismapi/jsonapi/model/awaitable'
import {
  type Authorization,
  type Concealed,
  type ExplainedDecision,
  type ObservedRead,
  type Observer,
  type Priced,
  type ServedPhase,
  type Stage,
  untilDone,
} from '@prismapi/jsonapi/request/observer'
import type { Fallback } from '@prismapi/jsonapi/request/telemetry'
import {
  decisionMeta,
  type ExplainedRead,
  type ExplainedServer,
  type ExplainedStatement,
  type HiddenField,
  hiddenMeta,
  placesFor,
  readMeta,
  rounded,
  userMeta,
} from './explain-meta.ts'
import type { RunStatement } from './explained-clients.ts'
import { showValues, showWhere } from './shown-where.ts'

/** Ends the work on a request that is to be authorized and no more. */
export class AuthorizedOnly extends Error {
  override readonly name = 'AuthorizedOnly'
}

/** Collects what there is to say about the answer to one request. */
export class Explanation implements Observer {
  readonly endsAtAuthorization: boolean
  private readonly server: ExplainedServer
  private readonly start = performance.now()
  private readonly stages = new Map<Stage, number>()
  private readonly decisions: ExplainedDecision[] = []
  private readonly hidden: HiddenField[] = []
  private readonly prices: object[] = []
  private readonly levels: ExplainedRead[] = []
  private readonly fallbacks: Fallback[] = []
  private phase: ServedPhase | null = null
  /** The level that begins to be read: its statements run at once. */
  private level: ExplainedRead | null = null
  private isAside = false

  constructor(server: ExplainedServer, endsAtAuthorization: boolean) {
    this.server = server
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

  async authorized({ allowed, isLast, explain }: Authorization): Promise<void> {
    this.decisions.push(await this.aside(explain))
    if (allowed && isLast && this.endsAtAuthorization) throw new AuthorizedOnly()
  }

  linksPermitted(): void {
    if (this.endsAtAuthorization) throw new AuthorizedOnly()
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
    const plan = showWhere(asked.where, asked.model, this.server.schemas)
    const level: ExplainedRead = { asked, plan, statements: [], answer: undefined, milliseconds: null }
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
    const statement: ExplainedStatement = { sql, values: shown, rows: null, milliseconds: null }
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
    const { phase, server } = this
    const { schemas } = server
    const placesOf = placesFor(server, phase?.user ?? null)
    return {
      user: userMeta(phase?.user),
      decisions: this.decisions.map((decided) => decisionMeta(decided, server, placesOf)),
      scopes: Object.fromEntries(
        [...(phase?.scopes ?? [])].map(([model, where]) => [model, showWhere(where, model, schemas).where]),
      ),
      ...(this.hidden.length > 0 && { hidden: this.hidden.map((each) => hiddenMeta(each, server, placesOf)) }),
      prices: this.prices,
      levels: this.levels.map(readMeta),
      ...(this.fallbacks.length > 0 && { fallbacks: this.fallbacks }),
      stages: Object.fromEntries([...this.stages].map(([stage, milliseconds]) => [stage, rounded(milliseconds)])),
      milliseconds: rounded(performance.now() - this.start),
    }
  }
}
