import type { Scalar, Term } from '../formula.ts'
import type { Value } from './domain.ts'

/** A constant in the form in which it is compared. */
function toValue(scalar: Scalar): Value {
  if (typeof scalar !== 'object' || scalar === null) return scalar
  if ('instant' in scalar) return Date.parse(scalar.instant)
  return 'bigint' in scalar ? BigInt(scalar.bigint) : Number(scalar.decimal)
}

/** The same for a term; null for a claim, which has no value yet. */
export const constantOf = (term: Term, now: number): { readonly value: Value } | null => {
  if ('claim' in term) return null
  return { value: 'now' in term ? now + term.now : toValue(term.value) }
}
