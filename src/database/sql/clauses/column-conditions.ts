import type { ColumnMeta } from '../../../model/meta.ts'
import { NotInSql } from '../not-in-sql.ts'
import type { Comparison, Search } from './terms.ts'
import { allOf, isPlain, listSlot, slotFor, type Walk } from './walk.ts'

/** What a filter puts on one column: a bare value, null, or operators that all have to hold. */
export function columnCondition<Side, Term>(
  column: ColumnMeta,
  filter: unknown,
  side: Side,
  walk: Walk<Side, Term>,
): Term | null {
  const on = { column, side, isDenied: false, mode: '' } as const
  if (!isPlain(filter)) return operatorCondition('equals', filter, on, walk)
  return operatorsCondition(filter, on, walk)
}

interface On<Side> {
  readonly column: ColumnMeta
  readonly side: Side
  /** The operator stands in a `not`, which Prisma moves into each of them. */
  readonly isDenied: boolean
  /** `i` where letter case is ignored. */
  readonly mode: '' | 'i'
}

function operatorsCondition<Side, Term>(
  filter: Readonly<Record<string, unknown>>,
  on: On<Side>,
  walk: Walk<Side, Term>,
): Term | null {
  const mode = modeOf(filter.mode, on, walk)
  const terms: Term[] = []
  for (const operator in filter) {
    const operand = filter[operator]
    if (operator === 'mode' || operand === undefined) continue
    const term = operatorCondition(operator, operand, { ...on, mode }, walk)
    if (term !== null) terms.push(term)
  }
  return allOf(terms, walk)
}

function modeOf<Side, Term>(mode: unknown, { column, isDenied }: On<Side>, { dialect }: Walk<Side, Term>): '' | 'i' {
  if (mode === undefined) return ''
  if (dialect.ignoresCase && mode === 'insensitive' && column.type === 'String' && !isDenied) return 'i'
  throw new NotInSql('a mode')
}

const ordered: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'String'])
const isOrdered = ({ type, isEnum }: ColumnMeta): boolean => ordered.has(type) && !isEnum

type Order = 'lt' | 'lte' | 'gt' | 'gte'
const orders: Readonly<Record<Order, Comparison>> = { lt: '<', lte: '<=', gt: '>', gte: '>=' }
const denied: Readonly<Record<Order, Comparison>> = { lt: '>=', lte: '>', gt: '<=', gte: '<' }

function operatorCondition<Side, Term>(
  operator: string,
  operand: unknown,
  on: On<Side>,
  walk: Walk<Side, Term>,
): Term | null {
  switch (operator) {
    case 'equals':
      return equality(operand, on, walk)
    case 'not':
      return negation(operand, on, walk)
    case 'in':
    case 'notIn':
      return membership(operator, operand, on, walk)
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      if (!isOrdered(on.column) || on.mode === 'i') throw new NotInSql(`the operator ${operator}`)
      return compared((on.isDenied ? denied : orders)[operator], operand, on, walk)
    case 'contains':
      return search('contains', operand, on, walk)
    case 'startsWith':
      return search('startsWith', operand, on, walk)
    case 'endsWith':
      return search('endsWith', operand, on, walk)
    default:
      throw new NotInSql(`the operator ${operator}`)
  }
}

function equality<Side, Term>(operand: unknown, on: On<Side>, walk: Walk<Side, Term>): Term {
  if (operand === null) {
    if (!on.column.isNullable) throw new NotInSql(`null for ${on.column.name}`)
    const term = walk.terms.isNull(on.side, on.column)
    return on.isDenied ? walk.terms.not(term) : term
  }
  if (on.mode === 'i') return like('', operand, '', on, walk)
  return compared(on.isDenied ? '<>' : '=', operand, on, walk)
}

function negation<Side, Term>(operand: unknown, on: On<Side>, walk: Walk<Side, Term>): Term | null {
  // Prisma takes one `not` inside of another for one alone, and forgets a mode that stands outside.
  if (on.isDenied || on.mode === 'i') throw new NotInSql('a not inside of another operator')
  const inside = { ...on, isDenied: true }
  return isPlain(operand) ? operatorsCondition(operand, inside, walk) : equality(operand, inside, walk)
}

function membership<Side, Term>(
  operator: 'in' | 'notIn',
  operand: unknown,
  on: On<Side>,
  walk: Walk<Side, Term>,
): Term {
  if (!Array.isArray(operand) || on.mode === 'i' || on.column.type === 'Boolean')
    throw new NotInSql(`the value of ${operator}`)
  const isDenied = on.isDenied !== (operator === 'notIn')
  // NULL is neither in an empty list nor outside of it, and yet all rows are.
  if (operand.length === 0) return walk.terms.constant(isDenied)
  if (operand.length === 1) return compared(isDenied ? '<>' : '=', operand[0], on, walk)
  const term = walk.terms.isAmong(on.side, on.column, listSlot(on.column, operand, walk))
  return isDenied ? walk.terms.not(term) : term
}

const wildcards: Readonly<Record<Search, readonly [before: string, after: string]>> = {
  contains: ['%', '%'],
  startsWith: ['', '%'],
  endsWith: ['%', ''],
}

function search<Side, Term>(kind: Search, operand: unknown, on: On<Side>, walk: Walk<Side, Term>) {
  const { terms, dialect } = walk
  const isText = typeof operand === 'string' && on.column.type === 'String' && on.mode === ''
  // What means something to LIKE, to Prisma means it, too.
  if (!dialect.search || !isText || !/^[^%_\0]+$/.test(operand)) {
    const [before, after] = wildcards[kind]
    return like(before, operand, after, on, walk)
  }
  const term = terms.search(on.side, on.column, kind, slotFor(on.column, operand, walk))
  return on.isDenied ? terms.not(term) : term
}

function like<Side, Term>(before: string, operand: unknown, after: string, on: On<Side>, walk: Walk<Side, Term>) {
  if (typeof operand !== 'string' || on.column.type !== 'String') throw new NotInSql(`a search in ${on.column.name}`)
  const like = `${on.isDenied ? 'not ' : ''}${on.mode}like` as Comparison
  return compared(like, before + operand + after, on, walk)
}

function compared<Side, Term>(comparison: Comparison, operand: unknown, on: On<Side>, walk: Walk<Side, Term>): Term {
  return walk.terms.compare(on.side, on.column, comparison, slotFor(on.column, operand, walk))
}
