import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CoveredLine } from '@prismapi/proof/coverage/policy-coverage'
import { Prover } from '@prismapi/proof/prover'
import { type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { readApplication } from './application.ts'
import { policiesOf } from './declared.ts'

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
  const least = leastPercent(values)
  const lines = readLines(file, readFileSync(resolve(root, file), 'utf8'))
  const prover = new Prover(await readApplication(root))
  const rules = countIn(lines, rulesOf(prover, terminal))
  const never = rules.filter(({ allowed, denied }) => allowed + denied === 0)
  terminal.say(values.json === true ? JSON.stringify({ rules, never }, null, 2) : page(rules, terminal))
  const percent = rules.length === 0 ? 100 : (100 * (rules.length - never.length)) / rules.length
  if (percent < least)
    throw new UsageError(`${Math.floor(percent)} % of the rules and methods decided, and not ${least} %.`)
}

const rulesOf = (prover: Prover, terminal: Terminal): readonly Covered[] =>
  policiesOf(prover, terminal).flatMap(({ policy, methods, rules }) => [
    ...rules.map(({ rule, text }) => ({ policy, rule, text, allowed: 0, denied: 0 })),
    ...methods.map((name) => ({ policy, rule: name, text: `${name}()`, allowed: 0, denied: 0 })),
  ])

const readLines = (file: string, text: string): readonly CoveredLine[] =>
  text.split('\n').flatMap((line, i) => {
    if (line === '') return []
    try {
      return [JSON.parse(line) as CoveredLine]
    } catch (error) {
      throw new UsageError(
        `${file}, line ${i + 1}: that is no line of POLICY_COVERAGE. Delete the file and run the tests again.`,
        { cause: error },
      )
    }
  })

function countIn(lines: readonly CoveredLine[], rules: readonly Covered[]): readonly Covered[] {
  const found = new Map(rules.map((rule) => [JSON.stringify([rule.policy, rule.text]), { ...rule }]))
  for (const { policy, text, allowed } of lines) {
    const rule = found.get(JSON.stringify([policy, text]))
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

/** What `--at-least` says; 0 where it is left out. */
export function leastPercent(values: Readonly<Record<string, unknown>>): number {
  const least = Number(values['at-least'] ?? 0)
  if (least >= 0 && least <= 100) return least
  throw new UsageError(`--at-least=${values['at-least']} is no percentage.`)
}
