import { all, any, columnOf, compare, equalsEach, json, not } from '../condition/build.ts'
import type { Compare, Condition, Operator } from '../condition/condition.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { ModelMeta, Provider } from '../model/meta.ts'
import { AnyNull } from '../model/prisma-values.ts'
import type { Row } from '../model/where.ts'
import type { Attribute, AttributeKind, IdField } from '../schema/resource-schema.ts'
import { type FilterClause, splitList } from './filter-syntax.ts'
import { isStorable, type ValueKind, valueKind, wrongValue } from './filter-values.ts'
import { escapeLike, ignoresCase } from './plain-texts.ts'

const equality = ['equals', 'in', 'not', 'notIn'] as const
const order = ['lt', 'lte', 'gt', 'gte'] as const
const search = ['contains', 'startsWith', 'endsWith'] as const
const insensitive = ['iequals', 'icontains', 'istartsWith', 'iendsWith'] as const
const lists = ['equals', 'has', 'hasSome', 'hasEvery', 'isEmpty'] as const

/** An operator of attributes with one value, and of ids. */
export type ScalarOperator = (typeof equality | typeof order | typeof search | typeof insensitive)[number] | 'isNull'
/** An operator of attributes that are lists. */
export type ListOperator = (typeof lists)[number]

/** Operators that take several values, so that a comma separates. */
export const takesList: ReadonlySet<string> = new Set(['in', 'notIn', 'hasSome', 'hasEvery'])

const patterns: ReadonlySet<string> = new Set(search)
const insensitivePatterns: ReadonlySet<string> = new Set(insensitive)
const searches: ReadonlySet<string> = new Set([...search, ...insensitive])

/** Does the operator look into texts, of columns or inside of Json, letter by letter. */
export const isSearching = (operator: string | null): boolean => operator !== null && searches.has(operator)

/** The operators of an attribute; none where it is no filter at all. */
export function operatorsOf(attribute: Attribute, provider: Provider): readonly (ScalarOperator | ListOperator)[] {
  const { column, kind, isList, isNullable } = attribute
  if (!column || attribute.writeOnly || !attribute.isFilterable) return []
  if (isList) return valueKind(kind, column, attribute.values) ? lists : []
  const isNull = isNullable ? (['isNull'] as const) : []
  if (kind === 'json') return isNull
  if (!valueKind(kind, column, attribute.values)) return []
  return [...scalarOperators(kind, column.native?.[0], provider), ...isNull]
}

function scalarOperators(
  kind: AttributeKind,
  native: string | undefined,
  provider: Provider,
): readonly ScalarOperator[] {
  if (kind === 'boolean') return ['equals', 'in', 'not']
  if (kind === 'enum' || kind === 'bytes') return equality
  if (kind !== 'string' || native === 'Uuid') return [...equality, ...order]
  return [...equality, ...order, ...search, ...(ignoresCase(provider) ? insensitive : [])]
}

/** The operators of an id, which may have no order. */
export const idOperators = ({ isOrdered }: Pick<IdField, 'isOrdered'>): readonly ScalarOperator[] =>
  isOrdered ? [...equality, ...order] : equality

/** The condition that a clause puts on an attribute of the row; null where the attribute has no such operator. */
export function attributeCondition(
  clause: FilterClause,
  sent: string | null,
  attribute: Attribute,
  provider: Provider,
): Condition | null {
  const operator = sent ?? (attribute.isList ? 'equals' : bareOperator(clause))
  const { column, kind, isList, values } = attribute
  const offered: readonly string[] = operatorsOf(attribute, provider)
  if (!column || !offered.includes(operator)) return null
  const on = (name: string, operand: unknown, mode: Compare['mode'] = null) =>
    compare(column, name as Operator, operand, mode)
  if (operator === 'isNull') {
    const equality = flag(clause) ? 'equals' : 'not'
    return kind === 'json' ? json(column, null, { operator: equality, value: AnyNull }) : on(equality, null)
  }
  if (operator === 'isEmpty') return on('isEmpty', flag(clause))
  if (patterns.has(operator)) {
    const text = searchedText(clause)
    const escaped = escapeLike(text, provider)
    return escaped === null ? on(operator, text, 'plain') : on(operator, escaped)
  }
  if (insensitivePatterns.has(operator)) return on(operator.slice(1), pattern(clause, provider), 'insensitive')
  const value = valueKind(kind, column, values) as ValueKind
  const convert = (text: string) => columnValue(text, clause, { attribute, value })
  if (operator === 'has') return on('has', convert(single(clause)))
  if (!isList && !takesList.has(operator)) return on(operator, convert(single(clause, sent === null)))
  const items = listOf(clause).map(convert)
  // Prisma's filter of a Boolean has no `in`.
  if (kind === 'boolean' && !isList) return any([...new Set(items)].map((item) => on('equals', item)))
  return on(operator, items)
}

interface IdPlace {
  readonly id: Pick<IdField, 'columns' | 'isOrdered' | 'parse'>
  readonly model: ModelMeta
}

/** What a clause puts on the id; null where it has no such operator. An id of several columns only equals. */
export function idCondition(clause: FilterClause, sent: string | null, { id, model }: IdPlace): Condition | null {
  const operator = sent ?? bareOperator(clause)
  const parse = (text: string): Row => {
    const row = id.parse(text)
    if (!row)
      throw badParameter(clause.key, say`The value of ${clause.key} must be an id, which ${quote(text)} cannot be.`)
    return row
  }
  const [column] = id.columns as [string]
  const offered: readonly string[] = idOperators(id)
  if (!offered.includes(operator)) return null
  const texts = takesList.has(operator) ? listOf(clause) : [single(clause, sent === null)]
  const rows = texts.map(parse)
  if (id.columns.length === 1) {
    const items = rows.map((row) => row[column])
    return compare(columnOf(model, column), operator as Operator, takesList.has(operator) ? items : items[0])
  }
  const isOne = any(rows.map((row) => all(...equalsEach(model, row))))
  return operator === 'not' || operator === 'notIn' ? not(isOne) : isOne
}

/** A bare value is equality, a list of them is `in`. */
export const bareOperator = (clause: FilterClause): 'equals' | 'in' =>
  clause.isList || listOf(clause).length > 1 ? 'in' : 'equals'

/** The values of an operator that takes several, and of a bare filter. */
export const listOf = ({ values, isList }: FilterClause): readonly string[] =>
  isList ? values : values.flatMap(splitList)

/** The one value of an operator that takes no list; a bare value had its commas escaped. */
export function single({ key, values, isList }: FilterClause, isBare = false): string {
  const [value] = values as [string]
  if (isList) throw badParameter(key, say`Filter parameter ${key} takes one value.`)
  return isBare ? value.replaceAll('\\,', ',') : value
}

export function flag(clause: FilterClause): boolean {
  const value = single(clause)
  if (value === 'true' || value === 'false') return value === 'true'
  throw badParameter(clause.key, say`The value of ${clause.key} must be true or false.`)
}

/** The text of a search, as a pattern in which every character is plain. */
export function pattern(clause: FilterClause, provider: Provider): string {
  const escaped = escapeLike(searchedText(clause), provider)
  if (escaped !== null) return escaped
  throw badParameter(
    clause.key,
    say`The value of ${clause.key} must not contain % or _, which this server's database cannot search for in Json.`,
  )
}

function searchedText(clause: FilterClause): string {
  const text = single(clause)
  if (isStorable(text)) return text
  throw badParameter(clause.key, say`The value of ${clause.key} must be a text without null characters.`)
}

interface Conversion {
  readonly attribute: Attribute
  readonly value: ValueKind
}

function columnValue(text: string, { key }: FilterClause, { attribute, value }: Conversion): unknown {
  const parsed = value.parse(text)
  if (parsed === null) throw wrongValue(key, value, text)
  return attribute.isList ? (attribute.deserialize([parsed]) as readonly unknown[])[0] : attribute.deserialize(parsed)
}

const quote = (text: string): string => JSON.stringify(text)
