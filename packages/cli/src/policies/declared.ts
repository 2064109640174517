import { type AnyPolicy, methodNames, policyFile, policyName } from '@prismapi/core/auth/policy'
import type { DeclaredRule as Declaration } from '@prismapi/core/auth/rules'
import { declarationsOf } from '@prismapi/proof/coverage/declared-rules'
import { personaName } from '@prismapi/proof/model/persona'
import type { Prover } from '@prismapi/proof/prover'
import { messageOf } from '../load-file.ts'
import type { Terminal } from '../terminal.ts'

/** A policy, by what it says. */
export interface DeclaredPolicy {
  /** Its model; of one that a server has of its own, behind the folder of that server: `public/Post`. */
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

/**
 * The policies of all servers, by model. Warns if abilities throw for some caller, because rules may be missing then.
 */
export function policiesOf(prover: Prover, terminal: Terminal): readonly DeclaredPolicy[] {
  const policies = new Map(
    prover.app.servers.flatMap((server) =>
      [...server.policies].map(([model, of]) => [policyName(model, of), { model, of }] as const),
    ),
  )
  return [...policies].map(([policy, { model, of }]) => ({
    policy,
    rules: rulesOf(model, of, { prover, terminal }),
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
    terminal.complain(
      `${policyFile(model, policy)}: abilities() throws for ${who}, so rules may be missing here: ${message}`,
    )
  }
  return [...rules].map(([text, declaration], i) => ({ rule: i + 1, text, declaration }))
}
