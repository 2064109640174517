import type { FigurePlan, Groups, GroupsPlan, KeyPlan } from '@prismapi/core/database/reader'
import type { Stored } from '@prismapi/core/database/sql-database'
import { everything, isEverything } from '@prismapi/jsonapi/condition/build'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import { sql } from 'kysely'
import { conditionOf, type Walk } from '../clauses/conditions.ts'
import { limitOf, limitShape, seenOnly, seenShape, sliced } from '../clauses/order-and-limit.ts'
import { allJoins, columnSql, orderedOf, rootSource, type SqlSource, tableOf } from '../clauses/sql-terms.ts'
import type { QueryKind } from '../compile-query.ts'
import type { Sql } from '../dialects/dialect.ts'
import { valueReader } from './columns.ts'
import { whereSql } from './level-query.ts'

/**
 * Figures of groups. Keys are grouped by their place in the list of
 * what is selected: they are written once, whatever they bind.
 */
export const groupsQuery: QueryKind<GroupsPlan, Groups> = {
  key(plan, walk) {
    const { condition, seen, shown, take, skip } = groupsParts(plan, '', walk)
    const keys = plan.keys.map((key, i) => `${shapeOf(key)}${seen[i]?.condition ?? ''}`)
    return `${plan.model};${keys};${shapeOfFigures(plan)};${seenShape([...shown.keys, ...shown.figures])}${limitShape(take)}${skip === null ? '' : 's'};${condition ?? ''}`
  },

  query(plan, walk) {
    const source = rootSource()
    const parts = groupsParts(plan, source, walk)
    const model = walk.catalog.model(plan.model)
    const keys = plan.keys.map((key, i) =>
      keyColumns(key, { source, model, seen: parts.seen[i] ?? null, shown: parts.shown.keys[i] ?? null }, walk),
    )
    const columns = keys.flat()
    const figures = plan.figures.map((figure, i) =>
      figureSql(figure, { source, shown: parts.shown.figures[i] ?? null }, walk),
    )
    const shown = sql.join([...columns.map(({ shown }) => shown), ...figures.map(({ shown }) => shown)])
    const from = sql`from ${tableOf(model, walk.catalog)} as ${sql.id(source.alias)}${allJoins(source)}${whereSql(parts.condition)}`
    const read = groupsReader(keys, figures, plan.keys)
    if (columns.length === 0) return { sql: sql`select ${shown}, 1 ${from}`, read }
    const places = columns.map((_, i) => sql.lit(i + 1))
    const order = sql.join([
      ...plan.order.map(({ figure, direction }) => ordered((figures[figure] as FigureSql).order, direction)),
      ...columns.map(({ order: by }, i) => ordered(by ?? (places[i] as Sql), 'asc')),
    ])
    const having = plan.minimum > 1 ? sql` having count(*) >= ${sql.lit(plan.minimum)}` : sql``
    const groups = sql`select ${shown}, count(*) over () ${from} group by ${sql.join(places)}${having} order by ${order}`
    return { sql: sliced(groups, parts, walk.dialect), read }
  },
}

const ordered = (expression: Sql, direction: 'asc' | 'desc'): Sql =>
  direction === 'asc' ? sql`${expression} asc nulls last` : sql`${expression} desc nulls last`

function shapeOf(key: KeyPlan): string {
  if (key.kind === 'column') return key.column.name
  if (key.kind === 'part') return `${key.column.name}:${key.part}`
  return `${key.relation.name}(${key.columns.map(({ name }) => name).join()})`
}

const shapeOfFigures = ({ figures, order, minimum }: GroupsPlan): string =>
  `${figures.map((each) => `${each.function} ${each.column?.name ?? '*'}`).join()};${order.map(({ figure, direction }) => `${figure} ${direction}`).join()};${minimum}`

/** All that has values to bind, in the order in which it binds them. */
function groupsParts<Source, Term>(plan: GroupsPlan, source: Source, walk: Walk<Source, Term>) {
  const condition = conditionOf(plan.where, source, walk)
  const seen = plan.keys.map((key) => {
    if (key.kind !== 'target' || foreignKeyOf(key)) return null
    const joined = walk.terms.joined(source, key.relation)
    return { joined, condition: conditionOf(key.seen, joined, walk) }
  })
  // How they have their instants is a part of the shape.
  for (const key of plan.keys) if (key.kind !== 'target') walk.instantsIn(key.column)
  for (const { column } of plan.figures) if (column) walk.instantsIn(column)
  const shown = {
    keys: plan.keys.map((key) => conditionOf(key.shown ?? everything, source, walk)),
    figures: plan.figures.map((figure) => conditionOf(figure.shown ?? everything, source, walk)),
  }
  return {
    condition,
    seen,
    shown,
    take: limitOf(plan.take, walk),
    skip: plan.skip === 0 ? null : walk.values.push(plan.skip) - 1,
  }
}

type TargetKey = Extract<KeyPlan, { kind: 'target' }>

/**
 * The column of this side that has the value of the target's id, where
 * every target may be seen: then it need not be looked at.
 */
function foreignKeyOf({ relation, columns, seen }: TargetKey): string | null {
  const { references = [], columns: own = [] } = relation.foreignKey ?? {}
  const isId = references.length === 1 && columns.length === 1 && references[0] === columns[0]?.name
  return isEverything(seen) && isId ? (own[0] ?? null) : null
}

interface KeyColumn {
  /** The value as the driver can give it exactly. */
  readonly shown: Sql
  /** What it is ordered by, where that is not what is shown. */
  readonly order: Sql | null
  read(stored: unknown): unknown
}

interface At {
  readonly source: SqlSource
  readonly model: ModelMeta
  readonly seen: { readonly joined: SqlSource; readonly condition: Sql | null } | null
  /** Null where every row shows its key. */
  readonly shown: Sql | null
}

function keyColumns(
  key: KeyPlan,
  { source, model, seen, shown: isShown }: At,
  walk: Walk<SqlSource, Sql>,
): readonly KeyColumn[] {
  const { dialect } = walk
  if (key.kind === 'column') return [stored(key.column, seenOnly(orderedOf(source, key.column, walk), isShown), walk)]
  if (key.kind === 'part') {
    const shown = seenOnly(dialect.instantPart(orderedOf(source, key.column, walk), key.part, key.column), isShown)
    return [{ shown, order: null, read: (value) => value }]
  }
  // The types of the two are the same, and so are their values.
  if (!seen) {
    const foreign = walk.catalog.column(model, foreignKeyOf(key) as string)
    return key.columns.map((column) => stored(column, seenOnly(columnSql(source, foreign), isShown), walk))
  }
  const { joined, condition } = seen
  return key.columns.map((column) => {
    const id = columnSql(joined, column)
    return stored(column, seenOnly(seenOnly(id, condition), isShown), walk)
  })
}

function stored(column: ColumnMeta, value: Sql, walk: Walk<SqlSource, Sql>): KeyColumn {
  const shown = walk.dialect.selected(value, column, walk.catalog.codec(column))
  // All rows of a group have the same.
  return { shown, order: shown === value ? null : sql`min(${value})`, read: valueReader(column, walk) }
}

interface FigureSql {
  readonly shown: Sql
  readonly order: Sql
  read(stored: unknown): unknown
}

function figureSql(
  { function: name, column }: FigurePlan,
  { source, shown: isShown }: Pick<At, 'source' | 'shown'>,
  walk: Walk<SqlSource, Sql>,
): FigureSql {
  const { dialect, catalog } = walk
  if (!column) return { shown: sql`count(*)`, order: sql`count(*)`, read: Number }
  const value = seenOnly(orderedOf(source, column, walk), isShown)
  if (column.type === 'Float' && (name === 'sum' || name === 'avg')) {
    const figure = name === 'sum' ? floatSum(value) : floatAverage(value)
    return { shown: figure, order: figure, read: unlessNull(readFloatParts) }
  }
  switch (name) {
    case 'count':
      return { shown: sql`count(${value})`, order: sql`count(${value})`, read: Number }
    case 'sum':
      return {
        shown: dialect.sum(value, column),
        order: dialect.sumOrder(value, column),
        read: unlessNull(column.type === 'Int' || column.type === 'BigInt' ? readSum : fraction(column)),
      }
    case 'avg': {
      const average = dialect.average(value, column)
      return { shown: average, order: average, read: unlessNull(fraction(column)) }
    }
    case 'min':
    case 'max': {
      const extreme = name === 'min' ? sql`min(${value})` : sql`max(${value})`
      const shown = dialect.selected(extreme, column, catalog.codec(column))
      return { shown, order: extreme, read: valueReader(column, walk) }
    }
    default:
      return name satisfies never
  }
}

const unlessNull =
  (read: (stored: unknown) => unknown) =>
  (stored: unknown): unknown =>
    stored === null ? null : read(stored)

const fraction = ({ type }: ColumnMeta) =>
  type === 'Decimal' ? (stored: unknown) => new Decimal(stored as string | number) : Number

/** An exact sum of integers, as dialects give it. */
export function readSum(stored: unknown): bigint {
  const [high = '0', low] = `${stored}`.split(':')
  return low === undefined ? BigInt(high) : BigInt(high) * 2n ** 32n + BigInt(low)
}

interface Reads {
  read(stored: unknown): unknown
}

const groupsReader =
  (keys: readonly (readonly Reads[])[], figures: readonly Reads[], plans: readonly KeyPlan[]) =>
  (rows: readonly Stored[]): Groups => ({
    groups: rows.map((row) => {
      let place = 0
      const key = keys.map((columns, i) => {
        const values = columns.map((column) => column.read(row[place++]))
        if (plans[i]?.kind !== 'target') return values[0]
        return values.includes(null) ? null : values
      })
      return { key, figures: figures.map((figure) => figure.read(row[place++])) }
    }),
    total: Number(rows[0]?.at(-1) ?? 0),
  })

// A sum that no number can hold is an error to PostgreSQL, and Infinity to SQLite. So numbers are added as parts
// of 2^64, which changes no digit of them; what is smaller than their smallest such part counts as nothing.

const part = sql.lit(2 ** -64)
const smallest = sql.lit(1e-288)
const largest = sql.lit(Number.MAX_VALUE * 2 ** -64)

/** The sum of floats, in parts of 2^64; null where it is beyond what a number can hold. */
const floatSum = (column: Sql): Sql => unlessTooLarge(column, sumOfParts(column))

/** Their mean, in the same parts; null where their sum is. */
const floatAverage = (column: Sql): Sql => unlessTooLarge(column, sql`${sumOfParts(column)} / count(${column})`)

const readFloatParts = (stored: unknown): number => Number(stored) * 2 ** 64

const sumOfParts = (column: Sql): Sql =>
  sql`sum(case when abs(${column}) < ${smallest} then 0 else ${column} * ${part} end)`

const unlessTooLarge = (column: Sql, figure: Sql): Sql =>
  sql`case when abs(${sumOfParts(column)}) <= ${largest} then ${figure} end`
