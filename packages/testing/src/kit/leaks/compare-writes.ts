import type { Answer, TestRequest } from '../../send.ts'
import { eachOf } from '../each-of.ts'
import { sampleOf } from '../random.ts'
import { type AskedActions, actionsAt, actionsWith } from './actions.ts'
import type { ReadWorld } from './hidden-world.ts'
import { lookFor } from './look.ts'
import { difference, wholeOf } from './walk.ts'
import { hiddenRows, schemasOf } from './world.ts'
import { linksOf, type Named, writesOf } from './writes.ts'

/** What is written and done, beside what has to be refused. */
export interface Done {
  /** Rows that may be seen are linked with hidden ones. */
  readonly writes: boolean
  readonly actions: AskedActions
}

/** What a write or an action told. */
export interface DescribedWrite {
  readonly request: TestRequest
  readonly what: string
}

interface Pair {
  readonly hidden: TestRequest
  readonly missing: TestRequest
  readonly ids: Ids
}

/** The ids that the requests name. */
interface Ids {
  readonly hidden: string
  readonly missing: string
}

/**
 * Compares the answers to writes of a hidden row, and to actions with its id, with the answers for a row that never
 * was; at most `sample` requests of each kind.
 */
export async function compareWrites(
  read: ReadWorld,
  { writes, actions }: Done,
  { ask, sample }: { readonly ask: (request: TestRequest) => Promise<Answer>; readonly sample: number },
): Promise<readonly DescribedWrite[]> {
  const { world } = read
  const requestsOf = (named: Named): readonly TestRequest[] => [
    ...writesOf(read, named),
    ...actionsAt(read, named, actions),
    ...(writes ? linksOf(read, named) : []),
    ...actionsWith(read, named, actions),
  ]
  const pairs = schemasOf(world).flatMap((schema) => {
    const absent = world.missing.get(schema.model.name) as string
    const missing = requestsOf({ schema, id: absent })
    return hiddenRows(world, schema).flatMap(({ id }) => {
      const ids = { hidden: id, missing: absent }
      return requestsOf({ schema, id }).map((hidden, i): Pair => ({ hidden, missing: missing[i] as TestRequest, ids }))
    })
  })
  const told: DescribedWrite[] = []
  await eachOf(sampleOf(pairs, sample, 1), async ({ hidden, missing, ids }) => {
    // One after the other: what leaks has changed something, which the other one may see.
    const other = await ask(missing)
    const answer = await ask(hidden)
    if (answered(answer) === answered(other)) return
    // An action may answer each time with something new, a secret for example, and repeat what it was sent.
    if (isTheSame(answered(answer), [answered(other), answered(await ask(missing))], ids)) return
    told.push({
      request: hidden,
      what: `is told from a missing one: ${difference(answered(answer), answered(other))}`,
    })
  })
  const look = lookFor(world)
  await eachOf(actionsWith(read, null, actions), async (request) => {
    const { document, headers } = await ask(request)
    const found = look({ document, headers }, `${request.path} ${request.body ?? ''}`, new Set())
    told.push(...found.map((what) => ({ request, what })))
  })
  return told
}

/** What was answered, without the path that was asked for, which errors may repeat. */
const answered = (answer: Answer): string => `${answer.status} ${wholeOf(answer).replaceAll(answer.request.path, '…')}`

/** Does an answer differ only where answers to one request do, and by the id that was sent. */
function isTheSame(answer: string, [one, another]: readonly [string, string], ids: Ids): boolean {
  const [mine, theirs, again] = [partsOf(answer), partsOf(one), partsOf(another)]
  return (
    mine.length === theirs.length &&
    mine.every((part, i) => {
      const their = theirs[i] as string
      return part === their || their !== again[i] || part.replaceAll(ids.hidden, ids.missing) === their
    })
  )
}

/** The texts and numbers of an answer, and what is between them. */
const partsOf = (answer: string): readonly string[] => answer.split(/("(?:[^"\\]|\\.)*"|\d+)/)
