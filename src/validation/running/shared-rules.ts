import type { RequestContext } from '../../request/context.ts'
import type { Operation } from '../../request/operation.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { newState, type RequestState, stateKey } from '../classes/request-state.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { type CompiledRules, compileRules, type RuleNames } from './compile-rules.ts'

// Compiling rules costs three times what running them costs. Rules that do not look at the request are compiled once;
// whether they do is found out with an instance that has no request, and that refuses to speak of one.

export interface WithState {
  readonly [stateKey]: RequestState
}

/** Where rules come from. */
export interface RuleSource<Instance extends WithState> extends RuleNames {
  readonly Class: new (state: RequestState) => Instance
  readonly schema: ResourceSchema
  readonly rulesOf: (instance: Instance) => RuleSet
}

interface SharedRules extends CompiledRules {
  /** The state of the instance that they were made from, which has no request. */
  readonly template: RequestState
}

/** Rules that depend on the request: the combinations that came last. */
type Variants = { readonly rules: RuleSet; readonly compiled: CompiledRules }[]

type Kept = SharedRules | Variants

// Keyed by what never changes while it lives: the class, the frozen schema, and the kind of operation.
const kept = new WeakMap<object, WeakMap<ResourceSchema, Map<string, Kept>>>()

/**
 * Runs with the rules of an instance: those that all requests share, or its own when they depend on the request. A run
 * that answers with a promise is waited for.
 */
export function withRules<Instance extends WithState, T>(
  instance: Instance,
  source: RuleSource<Instance>,
  run: (rules: CompiledRules) => T,
): T {
  const { operation } = instance[stateKey]
  const all = keptFor(source)
  const key = keyOf(operation)
  const rules = all.get(key) ?? shareRules(source, operation) ?? []
  all.set(key, rules)
  const runOwn = (variants: Variants) => run(variant(variants, source, source.rulesOf(instance)))
  if (Array.isArray(rules)) return runOwn(rules)
  // A rule may keep the instance without a request, and ask it for the request only as it runs.
  return unlessTouched(rules, run, () => {
    const variants: Variants = []
    all.set(key, variants)
    return runOwn(variants)
  })
}

function unlessTouched<T>(rules: SharedRules, run: (rules: CompiledRules) => T, again: () => T): T {
  const { template } = rules
  const failed = (error: unknown): T => {
    if (template.isTouched) return again()
    throw error
  }
  try {
    const result = run(rules)
    if (!(result instanceof Promise)) return template.isTouched ? again() : result
    return result.then((value) => (template.isTouched ? again() : value), failed) as T
  } catch (error) {
    return failed(error)
  }
}

/** Rules made without a request; null when they ask for one. */
export function shareRules<Instance extends WithState>(
  source: RuleSource<Instance>,
  operation: Operation,
): SharedRules | null {
  const template = newState(operation, null)
  try {
    const rules = source.rulesOf(new source.Class(template))
    return template.isTouched ? null : { ...compileRules(rules, source), template }
  } catch (error) {
    // Code that swallows our signal, and then fails of it, has asked for the request all the same.
    if (template.isTouched) return null
    throw error
  }
}

/** The rules of a request about which nothing is known, and a guest makes it; null when they need to know more. */
export function guestRules<Instance extends WithState>(
  source: RuleSource<Instance>,
  operation: Operation,
): RuleSet | null {
  const ctx = { user: null } as unknown as RequestContext
  try {
    return source.rulesOf(new source.Class(newState(operation, ctx)))
  } catch {
    // Nothing is wrong with code that relies on there being a request.
    return null
  }
}

// Which rules there are often depends on the request, but the rules themselves are constants of the file.
function variant(variants: Variants, source: RuleNames, rules: RuleSet): CompiledRules {
  const known = variants.find((each) => hasSameRules(each.rules, rules))
  if (known) return known.compiled
  const compiled = compileRules(rules, source)
  variants.unshift({ rules: { ...rules }, compiled })
  variants.splice(4)
  return compiled
}

function hasSameRules(a: RuleSet, b: RuleSet): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
}

function keptFor({ Class, schema }: { readonly Class: object; readonly schema: ResourceSchema }): Map<string, Kept> {
  const bySchema = kept.get(Class) ?? new WeakMap<ResourceSchema, Map<string, Kept>>()
  const all = bySchema.get(schema) ?? new Map<string, Kept>()
  kept.set(Class, bySchema.set(schema, all))
  return all
}

function keyOf(operation: Operation): string {
  if (operation.kind === 'action') return `${operation.kind} ${operation.action.name}`
  return 'relation' in operation ? `${operation.kind} ${operation.relation.name}` : operation.kind
}
