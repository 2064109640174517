import { type AnyPolicy, methodNames, policyFile } from '../../auth/policy.ts'
import type { DeclaredRule as Declaration } from '../../auth/rules.ts'
import { declarationsOf } from '../../coverage/declared-rules.ts'
import { personaName } from '../../proof/model/persona.ts'
import type { Prover } from '../../proof/prover.ts'
import { messageOf } from '../load-file.ts'
import type { Terminal } from '../terminal.ts'

/** A policy, by what it says. */
export interface DeclaredPolicy {
  /** Its model. */
  readonly policy: string
  /** Each rule that a kind of caller has. */
  readonly rules: readonly DeclaredRule[]
  /** The names of its methods. */
  readonly methods: readonly string[]
}

export interface DeclaredRule {
  /** Which one it is of its policy, from 1 on. */
  readonly rule: number
  readonly text: string
  readonly declaration: Declaration
}

/** The policies of all servers, by models. Complains about those whose abilities throw, with the callers: more rules may be there. */
export function policiesOf(prover: Prover, terminal: Terminal): readonly DeclaredPolicy[] {
  const policies = new Map<string, AnyPolicy>(prover.app.servers.flatMap((server) => [...server.policies]))
  return [...policies].map(([policy, of]) => ({
    policy,
    rules: rulesOf(policy, of, { prover, terminal }),
    methods: methodNames(of).filter((name) => name !== 'abilities'),
  }))
}

function rulesOf(
  model: string,
  policy: AnyPolicy,
  { prover, terminal }: { readonly prover: Prover; readonly terminal: Terminal },
): readonly DeclaredRule[] {
  const names = new Map(prover.personas.map((persona) => [prover.runs(persona)[0].user, personaName(persona)]))
  const { rules, thrown } = declarationsOf(policy, [...names.keys()])
  for (const message of new Set(thrown.map(({ error }) => messageOf(error)))) {
    const those = thrown.filter(({ error }) => messageOf(error) === message)
    const who = those.map(({ user }) => names.get(user)).join(', ')
    terminal.complain(`${policyFile(model)}: abilities() throws for ${who}, so rules may be missing here: ${message}`)
  }
  return [...rules].map(([text, declaration], i) => ({ rule: i + 1, text, declaration }))
}
