import { among, columnsOf, everything, relationOf } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta, Provider } from '@prismapi/jsonapi/model/meta'
import type { Decimal } from '@prismapi/jsonapi/model/prisma-types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { FigureOrder, GroupKey, GroupQuery } from '@prismapi/jsonapi/query/groups'
import { seenOf } from '@prismapi/jsonapi/query/query-context'
import type { Figures } from '@prismapi/jsonapi/query/stats'
import { decimalText, scaleOf } from '@prismapi/jsonapi/schema/attributes'
import {
  type Attribute,
  type ResourceSchema,
  type SchemaRegistry,
  schemaOf,
} from '@prismapi/jsonapi/schema/resource-schema'
import {
  type FigurePlan,
  type Group,
  type GroupsPlan,
  type KeyPlan,
  keysToAskAgain,
  keyText,
  rowKey,
} from '../database/reader.ts'
import { chunked } from './find.ts'
import { type CollectionPlan, noOrder, planLevel } from './plan.ts'
import type { ReadContext } from './read-context.ts'

/** Figures as documents show them, by attribute and function: `{ "*": { "count": 10 } }`. */
export type Stats = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The figures of all rows of a collection. */
export async function readStats(
  ctx: ReadContext,
  { schema, visibility, where }: Pick<CollectionPlan, 'schema' | 'visibility' | 'where'>,
  figures: readonly Figures[],
): Promise<Stats> {
  const plan: GroupsPlan = {
    kind: 'groups',
    model: schema.model.name,
    where,
    keys: [],
    order: [],
    minimum: 1,
    skip: 0,
    take: 1,
    figures: plansOf(ctx, schema, figures),
  }
  const { groups } = await ctx.rows.read(visibility, plan)
  return statsOf(figures, (groups[0] as Group).figures, ctx.server.resources.provider)
}

/** Groups of the rows, as a page of them is read. */
export function planGroups(
  ctx: StatisticsContext,
  { schema, where }: { readonly schema: ResourceSchema; readonly where: Condition },
  { keys, figures, order }: Pick<GroupQuery, 'keys' | 'figures' | 'order'>,
): Omit<GroupsPlan, 'skip' | 'take'> {
  const shown = plansOf(ctx, schema, figures)
  // What groups are ordered by need not be shown.
  const all = [...shown, ...order.map(({ attribute, function: name }) => figurePlan(ctx, schema, { attribute, name }))]
  return {
    kind: 'groups',
    model: schema.model.name,
    where,
    keys: keys.map((key) => keyPlan(ctx, key, schema)),
    figures: all,
    order: order.map(({ direction }: FigureOrder, i) => ({ figure: shown.length + i, direction })),
    minimum: schema.statistics?.minimumGroup ?? 1,
  }
}

type StatisticsContext = Pick<ReadContext, 'server' | 'rows' | 'seen'>

const plansOf = (
  ctx: Pick<StatisticsContext, 'seen'>,
  schema: ResourceSchema,
  figures: readonly Figures[],
): readonly FigurePlan[] =>
  figures.flatMap(({ attribute, functions }) => functions.map((name) => figurePlan(ctx, schema, { attribute, name })))

const figurePlan = (
  ctx: Pick<StatisticsContext, 'seen'>,
  schema: ResourceSchema,
  { attribute, name }: { readonly attribute: Attribute | null; readonly name: FigurePlan['function'] },
): FigurePlan => ({
  function: name,
  column: attribute?.column ?? null,
  shown: attribute ? seenOf(schema, attribute.name, ctx) : everything,
})

function keyPlan(ctx: StatisticsContext, key: GroupKey, schema: ResourceSchema): KeyPlan {
  const field = key.kind === 'relation' ? key.relation : key.attribute
  const shown = seenOf(schema, field.name, ctx)
  if (key.kind === 'attribute') return { kind: 'column', column: key.attribute.column as ColumnMeta, shown }
  if (key.kind === 'instant') return { kind: 'part', column: key.attribute.column as ColumnMeta, part: key.part, shown }
  const target = schemaOf(ctx.server.schemas, key.relation.model)
  return {
    kind: 'target',
    relation: relationOf(schema.model, key.relation.field),
    columns: columnsOf(target.model, target.id.columns),
    seen: ctx.rows.visible('related', target.model.name),
    shown,
  }
}

/** The figures of one group, by name. */
export function statsOf(figures: readonly Figures[], values: readonly unknown[], provider: Provider): Stats {
  let place = 0
  return Object.fromEntries(
    figures.map(({ name, attribute, functions }) => [
      name,
      Object.fromEntries(functions.map((each) => [each, figureValue(attribute, each, values[place++], provider)])),
    ]),
  )
}

function figureValue(
  attribute: Attribute | null,
  name: FigurePlan['function'],
  value: unknown,
  provider: Provider,
): unknown {
  if (value === null || value === undefined) return null
  if (name === 'min' || name === 'max') return attribute ? shownValue(attribute, value) : null
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : `${value}`
  // What has no end is no number of JSON.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  // SQLite reckons with doubles, which hold 15 digits of a decimal.
  const decimal = value as Decimal
  const reckoned = provider === 'sqlite' && !decimal.isInteger() ? decimal.toSignificantDigits(15) : decimal
  // An average has more digits than what it is made of.
  return decimalText(reckoned, name === 'sum' && attribute?.column ? scaleOf(attribute.column) : null)
}

const isSafe = (value: bigint): boolean => value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER

/** A value of the attribute's column, as the attribute is shown. */
const shownValue = (attribute: Attribute, value: unknown): unknown =>
  attribute.serialize({ [(attribute.column as ColumnMeta).name]: value })

/**
 * Groups by relations, with the ids spelt as their targets spell them: a foreign key may have another spelling that the
 * database takes for the same value. Only texts have several spellings.
 */
export async function spelledGroups<G extends Group>(
  { server, rows: { unscoped } }: ReadContext,
  keys: readonly GroupKey[],
  groups: readonly G[],
): Promise<readonly G[]> {
  let spelled = groups
  for (const [i, key] of keys.entries()) {
    if (key.kind !== 'relation') continue
    const target = schemaOf(server.schemas, key.relation.model)
    const { id, model } = target
    const columns = columnsOf(model, id.columns)
    if (!columns.some(isText)) continue
    const values = groups.flatMap(({ key: of }) => (of[i] == null ? [] : [of[i] as readonly unknown[]]))
    const read = (some: readonly (readonly unknown[])[]) =>
      unscoped.read(planLevel(target, id.columns, among(columns, some), noOrder))
    const asked = new Map(values.map((each) => [keyText(each), each]))
    const found = new Map<string, Row>()
    for (const some of chunked([...asked.values()], columns.length))
      for (const row of await read(some)) found.set(rowKey(row, id.columns), row)
    const other = new Map<unknown, readonly unknown[]>()
    for (const text of keysToAskAgain(asked.keys(), found)) {
      const [row] = await read([asked.get(text) as readonly unknown[]])
      if (row)
        other.set(
          text,
          id.columns.map((column) => row[column]),
        )
    }
    if (other.size === 0) continue
    const spelling = (of: unknown) => (of == null ? of : (other.get(keyText(of as readonly unknown[])) ?? of))
    spelled = spelled.map((group) => ({ ...group, key: group.key.with(i, spelling(group.key[i])) }))
  }
  return spelled
}

const isText = ({ type, isEnum, native }: ColumnMeta): boolean => type === 'String' && !isEnum && native?.[0] !== 'Uuid'

/** The keys of one group, by name: values as attributes show them, parts of instants, identifiers. */
export const keyOf = (
  keys: readonly GroupKey[],
  { key: values }: Group,
  registry: SchemaRegistry,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(keys.map((key, i) => [key.name, values[i] == null ? null : keyValue(key, values[i], registry)]))

function keyValue(key: GroupKey, value: unknown, registry: SchemaRegistry): unknown {
  if (key.kind === 'instant') return value
  if (key.kind === 'attribute') return shownValue(key.attribute, value)
  const { type, id } = schemaOf(registry, key.relation.model)
  const row = Object.fromEntries(id.columns.map((column, i) => [column, (value as readonly unknown[])[i]]))
  return { type, id: id.format(row) }
}
