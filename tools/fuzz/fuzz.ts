import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import { randomNumbers } from '../../test/support/readers/random-rows.ts'
import { Coverage } from './coverage.ts'
import { mutated } from './mutate.ts'
import type { Target } from './target.ts'

/** An input on which the parser fails, and how. */
export interface Finding {
  readonly input: string
  readonly error: Error
}

export interface Fuzzed {
  readonly inputs: number
  /** How many of them took a way that none had taken before. */
  readonly kept: number
  readonly coverage: Coverage
  readonly finding: Finding | null
}

/** Milliseconds of CPU that one input may take: a busy machine makes no finding. */
const longest = 1000
/** Milliseconds after which an endless one is ended, and after which a finding is not made smaller. */
const endless = 120_000
const enough = 30_000
/** So many at once, of which so many are new. */
const [batch, fresh] = [256, 32]

/**
 * Gives a parser inputs until the time is over or one fails. Some are new; most are changes of those that took a way through the
 * parser which none had taken before.
 */
export function fuzz(target: Target, { seconds, seed }: { readonly seconds: number; readonly seed: number }): Fuzzed {
  const random = randomNumbers(seed)
  const coverage = new Coverage()
  const kept: string[] = []
  const any = () => kept[Math.floor(random() ** 2 * kept.length)] ?? ''
  let [inputs, finding, drawn] = [0, null as Finding | null, 0]
  const end = performance.now() + seconds * 1000
  while (finding === null && (performance.now() < end || inputs === 0)) {
    const next = fc.sample(target.inputs, { seed: seed + drawn++, numRuns: fresh })
    while (next.length < batch) next.push(mutated(any(), any(), target.words, random))
    finding = findingOf(target, next, (input) => {
      inputs++
      // The newest in front, where they are taken most.
      if (coverage.takesNew()) kept.unshift(input)
    })
  }
  return { inputs, kept: kept.length, coverage, finding: finding && smaller(target, finding) }
}

const work = new Script('work()')

function findingOf(target: Target, inputs: readonly string[], done: (input: string) => void): Finding | null {
  let current = ''
  const checkAll = () => {
    for (const input of inputs) {
      current = input
      const start = process.cpuUsage()
      target.check(input)
      const { user, system } = process.cpuUsage(start)
      const took = (user + system) / 1000
      if (took > longest) throw new Error(`It takes ${took.toFixed(0)} ms of CPU`)
      done(input)
    }
  }
  try {
    // It alone can end what never ends, such as a regular expression that goes back and forth.
    work.runInContext(createContext({ work: checkAll }), { timeout: endless })
    return null
  } catch (error) {
    return { input: current, error: error as Error }
  }
}

/** The same failure without the parts that do not matter, as far as they are found in a while. */
function smaller(target: Target, { input, error }: Finding): Finding {
  let found: Finding = { input, error }
  const end = performance.now() + enough
  for (let size = input.length >> 1; size > 0 && performance.now() < end; size >>= 1)
    for (let at = 0; at < found.input.length; ) {
      const shorter = found.input.slice(0, at) + found.input.slice(at + size)
      const again = findingOf(target, [shorter], () => {})
      if (again?.error.name === error.name) found = again
      else at += size
    }
  return found
}
