import { all, isEverything, related, relationOf } from '../../condition/build.ts'
import { scopeOf } from '../../condition/scopes.ts'
import { keyText, rowKey } from '../../database/keys.ts'
import type { Linkage } from '../../document/types.ts'
import type { Row } from '../../model/where.ts'
import { allColumns } from '../../read/columns.ts'
import { planLevel } from '../../read/plan.ts'
import type { ReadContext } from '../../read/read-context.ts'
import type { RelatedRows } from '../../read/related-rows.ts'
import { childrenOf } from '../../read/row-conditions.ts'
import type { HasMany, HasOne, ManyThrough } from '../../schema/relation-kinds.ts'
import { schemaOf } from '../../schema/resource-schema.ts'
import { identifiersOf } from '../input/foreign-keys.ts'
import type { ChangedRow, KeptElsewhere, LinkChange, LinkMode } from './link-change.ts'
import { farKey, keysOf, pivotsBetween, visiblePivots } from './pivots.ts'

/** What is planned with: the rows are read by the reader of the request, inside of its transaction where there is one. */
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
export async function planLinks(planning: Planning, row: Row | null, wanted: WantedLinks): Promise<LinkChange> {
  const targets = await targetsOf(planning, wanted)
  const { relation, mode } = wanted
  return relation.kind === 'manyThrough'
    ? planPivots(planning, row, { relation, mode, targets })
    : planChildren(planning, row, { relation, mode, targets })
}

/** The rows that the linkage names, each once. Their identifiers were checked, so that they exist and may be seen. */
async function targetsOf(
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
): Promise<LinkChange> {
  const isLinked = (target: ChangedRow) => row !== null && isChildOf(relation, target.row, row)
  const made = mode === 'remove' ? [] : targets.filter((target) => !isLinked(target))
  if (row === null || mode === 'add') return { relation, made, ended: [] }
  if (mode === 'remove') return { relation, made, ended: targets.filter(isLinked) }
  const { ctx } = planning
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const where = all(childrenOf(relation, schema.model, row), scopeOf(ctx.served.scopes, relation.model))
  const wanted = new Set(targets.map((target) => rowKey(target.row, schema.id.columns)))
  const current = await ctx.store.reader.read(planLevel(schema, allColumns(schema), where))
  const ended = current.filter((child) => !wanted.has(rowKey(child, schema.id.columns)))
  return { relation, made, ended: ended.map((child) => ({ row: child, at: null })) }
}

const isChildOf = ({ columns, references }: HasOne | HasMany, child: Row, row: Row): boolean =>
  columns.every((column, i) => {
    const value = row[references[i] as string]
    return child[column] != null && value != null && keyText([child[column]]) === keyText([value])
  })

async function planPivots(
  { ctx }: Planning,
  row: Row | null,
  { relation, mode, targets }: WantedTargets<ManyThrough>,
): Promise<LinkChange> {
  if (row === null) return { relation, made: targets, ended: [] }
  const { pivot } = relation
  const places = new Map(targets.map(({ row: target, at }) => [farKey(pivot, keysOf(pivot.to, target)), at]))
  const rows = targets.map((target) => target.row)
  const toChanged = (each: Row): ChangedRow => ({ row: each, at: places.get(farKey(pivot, each)) ?? null })
  if (mode === 'remove') {
    const ended = await pivotsBetween(ctx, { pivot, own: visiblePivots(ctx, relation, row), targets: rows })
    return { relation, made: [], ended: ended.map(toChanged) }
  }
  // Whether a pivot may be seen or not, there can be only one.
  const pivots = schemaOf(ctx.server.schemas, pivot.model)
  const known = await pivotsBetween(ctx, { pivot, own: childrenOf(pivot.from, pivots.model, row), targets: rows })
  const linked = new Set(known.map((each) => farKey(pivot, each)))
  const made = targets.filter(({ row: target }) => !linked.has(farKey(pivot, keysOf(pivot.to, target))))
  if (mode === 'add') return { relation, made, ended: [] }
  const scope = scopeOf(ctx.served.scopes, relation.model)
  const where = all(
    visiblePivots(ctx, relation, row),
    isEverything(scope) ? null : related(relationOf(pivots.model, pivot.to.name), 'is', scope),
  )
  const current = await ctx.store.reader.read(planLevel(pivots, allColumns(pivots), where))
  const ended = current.filter((each) => !places.has(farKey(pivot, each)))
  return { relation, made, ended: ended.map(toChanged) }
}
