import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  type Assertion,
  checkAssertion,
  parseAssertion,
  readAssertions,
  unknownName,
  type Verdict,
} from '@prismapi/proof/assertion'
import { type Proved, Prover } from '@prismapi/proof/prover'
import { type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { readApplication, serversNamed } from './application.ts'

const file = 'policies/assertions.txt'

/** Sentences, and the server that they are about; null for all that have the model. */
interface Sentences {
  readonly server: string | null
  readonly assertions: readonly Assertion[]
}

/** `prismapi policies assert`: checks one sentence, or `policies/assertions.txt` and that of each server. */
export async function assertPolicies({ root, values, positionals }: Input, terminal: Terminal): Promise<void> {
  const isFile = positionals.length === 0
  const app = serversNamed(await readApplication(root), values.server)
  const all = inUsage(() =>
    isFile ? readFiles(root, app) : [{ server: null, assertions: [parseAssertion(positionals.join(' '))] }],
  )
  const provers = new Map<string | null, Prover>()
  try {
    const verdicts: Verdict[] = []
    const lines: string[] = []
    for (const { server, assertions } of all) {
      for (const assertion of assertions) {
        const prover = provers.get(assertion.ceiling) ?? proverFor(app, assertion)
        provers.set(assertion.ceiling, prover)
        const policies = await prover.model()
        const asked = server === null ? policies : policies.filter((entry) => entry.server === server)
        const verdict = await checked(prover, asked, assertion)
        verdicts.push(verdict)
        lines.push(lineOf(assertion.text + (server === null ? '' : ` (on ${server})`), verdict, terminal))
      }
    }
    if (values.json === true) terminal.say(JSON.stringify(isFile ? verdicts : verdicts[0], null, 2))
    else for (const line of lines) terminal.say(line)
    const fault = faultOf(verdicts)
    if (fault !== null) throw new UsageError(fault)
  } finally {
    for (const prover of provers.values()) await prover.close()
  }
}

/** How many sentences do not hold, and how many code decides; null where all hold. */
function faultOf(verdicts: readonly Verdict[]): string | null {
  const count = (of: boolean | null) => verdicts.filter(({ holds }) => holds === of).length
  const [broken, unknown] = [count(false), count(null)]
  const said = [
    ...(broken > 0 ? [`${broken} of ${verdicts.length} ${broken === 1 ? 'does' : 'do'} not hold`] : []),
    ...(unknown > 0 ? [`${unknown} of ${verdicts.length} ${unknown === 1 ? 'is' : 'are'} not known`] : []),
  ]
  return said.length === 0 ? null : `${said.join(', and ')}.`
}

/** Of an application whose callers may do no more than the sentence says. */
function proverFor(app: Proved, { ceiling: name, text }: Assertion): Prover {
  if (name === null) return new Prover(app)
  const { ceilings = [], userType } = app
  const ceiling = ceilings.find((each) => each.name === name)
  if (ceiling) return new Prover({ ...app, userType: { ...userType, ceiling } })
  const known = ceilings.map((each) => each.name)
  const error =
    known.length === 0 ? new Error('The application declares no scopes of tokens.') : unknownName('limit', name, known)
  throw new UsageError(`${text}: ${error.message}`)
}

function readFiles(root: string, { servers }: Proved): readonly Sentences[] {
  const places = [
    { server: null, place: file },
    ...servers.map((server) => ({ server: server.name, place: `policies/${folderOf(server)}/assertions.txt` })),
  ]
  const found = places.filter(({ place }) => existsSync(join(root, place)))
  if (found.length === 0)
    throw new UsageError(`There is no ${file}. Say a sentence: prismapi policies assert "guest never update Post".`)
  return found.map(({ server, place }) => ({
    server,
    assertions: readAssertions(readFileSync(join(root, place), 'utf8')),
  }))
}

/** The folder of a server, after which that of its policies is called. */
const folderOf = ({ file, name }: Proved['servers'][number]): string =>
  file === undefined ? name : basename(dirname(file))

async function checked(prover: Prover, policies: Awaited<ReturnType<Prover['model']>>, assertion: Assertion) {
  try {
    return await checkAssertion(prover, policies, assertion)
  } catch (error) {
    throw new UsageError(`${assertion.text}: ${(error as Error).message}`, { cause: error })
  }
}

function lineOf(text: string, verdict: Verdict, { paint }: Terminal): string {
  if (verdict.holds === true) return `${paint('green', 'holds')}    ${text}`
  if (verdict.holds === null) return `${paint('yellow', 'unknown')}  ${text}\n         ${verdict.opaque.join('; ')}`
  const { row, who, by, server } = verdict
  const example = [
    ...(server === undefined ? [] : [`on  ${server}`]),
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
