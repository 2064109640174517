import fc from 'fast-check'
import type { TestRequest } from '../../send.ts'
import { answerFaults } from '../judges/answer-faults.ts'
import type { Asker } from '../tested.ts'
import {
  changingEndpoints,
  type FuzzedEndpoint,
  type FuzzGrounds,
  operationsEndpoints,
  pageEndpoint,
  readingEndpoints,
} from './endpoints.ts'

// The one way into fast-check, which not every application has: loaded by the first check that needs it.

/** What one check sends. */
export type FuzzedPart =
  | { readonly kind: 'reads' | 'writes'; readonly type: string }
  | { readonly kind: 'pages' }
  | { readonly kind: 'operations' }

export interface FuzzRun {
  readonly grounds: FuzzGrounds
  readonly part: FuzzedPart
  /** Each request is sent as one of them. */
  readonly askers: readonly Asker[]
  readonly seed: number
  readonly runs: number
}

function endpointsOf(grounds: FuzzGrounds, part: FuzzedPart): readonly FuzzedEndpoint[] {
  if (part.kind === 'pages') return [pageEndpoint(grounds)]
  if (part.kind === 'operations') return operationsEndpoints(grounds)
  const schema = grounds.server.schemas.byType.get(part.type)
  if (!schema) return []
  return part.kind === 'reads' ? readingEndpoints(grounds, schema) : changingEndpoints(grounds, schema)
}

/** The smallest request that was found for each endpoint with an answer that is wrong, a line each. */
export async function fuzzFaults({ grounds, part, askers, seed, runs }: FuzzRun): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { name, requests } of endpointsOf(grounds, part)) {
    const property = fc.asyncProperty(requests, fc.nat({ max: askers.length - 1 }), async (request, turn) => {
      const found = await faultsOf(request, askers[turn] as Asker)
      if (found.length > 0) throw new Error(found.join('; '))
    })
    const { failed, counterexample, errorInstance } = await fc.check(property, {
      seed: seedOf(seed, name),
      numRuns: runs,
    })
    if (!failed || !counterexample) continue
    const [{ method, path, body }, turn] = counterexample
    const words = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
    faults.push(
      `${method} ${path} as ${(askers[turn] as Asker).caller}${body === undefined ? '' : ` with ${body}`}: ${words}`,
    )
  }
  return faults
}

/** Another one for each endpoint, so that not all of them are asked alike. */
const seedOf = (seed: number, name: string): number =>
  [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, seed)

async function faultsOf(request: TestRequest, { server, ask }: Asker): Promise<readonly string[]> {
  try {
    return answerFaults(server, request, await ask(request))
  } catch (error) {
    return [`there is no answer: ${String(error)}`]
  }
}
