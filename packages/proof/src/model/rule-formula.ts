import type { FieldAction } from '@prismapi/core/auth/actions'
import { isAboveCeiling } from '@prismapi/core/auth/caller'
import { toDecision } from '@prismapi/core/auth/decision'
import { type AnyPolicy, policyMethod } from '@prismapi/core/auth/policy'
import type { CaslRule } from '@prismapi/core/auth/rules'
import { type CompiledRules, compileRules } from '@prismapi/core/auth/user-rules'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { everything } from '@prismapi/jsonapi/condition/build'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { always, both, either, type Formula, negated, never, opaque } from '../formula.ts'
import { atTime, type Run } from './symbols.ts'
import { shapeless, toFormula } from './to-formula.ts'

/** Of which rows each field may be seen, or written, by its name in documents. */
export type FieldFormulas = Readonly<Record<string, Formula>>

/** What the policies say, for one kind of caller. */
export interface RuleFormulas {
  /** The rows that an action is allowed on. */
  rows(schema: ResourceSchema, action: string): Promise<Formula>
  /** Beside `rows`: what rules say of each field. */
  fields(schema: ResourceSchema, action: FieldAction): Promise<FieldFormulas>
}

/**
 * The rules of a server's policies for one kind of caller: abilities are run once for each model and run. Methods are
 * unknown code, unless `asksMethods`: then they are known as far as they depend on the caller alone.
 */
export function rulesFor(server: CompiledServer, runs: readonly [Run, Run], asksMethods = false): RuleFormulas {
  const known = new Map<string, Promise<BothRuns | string>>()
  const ofModel = (policy: AnyPolicy, schema: ResourceSchema) => {
    const { name } = schema.model
    const read = known.get(name) ?? readRules({ policy, schema, server }, runs)
    known.set(name, read)
    return read
  }
  return {
    async rows(schema, action) {
      if (isAboveCeiling(runs[0].user, schema, action)) return never
      const policy = server.policies.get(schema.model.name)
      if (!policy) return never
      const method = policyMethod(policy, action)
      if (method && asksMethods) return methodFormula(policy, action, method, runs)
      if (method) return opaque(`${action}() of its policy is code`)
      const read = await ofModel(policy, schema)
      if (typeof read === 'string') return opaque(read)
      return combine(read[0].rulesFor(action), read[1].rulesFor(action), runs)
    },
    async fields(schema, action) {
      const policy = server.policies.get(schema.model.name)
      const read = policy ? await ofModel(policy, schema) : null
      const names = [...schema.attributes.keys(), ...schema.relations.keys()]
      // Without a policy, no row is allowed; where the rules cannot be read, rows say why.
      if (read === null || typeof read === 'string') return Object.fromEntries(names.map((name) => [name, always]))
      const [first, second] = [read[0].fieldsFor(action), read[1].fieldsFor(action)]
      const formula = (name: string) =>
        toFormula([first?.fields.get(name) ?? everything, second?.fields.get(name) ?? everything], runs)
      return Object.fromEntries(names.map((name) => [name, formula(name)]))
    },
  }
}

interface Ruled {
  readonly policy: AnyPolicy
  readonly schema: ResourceSchema
  readonly server: CompiledServer
}

type BothRuns = readonly [CompiledRules, CompiledRules]

/** The rules of both runs, or why they are not known. */
async function readRules({ policy, schema, server }: Ruled, runs: readonly [Run, Run]): Promise<BothRuns | string> {
  const compiled = ({ user, now }: Run) => atTime(now, () => compileRules(policy, schema, server.resources, user))
  try {
    return [await compiled(runs[0]), await compiled(runs[1])]
  } catch (error) {
    return `abilities(): ${(error as Error).message}`
  }
}

/** The decision of a method that depends on the caller alone: it throws if it looks at the row or at the document. */
async function methodFormula(
  policy: AnyPolicy,
  action: string,
  method: NonNullable<ReturnType<typeof policyMethod>>,
  runs: readonly [Run, Run],
): Promise<Formula> {
  const ask = ({ user, now }: Run) =>
    atTime(now, async () => toDecision(await method.call(policy, user, unread({}), unread({}))).allowed)
  try {
    const [first, second] = [await ask(runs[0]), await ask(runs[1])]
    if (first === second) return constantOf(first)
  } catch {
    // The row decides.
  }
  return opaque(`${action}() of its policy is code`)
}

/** Tells what it has, and throws where anything else is asked of it. */
export const unread = <T extends object>(known: Partial<T>): T =>
  new Proxy(known as T, {
    get(target, name) {
      if (Object.hasOwn(target, name)) return Reflect.get(target, name)
      throw new Error(`${String(name)} is not known here.`)
    },
    has(_, name) {
      throw new Error(`${String(name)} is not known here.`)
    },
    ownKeys() {
      throw new Error('What it has is not known here.')
    },
  })

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
