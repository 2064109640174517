import { absent, all, any, compare, everything, not, nothing, related } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Formula, Scalar, Term } from '../formula.ts'

/** What a formula is asked with. */
export interface Asking {
  readonly resources: Resources
  /** The caller's claims, as `authenticate` gives them. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly now: number
  /** What stands in the place of parts that are opaque. */
  readonly opaque: Condition
}

/** A formula as the condition that it is for one caller at one time. */
export function toCondition(formula: Formula, model: ModelMeta, asking: Asking): Condition {
  const of = (part: Formula) => toCondition(part, model, asking)
  switch (formula.kind) {
    case 'all':
      return all(...formula.parts.map(of))
    case 'any':
      return any(formula.parts.map(of))
    case 'not':
      return not(of(formula.part))
    case 'constant':
      return formula.holds ? everything : nothing
    case 'absent':
      return absent(model.relations[formula.relation] as RelationMeta)
    case 'related': {
      const relation = model.relations[formula.relation] as RelationMeta
      const target = asking.resources.models[relation.model] as ModelMeta
      return related(relation, formula.quantifier, toCondition(formula.part, target, asking))
    }
    case 'compare': {
      const { operator, value, mode } = formula
      const values = Array.isArray(value)
        ? value.map((term) => termValue(term, asking))
        : termValue(value as Term, asking)
      return compare(model.columns[formula.column] as ColumnMeta, operator, values, mode)
    }
    case 'somewhere':
      throw new Error('What is asked of any row is asked before: `settled` does it.')
    case 'opaque':
      return asking.opaque
    default:
      return formula satisfies never
  }
}

function termValue(term: Term, { claims, now }: Asking): unknown {
  if ('claim' in term) return claims[term.claim]
  return 'now' in term ? new Date(now + term.now) : prismaScalar(term.value)
}

/** A value of JSON as Prisma takes it. */
function prismaScalar(scalar: Scalar): unknown {
  if (typeof scalar !== 'object' || scalar === null) return scalar
  if ('instant' in scalar) return new Date(scalar.instant)
  return 'bigint' in scalar ? BigInt(scalar.bigint) : scalar.decimal
}
