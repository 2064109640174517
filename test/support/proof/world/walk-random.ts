import type { PolicyModel } from '@prismapi/proof/model/policy-model'
import type { WorldProvider } from './in-process-client.ts'
import { openWorld } from './open-world.ts'
import { randomApplication } from './random-application.ts'
import { newTally, type WalkTally, walk } from './walk.ts'

export interface WalkedApplications {
  readonly provider: WorldProvider
  /** The number of an application is its seed. */
  readonly from: number
  readonly applications: number
  readonly requests: number
  /** What the proofs are told of an application, where that is not all. */
  readonly told?: (policies: PolicyModel) => PolicyModel
}

/** So many random applications, one after the other. */
export async function walkRandom({
  provider,
  from,
  applications,
  requests,
  told,
}: WalkedApplications): Promise<WalkTally> {
  const tally = newTally()
  for (let seed = from; seed < from + applications; seed++) {
    const world = await openWorld(randomApplication(seed, provider), provider)
    try {
      const model = await world.prover.model()
      await walk(world, { seed, requests, tally, policies: told ? told(model) : model })
    } catch (error) {
      throw new Error(`The application ${seed}: ${(error as Error).message}`, { cause: error })
    } finally {
      await world.close()
    }
  }
  return tally
}
