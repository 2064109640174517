import type { Parameter } from '@prismapi/core/database/reader'
import type { Bound, StoredInstants } from '@prismapi/core/database/sql-database'
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
  type Words,
} from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta, RelationMeta } from '@prismapi/jsonapi/model/meta'
import type { Catalog } from '../catalog.ts'
import { type Codec, NotInSql } from '../dialects/codec.ts'
import type { Dialect, Search } from '../dialects/dialect.ts'
import { usualInstants, zuluInstants } from '../dialects/sqlite-dialect.ts'

/**
 * A condition on the columns of one source, as the terms of the walk; null for everything.
 * Every walk goes the same way, so that the values of one fit the slots of another.
 */
export const conditionOf = <Source, Term>(where: Condition, source: Source, walk: Walk<Source, Term>): Term | null =>
  isEverything(where) ? null : visit(where, new Conditions(walk), source)

/** Conditions as terms: as SQL, or as the text of its shape. */
class Conditions<Source, Term> implements Visitor<Term, Source> {
  private readonly walk: Walk<Source, Term>

  constructor(walk: Walk<Source, Term>) {
    this.walk = walk
  }

  all({ conditions }: All, source: Source): Term {
    return this.walk.terms.all(conditions.map((each) => visit(each, this, source)))
  }

  any({ conditions }: Any, source: Source): Term {
    return this.walk.terms.any(conditions.map((each) => visit(each, this, source)))
  }

  not({ condition }: Not, source: Source): Term {
    return this.walk.terms.not(visit(condition, this, source))
  }

  compare(node: Compare, source: Source): Term {
    return columnCondition(node, source, this.walk)
  }

  json(): never {
    throw new NotInSql('a condition on JSON')
  }

  related({ relation, quantifier, condition }: Related, source: Source): Term {
    const { terms } = this.walk
    // To match Prisma, use a join: if a compared column of the related row is NULL, the condition and its NOT are both
    // NULL. EXISTS would be false, and NOT would match.
    if (quantifier === 'is') {
      const joined = terms.joined(source, relation)
      const present = terms.isPresent(joined, relation)
      return isEverything(condition) ? present : terms.all([visit(condition, this, joined), present])
    }
    if (quantifier === 'every')
      return terms.not(terms.exists(source, relation, (target) => terms.not(visit(condition, this, target))))
    const exists = terms.exists(source, relation, (target) =>
      isEverything(condition) ? null : visit(condition, this, target),
    )
    return quantifier === 'none' ? terms.not(exists) : exists
  }

  absent({ relation }: Absent, source: Source): Term {
    const { terms, catalog } = this.walk
    const { pairs } = catalog.joinOf(relation)
    if (!relation.isNullable || pairs.length > 1) throw new NotInSql(`null for ${relation.name}`)
    const [[key]] = pairs as [(typeof pairs)[number]]
    // As Prisma does: the key that lies on this side, or the one of the row that is joined.
    if (relation.foreignKey) return terms.isNull(source, key)
    return terms.not(terms.isPresent(terms.joined(source, relation), relation))
  }

  constant({ holds }: Constant): Term {
    if (holds === null) throw new NotInSql('an undecided condition')
    return this.walk.terms.constant(holds)
  }
}

/** One column compared with one value. What Prisma refuses, or means something else by, is not known. */
function columnCondition<Source, Term>(node: Compare, source: Source, walk: Walk<Source, Term>): Term {
  const { column, operator, value, mode, words } = node
  if (words) {
    const { dialect, terms, values } = walk
    return terms.matches(source, words, values.push(dialect.words.bind(value as string, words)) - 1)
  }
  checkMode(node, walk)
  switch (operator) {
    case 'equals':
      return equality(node, source, walk)
    case 'not':
      if (value === null || mode !== null) return walk.terms.not(equality(node, source, walk))
      return compared(node, '<>', source, walk)
    case 'in':
    case 'notIn':
      return membership(node, source, walk)
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      if (!isOrdered(column) || mode !== null) throw unknown(operator)
      return compared(node, orders[operator], source, walk)
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return search(operator, node, source, walk)
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

function checkMode<Source, Term>({ column, mode }: Compare, { dialect }: Walk<Source, Term>): void {
  const isKnown = mode === 'plain' ? dialect.search !== null : dialect.ignoresCase
  if (mode !== null && !(isKnown && column.type === 'String')) throw new NotInSql('a mode')
}

const ordered: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'String'])
const isOrdered = ({ type, isEnum }: ColumnMeta): boolean => ordered.has(type) && !isEnum

const orders = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function equality<Source, Term>(node: Compare, source: Source, walk: Walk<Source, Term>): Term {
  const { column, value, mode } = node
  if (value === null) {
    if (!column.isNullable) throw new NotInSql(`null for ${column.name}`)
    return walk.terms.isNull(source, column)
  }
  return mode === null ? compared(node, '=', source, walk) : like('', node, '', source, walk)
}

function membership<Source, Term>(node: Compare, source: Source, walk: Walk<Source, Term>): Term {
  const { column, operator, value, mode } = node
  if (!Array.isArray(value) || mode !== null || column.type === 'Boolean')
    throw new NotInSql(`the value of ${operator}`)
  const isDenied = operator === 'notIn'
  // NULL is neither in an empty list nor outside of it, and yet all rows are.
  if (value.length === 0) return walk.terms.constant(isDenied)
  if (value.length === 1) return compared({ column, value: value[0], list: value }, isDenied ? '<>' : '=', source, walk)
  const term = walk.terms.isAmong(source, column, listSlot(column, value, walk))
  return isDenied ? walk.terms.not(term) : term
}

const wildcards: Readonly<Record<Search, readonly [before: string, after: string]>> = {
  contains: ['%', '%'],
  startsWith: ['', '%'],
  endsWith: ['%', ''],
}

function search<Source, Term>(kind: Search, node: Compare, source: Source, walk: Walk<Source, Term>): Term {
  const { column, value, mode } = node
  const { terms, dialect } = walk
  const isText = typeof value === 'string' && column.type === 'String' && mode !== 'insensitive'
  // What means something to LIKE, to Prisma means it, too, unless they are plain characters.
  if (!dialect.search || !isText || !(mode === 'plain' || /^[^%_\0]+$/.test(value))) {
    const [before, after] = wildcards[kind]
    return like(before, node, after, source, walk)
  }
  return terms.search(source, column, kind, slotFor(column, value, walk))
}

function like<Source, Term>(
  before: string,
  node: Compare,
  after: string,
  source: Source,
  walk: Walk<Source, Term>,
): Term {
  const { column, value, mode } = node
  if (typeof value !== 'string' || column.type !== 'String') throw new NotInSql(`a search in ${column.name}`)
  return compared({ column, value: before + value + after }, mode === null ? 'like' : 'ilike', source, walk)
}

function compared<Source, Term>(
  node: Compared,
  comparison: Comparison,
  source: Source,
  walk: Walk<Source, Term>,
): Term {
  const terms = comparedSlots(node, comparison, walk).map((slot) =>
    walk.terms.compare(source, node.column, comparison, slot),
  )
  const [term] = terms as [Term]
  if (terms.length === 1) return term
  return comparison === '<>' ? walk.terms.all(terms) : walk.terms.any(terms)
}

interface Compared extends Pick<Compare, 'column' | 'value'> {
  /** The list that the value is all of. */
  readonly list?: readonly unknown[]
}

/** How two values are compared; `insensitive` ones ignore letter case. */
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'like' | 'ilike'

/**
 * What conditions are made into. There are two: the text that names their shape
 * (`shape`) and their SQL (`sql-terms.ts`). `Source` is the table whose columns a condition is
 * about. The values themselves are in neither: a slot is the place of one in a list.
 */
export interface Terms<Source, Term> {
  all(terms: readonly Term[]): Term
  any(terms: readonly Term[]): Term
  not(term: Term): Term
  constant(holds: boolean): Term
  isNull(source: Source, column: ColumnMeta): Term
  compare(source: Source, column: ColumnMeta, comparison: Comparison, slot: number): Term
  /** Searches without LIKE; ASCII letter case is ignored, and `%` and `_` are plain characters. */
  search(source: Source, column: ColumnMeta, search: Search, slot: number): Term
  /** Are words found in columns. */
  matches(source: Source, words: Words, slot: number): Term
  /** How well they are found, as a number. */
  rank(source: Source, words: Words, slots: readonly number[]): Term
  /** The column is one of the values of a slot that holds a list. */
  isAmong(source: Source, column: ColumnMeta, slot: number): Term
  /** The row that a to-one relation leads to, with all columns null where there is none. */
  joined(source: Source, relation: RelationMeta): Source
  /** Is there a row that the to-one relation leads to. */
  isPresent(joined: Source, relation: RelationMeta): Term
  /** Is there a row behind a to-many relation that meets the condition; any row, where that is null. */
  exists(source: Source, relation: RelationMeta, where: (target: Source) => Term | null): Term
  /** How many rows are behind a to-many relation that meet the condition; how many at all, where that is null. */
  count(source: Source, relation: RelationMeta, where: (target: Source) => Term | null): Term
}

/**
 * The shape of a condition as a text without values: two conditions with one text have one SQL, and
 * differ in the values of their slots only. Names and operators hold none of the marks between them.
 */
export const shape: Terms<string, string> = {
  all: (terms) => `&(${terms.join('')})`,
  any: (terms) => `|(${terms.join('')})`,
  not: (term) => `!${term}`,
  constant: (holds) => (holds ? '1' : '0'),
  isNull: (source, { name }) => `${source}${name} null;`,
  compare: (source, { name }, comparison) => `${source}${name} ${comparison};`,
  search: (source, { name }, search) => `${source}${name} ${search};`,
  matches: (source, words) => `${source}${wordsShape(words)};`,
  rank: (source, words) => `${source}${wordsShape(words)}#;`,
  isAmong: (source, { name }) => `${source}${name} in;`,
  joined: (source, { name }) => `${source}${name}.`,
  isPresent: (joined) => `${joined}?;`,
  exists: (source, { name }, where) => `${source}${name}{${where('') ?? ''}}`,
  count: (source, { name }, where) => `${source}${name}#{${where('') ?? ''}}`,
}

const wordsShape = ({ index, language, columns, seen }: Words): string =>
  `${index} ${language} ${columns.map((column) => `${seen.includes(column) ? '' : '-'}${column.name}`).join()}`

/** What the statements of one database are made from. */
export interface SqlContext {
  readonly catalog: Catalog
  readonly dialect: Dialect
  /** How the column has its instants; `usual` of all other columns. */
  instantsIn(column: ColumnMeta): StoredInstants
}

/** One way through a plan: what its conditions are made into, and the values that were met on the way. */
export interface Walk<Source, Term> extends SqlContext {
  readonly terms: Terms<Source, Term>
  readonly values: Bound[]
  /** Where the values of parameters stand; left out where nobody wants to know. */
  readonly places?: Places
}

/** The parameters of a plan, and where their values were met. */
export interface Places {
  readonly parameters: readonly unknown[]
  readonly found: Place[]
}

export interface Place {
  readonly slot: number
  readonly parameter: number
  /** What stands there for another plan of the form. @throws {NotInSql} as binding does */
  readonly bind: (parameter: Parameter) => Bound
}

const isList = (parameter: Parameter): parameter is readonly unknown[] => Array.isArray(parameter)

function note(
  { places }: Pick<Walk<never, never>, 'places'>,
  parameter: unknown,
  place: Omit<Place, 'parameter'>,
): void {
  const index = places?.parameters.indexOf(parameter) ?? -1
  if (index >= 0) places?.found.push({ ...place, parameter: index })
}

/** Puts one value into a slot. */
export function slotFor<Source, Term>(
  column: ColumnMeta,
  value: unknown,
  { catalog, values }: Walk<Source, Term>,
): number {
  return values.push(catalog.codec(column).bind(value)) - 1
}

/**
 * Puts a value into the slots that the column is compared with: into
 * one, or into two where the column may equal the one or the other.
 */
function comparedSlots<Source, Term>(
  node: Compared,
  comparison: Comparison,
  walk: Walk<Source, Term>,
): readonly number[] {
  const codecs = comparedCodecs(node.column, walk)
  const [first, last = first] = codecs
  const isEdge = ['<', '<=', '>', '>='].includes(comparison)
  const chosen = isEdge ? [comparison === '<=' || comparison === '>' ? last : first] : codecs
  return chosen.map(({ bind }) => {
    const slot = walk.values.push(bind(node.value)) - 1
    note(walk, node.list ?? node, { slot, bind: (other) => bind(isList(other) ? other[0] : other.value) })
    return slot
  })
}

/** Puts the only value of a list into a slot. */
export function onlySlot<Source, Term>(column: ColumnMeta, list: readonly unknown[], walk: Walk<Source, Term>): number {
  const slot = slotFor(column, list[0], walk)
  const { bind } = walk.catalog.codec(column)
  note(walk, list, { slot, bind: (other) => bind((other as readonly unknown[])[0]) })
  return slot
}

/** Puts a list of values into one slot. */
export function listSlot<Source, Term>(column: ColumnMeta, list: readonly unknown[], walk: Walk<Source, Term>): number {
  const { dialect, values } = walk
  const codecs = comparedCodecs(column, walk)
  const bind = (each: readonly unknown[]): Bound => {
    const bound = dialect.bindList(
      codecs.flatMap((codec) => each.map(codec.bind)),
      codecs[0],
    )
    if (bound === null) throw new NotInSql(`a list of ${column.type}`)
    return bound
  }
  const slot = values.push(bind(list)) - 1
  note(walk, list, { slot, bind: (other) => bind(other as readonly unknown[]) })
  return slot
}

/**
 * The codecs for a compared value. If the column holds both spellings there are two; the first sorts before the second.
 */
function comparedCodecs(column: ColumnMeta, { catalog, instantsIn }: SqlContext): readonly [Codec, ...Codec[]] {
  const stored = instantsIn(column)
  switch (stored) {
    case 'usual':
      return [catalog.codec(column)]
    case 'zulu':
      return [zuluInstants]
    case 'both':
      return [usualInstants, zuluInstants]
    case 'mixed':
      return [usualInstants]
    default:
      return stored satisfies never
  }
}
