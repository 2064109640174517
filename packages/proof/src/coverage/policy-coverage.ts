import { appendFileSync } from 'node:fs'
import { policyName } from '@prismapi/core/auth/policy'
import { declaredRules } from '@prismapi/core/auth/rules'
import type { Plugin } from '@prismapi/core/http/plugin'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { FieldRule } from '@prismapi/jsonapi/condition/scopes'
import {
  type Authorization,
  type Concealed,
  type ExplainedDecision,
  type FieldWritten,
  noTracing,
  type Observer,
  type ServedPhase,
} from '@prismapi/jsonapi/request/observer'
import { policyAction } from '@prismapi/jsonapi/request/operation'
import { ruleText } from './declared-rules.ts'

/** A rule or a method that decided: a line of the file, as JSON. */
export interface CoveredLine {
  /** How tools call it: by its model, and the folder of a server that has its own. */
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
    const model = operation.schema.model.name
    if (by === 'method') return [{ policy: this.nameOf(model), text: `${policyAction(operation)}()`, allowed }]
    if (by !== 'rules') return []
    // Where none holds, each that would have allowed it has denied it.
    const those = rules.filter(({ rule, effect }) => (decisive === null ? effect === 'can' : rule === decisive))
    return this.linesAbout(model, those, allowed)
  }

  private nameOf(model: string): string {
    const policy = this.server.policies.get(model)
    return policy ? policyName(model, policy) : model
  }

  private linesAbout(model: string, rules: readonly Numbered[], allowed: boolean): readonly CoveredLine[] {
    const known = this.server.policies.get(model)
    if (!known) return []
    const declared = declaredRules(known, model, this.user)
    const policy = this.nameOf(model)
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
