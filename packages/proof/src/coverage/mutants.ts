import type { About, AnyPolicy, AnyRules } from '@prismapi/core/auth/policy'
import { type DeclaredRule, declarationOf } from '@prismapi/core/auth/rules'
import { isPlain } from '@prismapi/jsonapi/document/types'
import { ruleText } from './declared-rules.ts'

/** What is done to a rule. */
export type Mutation =
  | { readonly kind: 'drop' }
  /** `cannot` for `can`, and the other way round. */
  | { readonly kind: 'flip' }
  /** Without its condition. */
  | { readonly kind: 'widen' }
  /** About whole rows, and not about some fields of them. */
  | { readonly kind: 'drop fields' }
  /** Without one of its conditions that all have to hold. */
  | { readonly kind: 'drop conjunct'; readonly member: string }

/** A change of one rule of a policy. */
export interface Mutant {
  /** How tools call it: by its model, and the folder of a server that has its own. */
  readonly policy: string
  /** The rule, as `ruleText` tells it. */
  readonly rule: string
  readonly mutation: Mutation
}

/** Every change of a rule. */
export function mutationsOf({ fields, where: [where] }: Pick<DeclaredRule, 'fields' | 'where'>): readonly Mutation[] {
  const members = isPlain(where) ? Object.keys(where) : []
  return [
    { kind: 'drop' },
    { kind: 'flip' },
    ...(members.length > 0 ? [{ kind: 'widen' } as const] : []),
    ...(fields ? [{ kind: 'drop fields' } as const] : []),
    ...(members.length > 1 ? members.map((member) => ({ kind: 'drop conjunct', member }) as const) : []),
  ]
}

/** Changes a rule of a policy, whose class and methods stay what they are. */
export function mutate(policy: AnyPolicy, { rule, mutation }: Omit<Mutant, 'policy'>): AnyPolicy {
  const original = policy.abilities
  const abilities = (rules: AnyRules, user: unknown): unknown => {
    const declare = (inverted: boolean) =>
      function declared(actions: string | readonly string[], ...about: About) {
        const declaration = declarationOf(inverted, actions, about)
        return redeclare(rules, ruleText(declaration) === rule ? changed(declaration, mutation) : declaration)
      }
    return original.call(policy, { can: declare(false), cannot: declare(true) } as AnyRules, user)
  }
  return Object.defineProperty(policy, 'abilities', { value: abilities, configurable: true })
}

function redeclare({ can, cannot }: AnyRules, declaration: DeclaredRule | null) {
  if (declaration === null) return silent
  const { inverted, actions, fields, where } = declaration
  // An argument that is there and undefined is one that went missing.
  const about = (fields ? [fields, ...where] : where) as About
  const answer = inverted ? cannot(actions, ...about) : can(actions, ...about)
  return answer ?? silent
}

const silent = { because() {} }

function changed(declaration: DeclaredRule, mutation: Mutation): DeclaredRule | null {
  const { inverted, where } = declaration
  switch (mutation.kind) {
    case 'drop':
      return null
    case 'flip':
      return { ...declaration, inverted: !inverted }
    case 'widen':
      return { ...declaration, where: [] }
    case 'drop fields':
      return { ...declaration, fields: null }
    case 'drop conjunct':
      return { ...declaration, where: [without(where[0] as object, mutation.member)] }
    default:
      return mutation satisfies never
  }
}

const without = (where: object, member: string): object =>
  Object.fromEntries(Object.entries(where).filter(([name]) => name !== member))
