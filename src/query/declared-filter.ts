import { everything } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { readCondition } from '../condition/parse.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { DeclaredFilter, FilterKind } from '../schema/filters.ts'
import type { CheckContext } from './check-context.ts'
import { listOf, single } from './filter-operators.ts'
import type { FilterClause } from './filter-syntax.ts'
import { kinds, oneOf, wrongValue } from './filter-values.ts'
import { withPlainTexts } from './plain-texts.ts'
import { scoped } from './scoped-condition.ts'

interface Declared {
  readonly filter: DeclaredFilter
  readonly model: ModelMeta
  /** The condition will stand under a NOT. */
  readonly isDenied: boolean
}

/**
 * The condition that a filter of the schema class makes of what was sent; everything where it makes none.
 *
 * @throws JsonApiError 400 for a value that does not fit the kind that the filter declares, or that its rule refuses.
 */
export function declaredCondition(
  clause: FilterClause,
  { filter, model, isDenied }: Declared,
  check: CheckContext,
): Condition {
  const kind = filter.values ? oneOf(filter.values) : kinds[filter.kind]
  const read = (text: string): unknown => {
    if (filter.rule)
      return check.readByRule(filter.rule, { name: filter.name, key: clause.key, text }, check.request.user)
    const value = kind.parse(text)
    if (value === null) throw wrongValue(clause.key, kind, text)
    return columnValue(filter.kind, value)
  }
  const value = filter.isList ? listOf(clause).map(read) : read(single(clause, true))
  const where = filter.where(value, check.request)
  return where ? scoped(parsed(where, filter, { model, check }), { model: model.name, isDenied, check }) : everything
}

function parsed(where: unknown, { name }: DeclaredFilter, { model, check }: { model: ModelMeta; check: CheckContext }) {
  try {
    return withPlainTexts(readCondition(where, model, check.resources.models), check.resources.provider)
  } catch (error) {
    throw new Error(`filter('${name}') of ${model.name}: ${(error as Error).message}`, { cause: error })
  }
}

function columnValue(kind: FilterKind, value: unknown): unknown {
  if (kind === 'bigint') return BigInt(value as string)
  return kind === 'datetime' ? new Date(value as string) : value
}
