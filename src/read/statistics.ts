import { columnsOf, everything, relationOf } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { scopeOf } from '../condition/scopes.ts'
import type { FigurePlan, Group, GroupsPlan, KeyPlan } from '../database/reader.ts'
import type { Awaitable } from '../model/awaitable.ts'
import { after } from '../model/awaitable.ts'
import type { ColumnMeta } from '../model/meta.ts'
import { seenOf } from '../query/check-context.ts'
import type { FigureOrder, GroupKey, GroupQuery } from '../query/groups.ts'
import type { Figures } from '../query/stats.ts'
import { scaleOf } from '../schema/capacity.ts'
import type { Attribute, ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import { decimalText } from '../schema/values.ts'
import type { ReadContext } from './read-context.ts'

/** Figures as documents show them, by attribute and function: `{ "*": { "count": 10 } }`. */
export type Stats = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The figures of all rows of a collection. */
export function readStats(
  ctx: ReadContext,
  { schema, where }: { readonly schema: ResourceSchema; readonly where: Condition },
  figures: readonly Figures[],
): Awaitable<Stats> {
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
  return after(ctx.store.reader.read(plan), ({ groups: [group] }) => statsOf(figures, (group as Group).figures))
}

/** Groups of the rows, as a page of them is read. */
export function planGroups(
  ctx: Pick<ReadContext, 'server' | 'served' | 'seen'>,
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

type StatisticsContext = Pick<ReadContext, 'server' | 'served' | 'seen'>

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
    seen: scopeOf(ctx.served.scopes, target.model.name),
    shown,
  }
}

/** The figures of one group, by name. */
export function statsOf(figures: readonly Figures[], values: readonly unknown[]): Stats {
  let place = 0
  return Object.fromEntries(
    figures.map(({ name, attribute, functions }) => [
      name,
      Object.fromEntries(functions.map((each) => [each, figureValue(attribute, each, values[place++])])),
    ]),
  )
}

function figureValue(attribute: Attribute | null, name: FigurePlan['function'], value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (name === 'min' || name === 'max') return attribute ? shownValue(attribute, value) : null
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : `${value}`
  // What has no end is no number of JSON.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  // An average has more digits than what it is made of.
  return decimalText(value, name === 'sum' && attribute?.column ? scaleOf(attribute.column) : null)
}

const isSafe = (value: bigint): boolean => value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER

/** A value of the attribute's column, as the attribute is shown. */
const shownValue = (attribute: Attribute, value: unknown): unknown =>
  attribute.serialize({ [(attribute.column as ColumnMeta).name]: value })

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
