import { compiledRules } from '../../auth/compiled-rules.ts'
import type { CaslRule } from '../../auth/judge-rules.ts'
import { policyMethod } from '../../auth/policy.ts'
import { everything } from '../../condition/build.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { CompiledServer } from '../../server/compile.ts'
import { always, both, either, type Formula, negated, never, opaque } from '../formula.ts'
import { atTime, type Run } from './symbols.ts'
import { shapeless, toFormula } from './to-formula.ts'

/** What the policies say of actions, for one kind of caller. */
export type RulesOf = (schema: ResourceSchema, action: string) => Promise<Formula>

/** What the policies of a server say, for one kind of caller: abilities are run once for each model and run. */
export function rulesFor(server: CompiledServer, runs: readonly [Run, Run]): RulesOf {
  const known = new Map<string, Promise<(action: string) => Formula>>()
  return async (schema, action) => {
    const model = schema.model.name
    const policy = server.policies.get(model)
    if (!policy) return never
    if (policyMethod(policy, action)) return opaque(`${action}() of its policy is code`)
    const ofModel = known.get(model) ?? readRules(server, schema, runs)
    known.set(model, ofModel)
    return (await ofModel)(action)
  }
}

type Rules = (action: string) => readonly CaslRule[]

async function readRules(
  server: CompiledServer,
  schema: ResourceSchema,
  runs: readonly [Run, Run],
): Promise<(action: string) => Formula> {
  const policy = server.policies.get(schema.model.name)
  if (!policy) return () => never
  const compiled = ({ user, now }: Run) =>
    atTime(now, (): Rules => compiledRules(policy, schema, server.resources, user).rulesFor)
  try {
    const [first, second] = [await compiled(runs[0]), await compiled(runs[1])]
    return (action) => combine(first(action), second(action), runs)
  } catch (error) {
    const reason = `abilities(): ${(error as Error).message}`
    return () => opaque(reason)
  }
}

/** CASL gives the strongest rule first: each one decides on what those after it leave to it. */
function combine(first: readonly CaslRule[], second: readonly CaslRule[], runs: readonly [Run, Run]): Formula {
  const isAlike = first.length === second.length && first.every((rule, i) => rule.inverted === second[i]?.inverted)
  if (!isAlike) return opaque(`abilities(): ${shapeless}`)
  return first.reduceRight((weaker: Formula, rule, i) => {
    const { conditions = everything } = rule
    const formula = toFormula([conditions, second[i]?.conditions ?? everything], runs)
    return rule.inverted ? both(weaker, negated(formula)) : either(weaker, formula)
  }, never)
}

/** A decision as a formula. */
export const constantOf = (isAllowed: boolean): Formula => (isAllowed ? always : never)
