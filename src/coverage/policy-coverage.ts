import { appendFileSync } from 'node:fs'
import { declaredRules } from '../auth/rules.ts'
import type { FieldRule } from '../condition/field-access.ts'
import type { Plugin } from '../http/plugin.ts'
import type { ExplainedDecision } from '../request/decided.ts'
import type { Authorization, Concealed, FieldWritten, Observer, ServedPhase } from '../request/observer.ts'
import { policyAction } from '../request/operation.ts'
import { noTracing } from '../request/tracing.ts'
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
      call.observe(covering)
      return next(call)
    },
})

class Covering implements Observer {
  readonly stage = noTracing.stage
  readonly repeated = noTracing.repeated
  private readonly file: string
  private readonly server: CompiledServer
  private user: unknown = null

  constructor(file: string, server: CompiledServer) {
    this.file = file
    this.server = server
  }

  served({ user }: ServedPhase): void {
    this.user = user
  }

  async authorized(authorization: Authorization): Promise<void> {
    this.note(this.linesOf(await authorization.explain()))
  }

  concealed({ schema, fields }: Concealed): void {
    const told = fields.flatMap(({ ids, isSeen, rules }) => [
      ...(ids.length > 0 ? this.linesAbout(schema.model.name, deciding(rules, false), false) : []),
      ...(isSeen ? this.linesAbout(schema.model.name, deciding(rules, true), true) : []),
    ])
    // A rule that hides several fields has decided once.
    this.note([...new Map(told.map((line) => [JSON.stringify(line), line])).values()])
  }

  fieldWritten({ schema, allowed, rules }: FieldWritten): void {
    this.note(this.linesAbout(schema.model.name, deciding(rules, allowed), allowed))
  }

  // One call for all, so that the lines of several processes do not mix.
  private note(lines: readonly CoveredLine[]): void {
    if (lines.length > 0) appendFileSync(this.file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }

  private linesOf({ by, operation, allowed, rules, decisive }: ExplainedDecision): readonly CoveredLine[] {
    const policy = operation.schema.model.name
    if (by === 'method') return [{ policy, text: `${policyAction(operation)}()`, allowed }]
    if (by !== 'rules') return []
    // Where none holds, each that would have allowed it has denied it.
    const those = rules.filter(({ rule, effect }) => (decisive === null ? effect === 'can' : rule === decisive))
    return this.linesAbout(policy, those, allowed)
  }

  private linesAbout(policy: string, rules: readonly Numbered[], allowed: boolean): readonly CoveredLine[] {
    const known = this.server.policies.get(policy)
    if (!known) return []
    const declared = declaredRules(known, policy, this.user)
    return rules.flatMap(({ rule }) => {
      const declaration = declared[rule - 1]
      return declaration ? [{ policy, text: ruleText(declaration), allowed }] : []
    })
  }
}

type Numbered = Pick<FieldRule, 'rule'>

/** The rules that may have decided about a field: no weaker one than the first that holds for every row. */
function deciding(rules: readonly FieldRule[], allowed: boolean): readonly FieldRule[] {
  const end = rules.findIndex(({ where }) => where === null)
  const asked = end < 0 ? rules : rules.slice(0, end + 1)
  const decided = asked.filter(({ effect }) => effect === (allowed ? 'can' : 'cannot'))
  return decided.length > 0 || allowed ? decided : asked
}
