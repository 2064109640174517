import { type ApiBeingMade, apiBeingMade } from '@prismapi/core/http/api'
import { type Mutant, mutate } from './mutants.ts'
import { policyCoverage } from './policy-coverage.ts'

/** Lets every API that this process makes from now on note in a file which rules decide; null to note nothing. */
export const coverPolicies = (fileNow: () => string | null): void =>
  whenMade(({ plugins }) => {
    const file = fileNow()
    // By name, so that an API that hears of it twice writes each decision once.
    if (file !== null) plugins.set('policy coverage', policyCoverage(file))
  })

/** Has every API that this process makes from here on decide with a change of a rule. */
export const mutatePolicy = (mutant: Mutant): void =>
  whenMade(({ policies }) => {
    for (const [name, policy] of policies) if (name === mutant.policy) mutate(policy, mutant)
  })

const whenMade = (subscriber: (api: ApiBeingMade) => void): void =>
  apiBeingMade.subscribe((message) => subscriber(message as ApiBeingMade))
