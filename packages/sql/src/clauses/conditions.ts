import { isEverything } from '@prismapi/jsonapi/condition/build'
import {
  type Absent,
  type All,
  type Any,
  type Compare,
  type Condition,
  type Constant,
  type Not,
  type Operator,
  type Related,
  type Visitor,
  visit,
} from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { NotInSql } from '../codecs/codec.ts'
import { type Comparison, comparedSlots, listSlot, type Search, slotFor, type Walk } from './terms.ts'

/**
 * A condition on the columns of one side, as the terms of the walk; null for everything.
 * Every walk goes the same way, so that the values of one fit the slots of another.
 */
export const conditionOf = <Side, Term>(where: Condition, side: Side, walk: Walk<Side, Term>): Term | null =>
  isEverything(where) ? null : visit(where, new Conditions(walk), side)

/** Conditions as terms: as SQL, or as the text of its shape. */
class Conditions<Side, Term> implements Visitor<Term, Side> {
  private readonly walk: Walk<Side, Term>

  constructor(walk: Walk<Side, Term>) {
    this.walk = walk
  }

  all({ conditions }: All, side: Side): Term {
    return this.walk.terms.all(conditions.map((each) => visit(each, this, side)))
  }

  any({ conditions }: Any, side: Side): Term {
    return this.walk.terms.any(conditions.map((each) => visit(each, this, side)))
  }

  not({ condition }: Not, side: Side): Term {
    return this.walk.terms.not(visit(condition, this, side))
  }

  compare(node: Compare, side: Side): Term {
    return columnCondition(node, side, this.walk)
  }

  json(): never {
    throw new NotInSql('a condition on JSON')
  }

  related({ relation, quantifier, condition }: Related, side: Side): Term {
    const { terms } = this.walk
    // A join and not EXISTS, as Prisma has it: NOT makes another thing of a condition that is NULL than of a false one.
    if (quantifier === 'is') {
      const joined = terms.joined(side, relation)
      const present = terms.isPresent(joined, relation)
      return isEverything(condition) ? present : terms.all([visit(condition, this, joined), present])
    }
    if (quantifier === 'every')
      return terms.not(terms.exists(side, relation, (target) => terms.not(visit(condition, this, target))))
    const exists = terms.exists(side, relation, (target) =>
      isEverything(condition) ? null : visit(condition, this, target),
    )
    return quantifier === 'none' ? terms.not(exists) : exists
  }

  absent({ relation }: Absent, side: Side): Term {
    const { terms, catalog } = this.walk
    const { pairs } = catalog.joinOf(relation)
    if (!relation.isNullable || pairs.length > 1) throw new NotInSql(`null for ${relation.name}`)
    const [[key]] = pairs as [(typeof pairs)[number]]
    // As Prisma does: the key that lies on this side, or the one of the row that is joined.
    if (relation.foreignKey) return terms.isNull(side, key)
    return terms.not(terms.isPresent(terms.joined(side, relation), relation))
  }

  constant({ holds }: Constant): Term {
    if (holds === null) throw new NotInSql('an undecided condition')
    return this.walk.terms.constant(holds)
  }
}

/** One column compared with one value. What Prisma refuses, or means something else by, is not known. */
function columnCondition<Side, Term>(node: Compare, side: Side, walk: Walk<Side, Term>): Term {
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
  return terms.search(side, column, kind, slotFor(column, value, walk))
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
  const terms = comparedSlots(column, { value, comparison }, walk).map((slot) =>
    walk.terms.compare(side, column, comparison, slot),
  )
  const [term] = terms as [Term]
  if (terms.length === 1) return term
  return comparison === '<>' ? walk.terms.all(terms) : walk.terms.any(terms)
}
