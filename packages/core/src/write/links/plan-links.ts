import { all, isEverything, related, relationOf } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { areAlike } from '@prismapi/jsonapi/condition/memory'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { pointsOfRow, pointsOfWrittenRow } from '@prismapi/jsonapi/request/write-state'
import type { HasMany, HasOne, ManyThrough } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { keyText, rowKey } from '../../database/reader.ts'
import { chunked, type RelatedRows, readNamedRows } from '../../read/find.ts'
import { readSpellings } from '../../read/loading/loading.ts'
import { allColumns, childrenOf, idsWhere, planLevel } from '../../read/plan.ts'
import type { ReadContext } from '../../read/read-context.ts'
import { deleteHooks, hasHooks, hasHooksBefore } from '../hooks.ts'
import { identifiersOf } from '../input.ts'
import type { ChangedRow, ChangeElsewhere, KeptElsewhere, LinkMode } from './link-change.ts'
import { farKey, keysOf, pivotsBetween } from './pivots.ts'

/** The parts of planning. The request's reader reads the rows, inside of its transaction if there is one. */
export interface Planning {
  readonly ctx: ReadContext
  readonly related: RelatedRows
}

export interface WantedLinks {
  readonly relation: KeptElsewhere
  readonly linkage: Linkage
  readonly mode: LinkMode
}

interface WantedTargets<R> {
  readonly relation: R
  readonly mode: LinkMode
  readonly targets: readonly ChangedRow[]
}

/**
 * Finds out which rows a write of a relation changes. Rows that a scope hides stay as they are.
 *
 * @param row whose relation it is; null for a new one.
 */
export async function planLinks(planning: Planning, row: Row | null, wanted: WantedLinks): Promise<ChangeElsewhere> {
  const targets = await readTargets(planning, wanted)
  const { relation, mode } = wanted
  const change =
    relation.kind === 'manyThrough'
      ? await planPivots(planning, row, { relation, mode, targets })
      : await planChildren(planning, row, { relation, mode, targets })
  const { ctx } = planning
  if (areWrittenAlone(ctx, relation)) ctx.spent.add((change.made.length + change.ended.length) * pointsOfWrittenRow)
  return change
}

/** Does each row that keeps a link take a statement of its own. */
function areWrittenAlone(ctx: ReadContext, relation: KeptElsewhere): boolean {
  if (relation.kind === 'manyThrough') return true
  const { model, deletedAt } = schemaOf(ctx.server.schemas, relation.model)
  const isDeleted = relation.kind === 'hasMany' && relation.deleteOnDetach
  if (isDeleted && (deletedAt !== null || hasHooks(ctx, model.name, deleteHooks))) return true
  return hasHooksBefore(ctx, model.name, 'update') || hasHooks(ctx, model.name, ['updated', 'saved'])
}

/** The rows that the linkage names, each once. Their identifiers were checked, so that they exist and may be seen. */
async function readTargets(
  { ctx, related }: Planning,
  { relation, linkage }: WantedLinks,
): Promise<readonly ChangedRow[]> {
  const { id } = schemaOf(ctx.server.schemas, relation.model)
  const found = new Map<string, ChangedRow>()
  for (const [at, row] of (await related.find(identifiersOf(linkage))).entries()) {
    if (!row) continue
    const key = rowKey(row, id.columns)
    if (!found.has(key)) found.set(key, { row, at })
  }
  return [...found.values()]
}

async function planChildren(
  planning: Planning,
  row: Row | null,
  { relation, mode, targets }: WantedTargets<HasOne | HasMany>,
): Promise<ChangeElsewhere> {
  const linked = row === null ? none : await childrenAmong(planning, relation, row, targets)
  const isLinked = (target: ChangedRow) => linked.has(target)
  const made = mode === 'remove' ? [] : targets.filter((target) => !isLinked(target))
  if (row === null || mode === 'add') return { relation, made, ended: [] }
  if (mode === 'remove') return { relation, made, ended: targets.filter(isLinked) }
  const { ctx } = planning
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const where = childrenOf(relation, schema.model, row)
  const wanted = new Set(targets.map((target) => rowKey(target.row, schema.id.columns)))
  const current = await currentRows(ctx, schema, where)
  const ended = current.filter((child) => !wanted.has(rowKey(child, schema.id.columns)))
  return { relation, made, ended: ended.map((child) => ({ row: child, at: null })) }
}

const none: ReadonlySet<ChangedRow> = new Set()

/** Those whose foreign key names the row. Where it may be spelt otherwise, the database says it. */
async function childrenAmong(
  { ctx }: Planning,
  relation: HasOne | HasMany,
  row: Row,
  targets: readonly ChangedRow[],
): Promise<ReadonlySet<ChangedRow>> {
  const linked = new Set(targets.filter((target) => isChildOf(relation, target.row, row, isSame)))
  const unsure = targets.filter((target) => !linked.has(target) && isChildOf(relation, target.row, row, mayBeSame))
  const schema = schemaOf(ctx.server.schemas, relation.model)
  for (const some of chunked(unsure, schema.id.columns.length)) {
    const rows = some.map((target) => target.row)
    const where = all(childrenOf(relation, schema.model, row), idsWhere(schema, rows))
    const found = await ctx.rows.unscoped.read(planLevel(schema, schema.id.columns, where))
    const keys = new Set(found.map((each) => rowKey(each, schema.id.columns)))
    for (const target of some) if (keys.has(rowKey(target.row, schema.id.columns))) linked.add(target)
  }
  return linked
}

type AreSame = (one: unknown, other: unknown) => boolean
const isSame: AreSame = (one, other) => keyText([one]) === keyText([other])
const mayBeSame: AreSame = (one, other) => isSame(one, other) || areAlike(one, other)

const isChildOf = ({ columns, references }: HasOne | HasMany, child: Row, row: Row, areSame: AreSame): boolean =>
  columns.every((column, i) => {
    const value = row[references[i] as string]
    return child[column] != null && value != null && areSame(child[column], value)
  })

async function planPivots(
  { ctx }: Planning,
  row: Row | null,
  { relation, mode, targets }: WantedTargets<ManyThrough>,
): Promise<ChangeElsewhere> {
  if (row === null) return { relation, made: targets, ended: [] }
  const { pivot } = relation
  const places = new Map(targets.map(({ row: target, at }) => [farKey(pivot, keysOf(pivot.to, target)), at]))
  const rows = targets.map((target) => target.row)
  if (mode === 'remove') {
    const ended = await pivotsBetween(ctx, ctx.rows.reading('related'), { pivot, row, targets: rows })
    const keyOf = await farKeys(ctx, relation, { places, pivots: ended })
    return { relation, made: [], ended: ended.map((each) => ({ row: each, at: places.get(keyOf(each)) ?? null })) }
  }
  // Whether a pivot may be seen or not, there can be only one.
  const pivots = schemaOf(ctx.server.schemas, pivot.model)
  const known = await pivotsBetween(ctx, ctx.rows.unscoped, { pivot, row, targets: rows })
  const keyOf = await farKeys(ctx, relation, { places, pivots: known })
  const linked = new Set(known.map(keyOf))
  const made = targets.filter(({ row: target }) => !linked.has(farKey(pivot, keysOf(pivot.to, target))))
  if (mode === 'add') return { relation, made, ended: [] }
  const seen = ctx.rows.visible('related', relation.model)
  const where = all(
    childrenOf(pivot.from, pivots.model, row),
    isEverything(seen) ? null : related(relationOf(pivots.model, pivot.to.name), 'is', seen),
  )
  const current = await currentRows(ctx, pivots, where)
  const ended = current.filter((each) => !places.has(keyOf(each)))
  return { relation, made, ended: ended.map((each) => ({ row: each, at: null })) }
}

interface FoundPivots {
  /** By the keys of targets, as these spell them. */
  readonly places: ReadonlyMap<string, number | null>
  /** Those between a row and these targets. */
  readonly pivots: readonly Row[]
}

/** What tells the targets of pivots apart, as the targets spell it. */
async function farKeys(
  ctx: ReadContext,
  { pivot, model }: ManyThrough,
  { places, pivots }: FoundPivots,
): Promise<(each: Row) => string> {
  const { columns, references } = pivot.to
  const others = pivots.filter((each) => !places.has(farKey(pivot, each)))
  const keys = new Map(others.map((each) => [farKey(pivot, each), columns.map((column) => each[column])]))
  const spelt = await readSpellings(ctx, { schema: schemaOf(ctx.server.schemas, model), references }, keys)
  return (each) => spelt.get(farKey(pivot, each)) ?? farKey(pivot, each)
}

/** Of a longer relation the keys are read first, and then the rows part by part. */
const rowsAtOnce = 500
/** More than every database counts to. */
const most = 2 ** 31 - 2

/**
 * The rows that keep the links of a relation now, which a write may end.
 *
 * @throws {JsonApiError} 400 where they are more than a request may cost.
 */
async function currentRows(
  { rows, spent }: Pick<ReadContext, 'rows' | 'spent'>,
  schema: ResourceSchema,
  where: Condition,
): Promise<readonly Row[]> {
  const columns = allColumns(schema)
  const first = await rows.read('related', { ...planLevel(schema, columns, where), take: rowsAtOnce + 1 })
  if (first.length <= rowsAtOnce) {
    spent.add(first.length * pointsOfRow)
    return first
  }
  const take = Math.min(most, spent.left(pointsOfRow)) + 1
  const keys = await rows.read('related', { ...planLevel(schema, schema.id.columns, where), take })
  spent.add(keys.length * pointsOfRow)
  return readNamedRows(rows.unscoped, schema, { keys, columns })
}
