import { type AnyPolicy, policyName } from '@prismapi/core/auth/policy'
import { type Mutant, mutate } from '@prismapi/proof/coverage/mutants'
import { differences } from '@prismapi/proof/differences'
import { policyModel } from '@prismapi/proof/model/policy-model'
import { type Proved, Prover } from '@prismapi/proof/prover'
import { messageOf } from '../load-file.ts'

/** Whether policies provably decide the same after the change of a rule. `unproven` says why the proof failed. */
interface Proof {
  readonly same: boolean
  readonly unproven: string | null
}

/** Proves whether policies decide the same with the change of a rule: no test can notice it then. */
export async function changesNothing(app: Proved, mutant: Mutant): Promise<Proof> {
  const changed = withMutant(app, mutant)
  const prover = new Prover(changed)
  try {
    const { personas } = prover
    const [here, there] = [changed, app].map(({ servers }) => policyModel(servers, personas, app.userType))
    const { changes, opaque } = await differences(prover, (await here) ?? [], (await there) ?? [])
    const same = changes.length === 0 && opaque.every(({ model }) => model !== mutant.policy.split('/').at(-1))
    return { same, unproven: null }
  } catch (error) {
    return { same: false, unproven: messageOf(error) }
  } finally {
    await prover.close()
  }
}

function withMutant(app: Proved, mutant: Mutant): Proved {
  const servers = app.servers.map((server) => {
    const [model, policy] = [...server.policies].find(([name, each]) => policyName(name, each) === mutant.policy) ?? []
    if (model === undefined || !policy) return server
    const changed = mutate(new (policy.constructor as new () => AnyPolicy)(), mutant)
    return Object.freeze({ ...server, policies: new Map([...server.policies, [model, changed]]) })
  })
  return { ...app, servers }
}
