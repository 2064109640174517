import { all, any, everything, not } from '../condition/build.ts'
import { type Condition, type Visitor, visit } from '../condition/condition.ts'
import { parseCondition } from '../condition/parse.ts'
import { maskTest } from '../condition/two-valued.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { DeclaredFilter, FilterKind } from '../schema/filters.ts'
import { listOf, single } from './filter-operators.ts'
import type { FilterClause } from './filter-syntax.ts'
import { relationFilter } from './filter-tree.ts'
import { kinds, oneOf, wrongValue } from './filter-values.ts'
import { withPlainTexts } from './plain-texts.ts'
import { type CheckContext, storedSeenOf } from './query-context.ts'
import { searchCondition } from './search-text.ts'

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
  if (filter.search)
    return searchCondition({ key: clause.key, text: value as string }, { model, search: filter.search }, check)
  const where = filter.where(value, check.request)
  return where ? scoped(parsed(where, filter, { model, check }), { model: model.name, isDenied, check }) : everything
}

function parsed(where: unknown, { name }: DeclaredFilter, { model, check }: { model: ModelMeta; check: CheckContext }) {
  try {
    return withPlainTexts(parseCondition(where, model, check.resources.models), check.resources.provider)
  } catch (error) {
    throw new Error(`filter('${name}') of ${model.name}: ${(error as Error).message}`, { cause: error })
  }
}

function columnValue(kind: FilterKind, value: unknown): unknown {
  if (kind === 'bigint') return BigInt(value as string)
  return kind === 'datetime' ? new Date(value as string) : value
}

interface Standing {
  /** The model whose rows the condition is about. */
  readonly model: string
  /** The condition stands under a NOT, with no EXISTS between. */
  readonly isDenied: boolean
  readonly check: CheckContext
}

/**
 * In: a condition that the application wrote for a filter. Out: the same, for none but the
 * rows that this request may see wherever it crosses a relation, and with null for values
 * that it may not see: a client who chooses its value could probe the hidden ones otherwise.
 */
export const scoped = (condition: Condition, standing: Standing): Condition => visit(condition, toScoped, standing)

const toScoped: Visitor<Condition, Standing> = {
  all: ({ conditions }, standing) => all(...conditions.map((each) => scoped(each, standing))),
  any: ({ conditions }, standing) => any(conditions.map((each) => scoped(each, standing))),
  not: ({ condition }, standing) => not(scoped(condition, { ...standing, isDenied: true })),
  compare: (node, { model, check }) => maskTest(node, storedSeenOf(model, node.column.name, check)),
  json: (node, { model, check }) => maskTest(node, storedSeenOf(model, node.column.name, check)),
  related({ relation, quantifier, condition }, { model, isDenied, check }) {
    const isDeniedBehind = quantifier === 'is' ? isDenied : quantifier === 'every'
    const behind = scoped(condition, { model: relation.model, isDenied: isDeniedBehind, check })
    return relationFilter({ from: model, relation, quantifier }, behind, { isDenied, check })
  },
  // There is no target, or none that may be seen.
  absent: ({ relation }, { model, check }) =>
    not(relationFilter({ from: model, relation, quantifier: 'is' }, everything, { isDenied: true, check })),
  constant: (node) => node,
}
