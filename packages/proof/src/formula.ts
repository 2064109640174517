import type { Mode, Operator, Quantifier } from '@prismapi/jsonapi/condition/condition'

/**
 * When something is allowed, as a tree of plain JSON: a condition whose values may be a claim of the caller, or the
 * present time. Columns and relations stand by name, because formulas of two checkouts are compared.
 */
export type Formula =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Formula[] }
  | { readonly kind: 'not'; readonly part: Formula }
  | Comparison
  | {
      readonly kind: 'related'
      readonly relation: string
      readonly quantifier: Quantifier
      readonly part: Formula
    }
  | { readonly kind: 'absent'; readonly relation: string }
  | Somewhere
  | { readonly kind: 'constant'; readonly holds: boolean }
  | Opaque

export interface Comparison {
  readonly kind: 'compare'
  readonly column: string
  readonly operator: Operator
  readonly value: Term | readonly Term[]
  readonly mode: Mode
}

/** Some row of the model is such, whether a relation leads to it or not. */
export interface Somewhere {
  readonly kind: 'somewhere'
  readonly model: string
  readonly part: Formula
}

/** What only code can say, or only the database: it may be true or false. */
export interface Opaque {
  readonly kind: 'opaque'
  readonly reason: string
}

/** What a column is compared with. */
export type Term =
  | { readonly value: Scalar }
  /** The caller's own `id`. */
  | { readonly claim: string }
  /** So many milliseconds after the request. */
  | { readonly now: number }

/** A value as JSON has it. */
export type Scalar =
  | string
  | number
  | boolean
  | null
  | { readonly instant: string }
  | { readonly bigint: string }
  | { readonly decimal: string }

export const always: Formula = Object.freeze({ kind: 'constant', holds: true })
export const never: Formula = Object.freeze({ kind: 'constant', holds: false })
export const opaque = (reason: string): Opaque => ({ kind: 'opaque', reason })

const holds = (formula: Formula): boolean | null => (formula.kind === 'constant' ? formula.holds : null)

export function both(...given: readonly Formula[]): Formula {
  if (given.some((part) => holds(part) === false)) return never
  const parts = given.filter((part) => holds(part) !== true)
  return parts.length < 2 ? (parts[0] ?? always) : { kind: 'all', parts }
}

export function either(...given: readonly Formula[]): Formula {
  if (given.some((part) => holds(part) === true)) return always
  const parts = given.filter((part) => holds(part) !== false)
  return parts.length < 2 ? (parts[0] ?? never) : { kind: 'any', parts }
}

/** Some row of the model is such. */
export const somewhere = (model: string, part: Formula): Formula =>
  holds(part) === false ? never : { kind: 'somewhere', model, part }

/** What a relation to one leads to is such. */
export const behind = (relation: string, part: Formula): Formula =>
  holds(part) === false ? never : { kind: 'related', relation, quantifier: 'is', part }

export function negated(part: Formula): Formula {
  if (part.kind === 'constant') return part.holds ? never : always
  return part.kind === 'not' ? part.part : { kind: 'not', part }
}

/** Every part of a formula, itself the first. */
export function* partsOf(formula: Formula): Iterable<Formula> {
  yield formula
  if (formula.kind === 'all' || formula.kind === 'any') for (const part of formula.parts) yield* partsOf(part)
  if (formula.kind === 'not' || formula.kind === 'related' || formula.kind === 'somewhere') yield* partsOf(formula.part)
}

/** Why the formula is not all known. */
export const reasonsIn = (formula: Formula): readonly string[] => [
  ...new Set([...partsOf(formula)].flatMap((part) => (part.kind === 'opaque' ? [part.reason] : []))),
]

/** The terms of a comparison. */
export const termsOf = ({ value }: Comparison): readonly Term[] => (Array.isArray(value) ? value : [value as Term])
