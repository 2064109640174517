import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import { type Mutant, type Mutation, mutationsOf } from '@prismapi/proof/coverage/mutants'
import type { CoveredLine } from '@prismapi/proof/coverage/policy-coverage'
import { Prover } from '@prismapi/proof/prover'
import { type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { readApplication } from './application.ts'
import { changesNothing } from './changes-nothing.ts'
import { leastPercent } from './coverage.ts'
import { type DeclaredPolicy, policiesOf } from './declared.ts'
import { TestRuns, testFiles } from './test-runs.ts'

/** What no test noticed. */
interface Survivor {
  readonly policy: string
  /** Which one it is of its policy, from 1 on. */
  readonly rule: number
  readonly change: string
}

/**
 * `prismapi policies mutate`: changes one rule after the other, and names the changes that no test notices. The test
 * processes preload the change, so that no file is edited.
 */
export async function mutatePolicies({ root, values, positionals }: Input, terminal: Terminal): Promise<void> {
  const least = leastPercent(values)
  const files = testFiles(root, positionals.length === 0 ? ['test'] : positionals)
  const app = await readApplication(root)
  const mutants = mutantsOf(chosen(policiesOf(new Prover(app), terminal), values.policy))
  const isJson = values.json === true
  const runs = new TestRuns(root, String(values.command ?? 'npx vitest run --bail=1'))
  const stop = () => runs.stop()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const folder = mkdtempSync(join(tmpdir(), 'prismapi-mutate-'))
  const survived: Survivor[] = []
  let killed = 0
  try {
    const deciding = await decisions(runs, files, folder)
    for (const { policy, rule, change, mutant } of mutants) {
      const parts = partsOf(files, deciding.get(ruleKey(mutant.policy, mutant.rule)) ?? [])
      const isKilled = await fails(runs, parts, mutant)
      const proof = isKilled ? null : await changesNothing(app, mutant)
      const end = proof === null ? 'noticed' : proof.same ? 'the same' : 'survived'
      if (end === 'noticed') killed++
      if (end === 'survived') survived.push({ policy, rule, change })
      if (!isJson) terminal.say(lineOf({ policy, rule, change }, end, terminal))
      if (proof?.unproven)
        terminal.complain(`${policy} ${rule}: ${change}: it counts, because no proof was found: ${proof.unproven}`)
    }
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    rmSync(folder, { recursive: true })
  }
  const counted = killed + survived.length
  const percent = (100 * killed) / Math.max(counted, 1)
  terminal.say(
    isJson
      ? JSON.stringify({ mutants: counted, killed, survived }, null, 2)
      : `${killed} of ${counted} changes were noticed.`,
  )
  if (percent < least) throw new UsageError(`${Math.floor(percent)} % of the changes were noticed, and not ${least} %.`)
}

function chosen(policies: readonly DeclaredPolicy[], named: unknown): readonly DeclaredPolicy[] {
  if (named === undefined) return policies
  const found = policies.filter(({ policy }) => policy === named)
  if (found.length > 0) return found
  const meant = nearest(
    String(named),
    policies.map(({ policy }) => policy),
  )
  throw new UsageError(`There is no policy of "${named}".${meant ? ` Did you mean ${meant}?` : ''}`)
}

interface PlannedMutant extends Survivor {
  readonly mutant: Mutant
}

const mutantsOf = (policies: readonly DeclaredPolicy[]): readonly PlannedMutant[] =>
  policies.flatMap(({ policy, rules }) =>
    rules.flatMap(({ rule, text, declaration }) =>
      mutationsOf(declaration).map((mutation) => ({
        policy,
        rule,
        change: changeOf(text, mutation),
        mutant: { policy, rule: text, mutation },
      })),
    ),
  )

function changeOf(text: string, mutation: Mutation): string {
  switch (mutation.kind) {
    case 'drop':
      return `${text} is dropped`
    case 'flip':
      return `${text} is flipped to ${text.startsWith('cannot(') ? 'can' : 'cannot'}`
    case 'widen':
      return `${text} is without its condition`
    case 'drop fields':
      return `${text} is about whole rows`
    case 'drop conjunct':
      return `${text} is without ${mutation.member}`
    default:
      return mutation satisfies never
  }
}

const ruleKey = (policy: string, text: string): string => JSON.stringify([policy, text])

/**
 * Runs each file of tests alone, without a change: which ones see a rule decide, that with the most decisions first.
 *
 * @throws {UsageError} for a file that fails: nothing would follow from its failure later.
 */
async function decisions(
  runs: TestRuns,
  files: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const counts = new Map<string, Map<string, number>>()
  for (const [i, file] of files.entries()) {
    const lines = join(folder, `${i}.jsonl`)
    const { passed, output } = await runs.run([file], { coverage: lines })
    if (!passed) throw new UsageError(`${file} fails without any change of a policy:\n${output.trimEnd()}`)
    for (const line of existsSync(lines) ? readFileSync(lines, 'utf8').trimEnd().split('\n') : []) {
      const { policy, text } = JSON.parse(line) as CoveredLine
      const ofRule = counts.get(ruleKey(policy, text)) ?? new Map<string, number>()
      counts.set(ruleKey(policy, text), ofRule.set(file, (ofRule.get(file) ?? 0) + 1))
    }
  }
  const byCount = (found: ReadonlyMap<string, number>) => [...found].sort(([, a], [, b]) => b - a).map(([file]) => file)
  return new Map([...counts].map(([rule, found]) => [rule, byCount(found)]))
}

/** The test files by how likely they fail: where the rule decides most often, where else it decides, the rest. */
function partsOf(files: readonly string[], [first, ...others]: readonly string[]): readonly (readonly string[])[] {
  const rest = files.filter((file) => file !== first && !others.includes(file))
  return [first === undefined ? [] : [first], others, rest].filter((part) => part.length > 0)
}

/** Does one of the parts of the tests fail; those after it are not run. */
async function fails(runs: TestRuns, parts: readonly (readonly string[])[], mutant: Mutant): Promise<boolean> {
  for (const part of parts) if (!(await runs.run(part, { mutant })).passed) return true
  return false
}

/** What became of a change: that the policies decide the same with it is proven, so it does not count. */
type End = 'noticed' | 'survived' | 'the same'

const colours = { noticed: 'green', survived: 'red', 'the same': 'yellow' } as const

const lineOf = ({ policy, rule, change }: Survivor, end: End, { paint }: Terminal): string =>
  `${paint(colours[end], end.padEnd(8))}  ${policy} ${rule}: ${change}`
