import type { AnyRules, PolicyClass } from '../../src/auth/policy.ts'
import { isPlain } from '../../src/condition/plain.ts'
import { type Declaration, ruleText } from '../../src/coverage/rule-text.ts'

/** What is done to a rule. */
export type Mutation =
  | { readonly kind: 'drop' }
  /** `can` for `cannot`, and the other way round. */
  | { readonly kind: 'flip' }
  /** Without its condition. */
  | { readonly kind: 'widen' }
  /** Without one of its conditions that all have to hold. */
  | { readonly kind: 'drop conjunct'; readonly member: string }

/** A change of one rule of a policy: of the declaration that is the n-th for callers who have it. */
export interface Mutant {
  readonly policy: string
  /** The rule, as `ruleText` tells it. */
  readonly rule: string
  readonly mutation: Mutation
}

/** Every change of a rule. */
export function mutationsOf({ inverted, where: [where] }: Declaration): readonly Mutation[] {
  const members = isPlain(where) ? Object.keys(where) : []
  return [
    { kind: 'drop' },
    // An unconditional prohibition in the place of what is allowed is the same as none.
    ...(inverted || members.length > 0 ? [{ kind: 'flip' } as const] : []),
    ...(members.length > 0 ? [{ kind: 'widen' } as const] : []),
    ...(members.length > 1 ? members.map((member) => ({ kind: 'drop conjunct', member }) as const) : []),
  ]
}

/** The policy with one of its rules changed. */
export const mutated = (Class: PolicyClass, { rule, mutation }: Omit<Mutant, 'policy'>): PolicyClass =>
  class extends Class {
    override abilities(rules: AnyRules, user: unknown): void {
      const declare = (inverted: boolean) =>
        function declared(actions: string | readonly string[], ...where: [object?]) {
          const declaration = { inverted, actions, where }
          return redeclare(rules, ruleText(declaration) === rule ? change(declaration, mutation) : declaration)
        }
      super.abilities({ can: declare(false), cannot: declare(true) } as AnyRules, user)
    }
  }

function redeclare({ can, cannot }: AnyRules, declaration: Declaration | null) {
  if (declaration === null) return silent
  const { inverted, actions, where } = declaration
  // An argument that is there and undefined is one that went missing.
  const answer = inverted ? cannot(actions, ...(where as [object])) : can(actions, ...(where as [object]))
  return answer ?? silent
}

const silent = { because() {} }

function change(declaration: Declaration, mutation: Mutation): Declaration | null {
  const { inverted, where } = declaration
  switch (mutation.kind) {
    case 'drop':
      return null
    case 'flip':
      return { ...declaration, inverted: !inverted }
    case 'widen':
      return { ...declaration, where: [] }
    case 'drop conjunct':
      return { ...declaration, where: [without(where[0] as object, mutation.member)] }
    default:
      return mutation satisfies never
  }
}

const without = (where: object, member: string): object =>
  Object.fromEntries(Object.entries(where).filter(([name]) => name !== member))
