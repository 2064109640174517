import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Assertion, checkAssertion, parseAssertion, readAssertions, type Verdict } from '../../proof/assertion.ts'
import { Prover } from '../../proof/prover.ts'
import { type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { readApplication } from './application.ts'

const file = 'policies/assertions.txt'

/** `prismapi policies assert`: one sentence, or all of the file. */
export async function assertPolicies({ root, values, positionals }: Input, terminal: Terminal): Promise<void> {
  const isFile = positionals.length === 0
  const assertions = inUsage(() => (isFile ? readFile(root) : [parseAssertion(positionals.join(' '))]))
  const prover = new Prover(await readApplication(root))
  try {
    const policies = await prover.model()
    const verdicts: Verdict[] = []
    for (const assertion of assertions) verdicts.push(await checked(prover, policies, assertion))
    if (values.json === true) terminal.say(JSON.stringify(isFile ? verdicts : verdicts[0], null, 2))
    else assertions.forEach((assertion, i) => void terminal.say(lineOf(assertion, verdicts[i] as Verdict, terminal)))
    const broken = verdicts.filter(({ holds }) => holds !== true).length
    if (broken > 0) throw new UsageError(`${broken} of ${assertions.length} ${broken === 1 ? 'does' : 'do'} not hold.`)
  } finally {
    await prover.close()
  }
}

function readFile(root: string): readonly Assertion[] {
  if (!existsSync(join(root, file)))
    throw new UsageError(`There is no ${file}. Say a sentence: prismapi policies assert "guest never update Post".`)
  return readAssertions(readFileSync(join(root, file), 'utf8'))
}

async function checked(prover: Prover, policies: Awaited<ReturnType<Prover['model']>>, assertion: Assertion) {
  try {
    return await checkAssertion(prover, policies, assertion)
  } catch (error) {
    throw new UsageError(`${assertion.text}: ${(error as Error).message}`, { cause: error })
  }
}

function lineOf({ text }: Assertion, verdict: Verdict, { paint }: Terminal): string {
  if (verdict.holds === true) return `${paint('green', 'holds')}    ${text}`
  if (verdict.holds === null) return `${paint('yellow', 'unknown')}  ${text}\n         ${verdict.opaque.join('; ')}`
  const { row, who, by } = verdict
  const example = [
    `who ${JSON.stringify(who)}`,
    ...(by === undefined ? [] : [`by  ${by}`]),
    ...(row ? [`row ${JSON.stringify(row)}`] : []),
  ]
  return `${paint('red', 'broken')}   ${text}\n${example.map((each) => `         ${each}`).join('\n')}`
}

function inUsage<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}
