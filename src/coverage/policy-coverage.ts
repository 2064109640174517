import { appendFileSync } from 'node:fs'
import { declaredRules } from '../auth/rules.ts'
import type { Plugin } from '../http/plugin.ts'
import type { ExplainedDecision } from '../request/decided.ts'
import { type Authorization, bothObservers, type Observer, type ServedPhase } from '../request/observer.ts'
import { policyAction } from '../request/operation.ts'
import type { CompiledServer } from '../server/compile.ts'
import { ruleText } from './rule-text.ts'

/** A rule or a method that decided: a line of the file, as JSON. */
export interface CoveredLine {
  readonly policy: string
  /** The text of a rule, or `update()`. */
  readonly text: string
  readonly allowed: boolean
}

/** For runs of tests: which rules and methods of policies decide is written to a file, a line for each decision. */
export const policyCoverage = (file: string): Plugin => ({
  around:
    (next, { server }) =>
    (call) => {
      const covering = new Covering(file, server)
      call.observer = call.observer ? bothObservers(call.observer, covering) : covering
      return next(call)
    },
})

class Covering implements Observer {
  private readonly file: string
  private readonly server: CompiledServer
  private user: unknown = null

  constructor(file: string, server: CompiledServer) {
    this.file = file
    this.server = server
  }

  stage<T>(_stage: unknown, work: () => T): T {
    return work()
  }

  repeated(): void {}

  served({ user }: ServedPhase): void {
    this.user = user
  }

  async authorized(authorization: Authorization): Promise<void> {
    const lines = this.linesOf(await authorization.explain())
    // One call for all, so that the lines of several processes do not mix.
    if (lines.length > 0) appendFileSync(this.file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }

  private linesOf({ by, operation, allowed, rules, decisive }: ExplainedDecision): readonly CoveredLine[] {
    const policy = operation.schema.model.name
    if (by === 'method') return [{ policy, text: `${policyAction(operation)}()`, allowed }]
    const known = this.server.policies.get(policy)
    if (by !== 'rules' || !known) return []
    const declared = declaredRules(known, policy, this.user)
    // Where none holds, each that would have allowed it has denied it.
    const deciding = rules.filter(({ rule, effect }) => (decisive === null ? effect === 'can' : rule === decisive))
    return deciding.flatMap(({ rule }) => {
      const declaration = declared[rule - 1]
      return declaration ? [{ policy, text: ruleText(declaration), allowed }] : []
    })
  }
}
