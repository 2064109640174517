import type { Compare, Condition } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { both, either, type Formula, negated, opaque, type Term } from '../formula.ts'
import { type Run, termOf } from './symbols.ts'

type Two<T> = readonly [T, T]

/** What two runs say alike, with the claims that they say it by. */
export function toFormula([a, b]: Two<Condition>, runs: Two<Run>): Formula {
  if (a.kind === 'all' && b.kind === 'all') return joined(a.conditions, b.conditions, runs, both)
  if (a.kind === 'any' && b.kind === 'any') return joined(a.conditions, b.conditions, runs, either)
  if (a.kind === 'not' && b.kind === 'not') return negated(toFormula([a.condition, b.condition], runs))
  if (a.kind === 'compare' && b.kind === 'compare') return compared([a, b], runs)
  if (a.kind === 'json' && b.kind === 'json') return opaque(`${a.column.name}: a condition on Json`)
  if (a.kind === 'absent' && b.kind === 'absent' && a.relation.name === b.relation.name)
    return { kind: 'absent', relation: a.relation.name }
  if (a.kind === 'constant' && b.kind === 'constant' && a.holds === b.holds)
    return { kind: 'constant', holds: a.holds === true }
  if (a.kind === 'related' && b.kind === 'related' && a.relation.name === b.relation.name)
    return {
      kind: 'related',
      relation: a.relation.name,
      quantifier: a.quantifier,
      part: toFormula([a.condition, b.condition], runs),
    }
  return opaque(shapeless)
}

/** Why nothing is known where the two runs do not agree. */
export const shapeless = 'its code asks for more of the user than whether a column equals it'

function joined(
  a: readonly Condition[],
  b: readonly Condition[],
  runs: Two<Run>,
  join: (...parts: readonly Formula[]) => Formula,
): Formula {
  if (a.length !== b.length) return opaque(shapeless)
  return join(...a.map((each, i) => toFormula([each, b[i] as Condition], runs)))
}

function compared([a, b]: Two<Compare>, runs: Two<Run>): Formula {
  const { column, operator, mode } = a
  if (column.name !== b.column.name || operator !== b.operator) return opaque(shapeless)
  if (column.isList) return opaque(`${column.name}: a condition on a list`)
  const term = (values: Two<unknown>) => {
    const found = termOf(values, runs)
    return found && 'value' in found ? termOf([ofColumn(values[0], column), ofColumn(values[1], column)], runs) : found
  }
  const value = Array.isArray(a.value) ? listOf([a.value, b.value], term) : term([a.value, b.value])
  if (value === null) return opaque(`${column.name}: its value is worked out from the user, or is not of this schema`)
  // No policy says `plain`: only filters do.
  return { kind: 'compare', column: column.name, operator, value, mode: mode === 'plain' ? null : mode }
}

/** A value that Prisma takes in several forms, in one of them. */
function ofColumn(value: unknown, { type, isEnum }: ColumnMeta): unknown {
  if (isEnum) return value
  if (type === 'DateTime' && typeof value === 'string') return new Date(value)
  if (type === 'BigInt' && typeof value === 'number') return BigInt(value)
  return type === 'Decimal' && typeof value === 'string' ? Number(value) : value
}

function listOf(
  [a, b]: readonly [readonly unknown[], unknown],
  termOfTwo: (values: Two<unknown>) => Term | null,
): readonly Term[] | null {
  if (!Array.isArray(b) || a.length !== b.length) return null
  const terms = a.map((each, i) => termOfTwo([each, b[i]]))
  return terms.includes(null) ? null : (terms as readonly Term[])
}
