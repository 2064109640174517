import { literal, quoted, quotedTable } from '@prismapi/core/database/tables'
import type { Quantifier } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { catalogOf, type RelationJoin } from '@prismapi/sql/catalog'
import type { Comparison, Formula, Term } from '../formula.ts'
import { NotInRows, termSql } from './row-terms.ts'

/** Whose columns a condition is about. */
export interface ColumnSource {
  readonly model: ModelMeta
  /** What stands before a column: the table's name, `OLD`, `NEW`, an alias. */
  readonly side: string
  /** Inside of a function that sees all rows: what stands behind relations may be read at once. */
  readonly isInside: boolean
}

/** A function that looks behind a relation, and sees all rows there: who may call it sees its answer alone. */
export interface LookBehind {
  readonly name: string
  readonly parameters: readonly ColumnMeta[]
  readonly of: ModelMeta
  readonly body: string
}

/** Formulas as SQL conditions of PostgreSQL, with the functions that these call. */
export class RowConditions {
  readonly functions = new Map<string, LookBehind>()
  private readonly resources: Resources
  private readonly joinOf: (relation: RelationMeta) => RelationJoin
  private aliases = 0

  constructor(resources: Resources) {
    this.resources = resources
    this.joinOf = catalogOf(resources, () => ({}) as never, null).joinOf
  }

  of(formula: Formula, place: ColumnSource): string {
    switch (formula.kind) {
      case 'constant':
        return formula.holds ? 'true' : 'false'
      case 'all':
        return `(${formula.parts.map((part) => this.of(part, place)).join(' AND ')})`
      case 'any':
        return `(${formula.parts.map((part) => this.of(part, place)).join(' OR ')})`
      case 'not':
        return `NOT ${this.of(formula.part, place)}`
      case 'compare':
        return compared(formula, place, this.resources)
      case 'absent':
        return this.absent(formula.relation, place)
      case 'related':
        return this.related(formula, place)
      case 'somewhere':
        throw new NotInRows('it asks for a row somewhere')
      case 'opaque':
        throw new NotInRows(formula.reason)
      default:
        return formula satisfies never
    }
  }

  private absent(name: string, place: ColumnSource): string {
    const relation = relationOf(place.model, name)
    const { pairs } = this.joinOf(relation)
    if (relation.foreignKey) return `(${pairs.map(([own]) => `${columnSql(place, own)} IS NULL`).join(' OR ')})`
    return `NOT ${this.related({ relation: name, quantifier: 'some', part: { kind: 'constant', holds: true } }, place)}`
  }

  private related(test: RelationTest, place: ColumnSource): string {
    const relation = relationOf(place.model, test.relation)
    const relationJoin = this.joinOf(relation)
    if (place.isInside) return this.behind(test, relationJoin, (own) => columnSql(place, own))
    const parameters = [...new Set(relationJoin.pairs.map(([own]) => own))]
    const body = this.behind(test, relationJoin, (own) => `$${parameters.indexOf(own) + 1}`)
    const name = this.named(place.model, test, { parameters, body })
    return `${quoted(name)}(${parameters.map((own) => columnSql(place, own)).join(', ')})`
  }

  /** The aliases of a body are its own, so that the same one has the same text wherever it stands. */
  private named(model: ModelMeta, test: RelationTest, made: Pick<LookBehind, 'parameters' | 'body'>): string {
    const known = [...this.functions.values()].find(({ of, body }) => of === model && body === made.body)
    if (known) return known.name
    const name = `prismapi_${model.name}_${test.relation}_${this.functions.size + 1}`
    this.functions.set(name, { name, of: model, ...made })
    return name
  }

  private behind({ quantifier, part }: RelationTest, { target, pairs, through }: RelationJoin, own: Own): string {
    const depth = this.aliases++
    try {
      const [row, join] = [`r${depth}`, `j${depth}`]
      const place = { model: target, side: row, isInside: true }
      const inner = this.of(part, place)
      const linked = pairs.map(([near, other]) =>
        through
          ? `${join}.${quoted(through.own.column)} = ${own(near)} AND ${join}.${quoted(through.other.column)} = ${columnSql(place, other)}`
          : `${columnSql(place, other)} = ${own(near)}`,
      )
      const from = `FROM ${quotedTable(target)} ${row}${through ? `, ${quotedTable(through)} ${join}` : ''} WHERE ${linked.join(' AND ')}`
      return quantified[quantifier](from, inner)
    } finally {
      this.aliases--
    }
  }
}

interface RelationTest {
  readonly relation: string
  readonly quantifier: Quantifier
  readonly part: Formula
}

type Own = (column: ColumnMeta) => string

/** To one it is unknown where its condition is, as a join would have it; to many it is true or false. */
const quantified: Readonly<Record<Quantifier, (from: string, inner: string) => string>> = {
  is: (from, inner) => `(SELECT CASE WHEN count(*) = 0 THEN false ELSE bool_or(${inner}) END ${from})`,
  some: (from, inner) => `EXISTS (SELECT 1 ${from} AND ${inner})`,
  every: (from, inner) => `NOT EXISTS (SELECT 1 ${from} AND NOT ${inner})`,
  none: (from, inner) => `NOT EXISTS (SELECT 1 ${from} AND ${inner})`,
}

export const columnSql = ({ side }: ColumnSource, { column }: ColumnMeta): string => `${side}.${quoted(column)}`

function relationOf({ name, relations }: ModelMeta, relation: string): RelationMeta {
  const found = relations[relation]
  if (!found) throw new NotInRows(`${name} has no relation ${relation}`)
  return found
}

function compared(
  { column: name, operator, value, mode }: Comparison,
  place: ColumnSource,
  resources: Resources,
): string {
  const column = place.model.columns[name] as ColumnMeta
  const own = columnSql(place, column)
  const term = (one: Term) => termSql(one, column, resources.enums)
  if (Array.isArray(value)) {
    if (value.length === 0) return operator === 'notIn' ? 'true' : 'false'
    if (mode !== null || (operator !== 'in' && operator !== 'notIn')) throw new NotInRows(`${name}: ${operator}`)
    return `${own} ${operator === 'in' ? 'IN' : 'NOT IN'} (${value.map(term).join(', ')})`
  }
  const one = value as Term
  if ('value' in one && one.value === null) {
    if (operator !== 'equals' && operator !== 'not') throw new NotInRows(`${name} is compared with null`)
    return `${own} IS ${operator === 'equals' ? '' : 'NOT '}NULL`
  }
  const comparison = mode === 'insensitive' ? insensitive[operator] : (comparisons[operator] ?? searches[operator])
  if (!comparison) throw new NotInRows(`${name}: the operator ${operator}`)
  const [before, after] = wildcards[operator] ?? ['', '']
  const parts = [before, after].map((wildcard) => (wildcard === '' ? '' : literal(wildcard)))
  const operand = [parts[0], term(one), parts[1]].filter((part) => part !== '').join(' || ')
  return `${own} ${comparison} ${operand}`
}

type Operators = Readonly<Partial<Record<string, string>>>

const comparisons: Operators = { equals: '=', not: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' }
const searches: Operators = { contains: 'LIKE', startsWith: 'LIKE', endsWith: 'LIKE' }
const insensitive: Operators = {
  equals: 'ILIKE',
  not: 'NOT ILIKE',
  contains: 'ILIKE',
  startsWith: 'ILIKE',
  endsWith: 'ILIKE',
}
const wildcards: Readonly<Partial<Record<string, readonly [string, string]>>> = {
  contains: ['%', '%'],
  startsWith: ['', '%'],
  endsWith: ['%', ''],
}
