import type { Compare, Operator } from '../../../condition/condition.ts'
import type { ColumnMeta } from '../../../model/meta.ts'
import { NotInSql } from '../not-in-sql.ts'
import type { Comparison, Search } from './terms.ts'
import { comparedSlot, listSlot, type Walk } from './walk.ts'

/** One column compared with one value. What Prisma refuses, or means something else by, is not known. */
export function columnCondition<Side, Term>(node: Compare, side: Side, walk: Walk<Side, Term>): Term {
  const { column, operator, value, mode } = node
  checkMode(node, walk)
  switch (operator) {
    case 'equals':
      return equality(node, side, walk)
    case 'not':
      if (value === null || mode !== null) return walk.terms.not(equality(node, side, walk))
      return compared(node, '<>', side, walk)
    case 'in':
    case 'notIn':
      return membership(node, side, walk)
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      if (!isOrdered(column) || mode !== null) throw unknown(operator)
      return compared(node, orders[operator], side, walk)
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return search(operator, node, side, walk)
    case 'search':
    case 'has':
    case 'hasSome':
    case 'hasEvery':
    case 'isEmpty':
      throw unknown(operator)
    default:
      return operator satisfies never
  }
}

const unknown = (operator: Operator): NotInSql => new NotInSql(`the operator ${operator}`)

function checkMode<Side, Term>({ column, mode }: Compare, { dialect }: Walk<Side, Term>): void {
  const isKnown = mode === 'plain' ? dialect.search !== null : dialect.ignoresCase
  if (mode !== null && !(isKnown && column.type === 'String')) throw new NotInSql('a mode')
}

const ordered: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'String'])
const isOrdered = ({ type, isEnum }: ColumnMeta): boolean => ordered.has(type) && !isEnum

const orders = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function equality<Side, Term>(node: Compare, side: Side, walk: Walk<Side, Term>): Term {
  const { column, value, mode } = node
  if (value === null) {
    if (!column.isNullable) throw new NotInSql(`null for ${column.name}`)
    return walk.terms.isNull(side, column)
  }
  return mode === null ? compared(node, '=', side, walk) : like('', node, '', side, walk)
}

function membership<Side, Term>(node: Compare, side: Side, walk: Walk<Side, Term>): Term {
  const { column, operator, value, mode } = node
  if (!Array.isArray(value) || mode !== null || column.type === 'Boolean')
    throw new NotInSql(`the value of ${operator}`)
  const isDenied = operator === 'notIn'
  // NULL is neither in an empty list nor outside of it, and yet all rows are.
  if (value.length === 0) return walk.terms.constant(isDenied)
  if (value.length === 1) return compared({ column, value: value[0] }, isDenied ? '<>' : '=', side, walk)
  const term = walk.terms.isAmong(side, column, listSlot(column, value, walk))
  return isDenied ? walk.terms.not(term) : term
}

const wildcards: Readonly<Record<Search, readonly [before: string, after: string]>> = {
  contains: ['%', '%'],
  startsWith: ['', '%'],
  endsWith: ['%', ''],
}

function search<Side, Term>(kind: Search, node: Compare, side: Side, walk: Walk<Side, Term>): Term {
  const { column, value, mode } = node
  const { terms, dialect } = walk
  const isText = typeof value === 'string' && column.type === 'String' && mode !== 'insensitive'
  // What means something to LIKE, to Prisma means it, too, unless they are plain characters.
  if (!dialect.search || !isText || !(mode === 'plain' || /^[^%_\0]+$/.test(value))) {
    const [before, after] = wildcards[kind]
    return like(before, node, after, side, walk)
  }
  return terms.search(side, column, kind, comparedSlot(column, value, walk))
}

function like<Side, Term>(before: string, node: Compare, after: string, side: Side, walk: Walk<Side, Term>): Term {
  const { column, value, mode } = node
  if (typeof value !== 'string' || column.type !== 'String') throw new NotInSql(`a search in ${column.name}`)
  return compared({ column, value: before + value + after }, mode === null ? 'like' : 'ilike', side, walk)
}

function compared<Side, Term>(
  { column, value }: Pick<Compare, 'column' | 'value'>,
  comparison: Comparison,
  side: Side,
  walk: Walk<Side, Term>,
): Term {
  return walk.terms.compare(side, column, comparison, comparedSlot(column, value, walk))
}
