import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type AnyPolicy, methodNames } from '../../auth/policy.ts'
import { declarationsOf } from '../../coverage/declared-rules.ts'
import type { CoveredLine } from '../../coverage/policy-coverage.ts'
import { Prover } from '../../proof/prover.ts'
import { type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { readApplication } from './application.ts'

interface Covered {
  readonly policy: string
  /** Which one it is of its policy, from 1 on; a method's name. */
  readonly rule: number | string
  readonly text: string
  allowed: number
  denied: number
}

/** `prismapi policies coverage`: which rules and methods the tests have seen decide. */
export async function coveragePolicies({ root, values, positionals }: Input, terminal: Terminal): Promise<void> {
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0)
    throw new UsageError('Usage: prismapi policies coverage <file> [--at-least=<percent>] [--json]')
  if (!existsSync(resolve(root, file)))
    throw new UsageError(`There is no ${file}. Run the tests with POLICY_COVERAGE=${resolve(root, file)} first.`)
  const least = Number(values['at-least'] ?? 0)
  if (!(least >= 0 && least <= 100)) throw new UsageError(`--at-least=${values['at-least']} is no percentage.`)
  const prover = new Prover(await readApplication(root))
  const rules = countIn(readFileSync(resolve(root, file), 'utf8'), rulesOf(prover))
  const never = rules.filter(({ allowed, denied }) => allowed + denied === 0)
  terminal.say(values.json === true ? JSON.stringify({ rules, never }, null, 2) : page(rules, terminal))
  const percent = rules.length === 0 ? 100 : (100 * (rules.length - never.length)) / rules.length
  if (percent < least)
    throw new UsageError(`${Math.floor(percent)} % of the rules and methods decided, and not ${least} %.`)
}

/** Every rule that a kind of caller has, and every method. */
function rulesOf(prover: Prover): readonly Covered[] {
  const { app, personas } = prover
  const policies = new Map<string, AnyPolicy>(app.servers.flatMap((server) => [...server.policies]))
  const users = personas.map((persona) => prover.runs(persona)[0].user)
  return [...policies].flatMap(([policy, of]) => [
    ...[...declarationsOf(of, users).keys()].map((text, i) => ({ policy, rule: i + 1, text, allowed: 0, denied: 0 })),
    ...methodNames(of)
      .filter((name) => name !== 'abilities')
      .map((name) => ({ policy, rule: name, text: `${name}()`, allowed: 0, denied: 0 })),
  ])
}

function countIn(text: string, rules: readonly Covered[]): readonly Covered[] {
  const found = new Map(rules.map((rule) => [JSON.stringify([rule.policy, rule.text]), { ...rule }]))
  for (const line of text.split('\n')) {
    if (line === '') continue
    const { policy, text: of, allowed } = JSON.parse(line) as CoveredLine
    const rule = found.get(JSON.stringify([policy, of]))
    if (rule) rule[allowed ? 'allowed' : 'denied']++
  }
  return [...found.values()]
}

function page(rules: readonly Covered[], { paint }: Terminal): string {
  const width = Math.max(...rules.map(({ policy, text }) => policy.length + text.length + 1))
  const lines = rules.map(({ policy, text, allowed, denied }) => {
    const line = `${`${policy} ${text}`.padEnd(width)}  ${String(allowed).padStart(7)}  ${String(denied).padStart(6)}`
    return allowed + denied === 0 ? paint('red', line) : line
  })
  return [`${''.padEnd(width)}  allowed  denied`, ...lines].join('\n')
}
