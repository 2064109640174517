import { badParameter } from '../document/errors.ts'
import type { Where } from '../model/where.ts'
import type { DeclaredFilter, FilterKind } from '../schema/filters.ts'
import type { CheckContext } from './check-context.ts'
import { listOf, single } from './filter-operators.ts'
import type { FilterClause } from './filter-syntax.ts'
import { kinds, oneOf } from './filter-values.ts'
import { scopedWhere } from './scoped-where.ts'

interface Declared {
  readonly filter: DeclaredFilter
  readonly model: string
  /** The condition will stand under a NOT. */
  readonly isDenied: boolean
}

/**
 * The condition that a filter of the schema class makes of what was sent; `{}` where it makes none.
 *
 * @throws JsonApiError 400 for a value that does not fit the kind that the filter declares.
 */
export function declaredWhere(clause: FilterClause, { filter, model, isDenied }: Declared, check: CheckContext): Where {
  const kind = filter.values ? oneOf(filter.values) : kinds[filter.kind]
  const read = (text: string): unknown => {
    const value = kind.parse(text)
    if (value === null) throw badParameter(clause.key, `The value of ${clause.key} must be ${kind.expected}.`)
    return columnValue(filter.kind, value)
  }
  const value = filter.isList ? listOf(clause).map(read) : read(single(clause, true))
  const where = filter.where(value, check.request)
  return where ? scopedWhere(where, { model, isDenied, check }) : {}
}

function columnValue(kind: FilterKind, value: unknown): unknown {
  if (kind === 'bigint') return BigInt(value as string)
  return kind === 'datetime' ? new Date(value as string) : value
}
