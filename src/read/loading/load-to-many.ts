import { all, among, columnOf, columnsOf, isEverything, related, relationOf } from '../../condition/build.ts'
import { scopeOf } from '../../condition/scopes.ts'
import { keyText, rowKey } from '../../database/keys.ts'
import { type Awaitable, after } from '../../model/awaitable.ts'
import type { Row } from '../../model/where.ts'
import type { HasMany, ManyThrough, ManyToMany, Pivot } from '../../schema/relation-kinds.ts'
import { schemaOf } from '../../schema/resource-schema.ts'
import { chunked } from '../chunks.ts'
import { allColumns, withColumns } from '../columns.ts'
import { type CollectionPlan, noOrder, planLevel } from '../plan.ts'
import type { ReadContext } from '../read-context.ts'
import type { Resource } from '../resource.ts'
import { loadCollections, shownOnly } from './load-collections.ts'
import { type Loading, parentKeys } from './loading.ts'

/** The targets whose foreign keys name the resources: for each resource no more of them than it shows. */
export function loadHasMany(
  loading: Loading,
  relation: HasMany,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const { columns, references } = relation
  return loadCollections(loading, relation, resources, {
    keyOf: ({ row }) => rowKey(row, references),
    read(plan, take) {
      const { schema, order, where } = plan
      const level = { ...planLevel(schema, withColumns(plan.columns, columns), where, order), shown: shownOnly(plan) }
      const named = columnsOf(schema.model, columns)
      const rows = readInParts(loading.ctx, parentKeys(resources, references), (keys, most) =>
        loading.ctx.store.reader.read({ ...level, kind: 'perParent', parents: { columns: named, keys }, take, most }),
      )
      return after(rows, (found) => found.map((row) => ({ parent: rowKey(row, columns), row })))
    },
  })
}

/** The targets of an implicit many-to-many: each row comes with the parents that it belongs to. */
export function loadThrough(
  loading: Loading,
  relation: ManyToMany,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const { model } = (resources[0] as Resource).schema
  const [key] = model.key as [string]
  return loadCollections(loading, relation, resources, {
    keyOf: ({ row }) => rowKey(row, [key]),
    read(plan, take) {
      const { schema, columns, order, where } = plan
      const level = { ...planLevel(schema, columns, where, order), shown: shownOnly(plan) }
      const back = { relation: relationOf(schema.model, relation.inverse), key: columnOf(model, key) }
      const joined = readInParts(loading.ctx, parentKeys(resources, [key]).flat(), (parents, most) =>
        loading.ctx.store.reader.read({ ...level, kind: 'joined', through: { ...back, parents }, take, most }),
      )
      return after(joined, (found) =>
        found.flatMap(({ row, parents }) => parents.map((parent) => ({ parent: keyText([parent]), row }))),
      )
    },
  })
}

/** The targets behind pivots: one query for the pivots, in the order of their targets, and one for the targets. */
export function loadLinked(
  loading: Loading,
  relation: ManyThrough,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const { ctx } = loading
  const { pivot } = relation
  const { from, to } = pivot
  return loadCollections(loading, relation, resources, {
    keyOf: ({ row }) => rowKey(row, from.references),
    async read(plan, take) {
      const pivots = await readPivots(ctx, pivot, { plan, parents: parentKeys(resources, from.references), take })
      const keys = [...new Map(pivots.map((each) => [rowKey(each, to.columns), to.columns.map((name) => each[name])]))]
      const columns = [...new Set([...plan.columns, ...to.references])]
      const read = chunked(keys.map(([, values]) => values)).map((chunk) =>
        ctx.store.reader.read(
          planLevel(plan.schema, columns, among(columnsOf(plan.schema.model, to.references), chunk), noOrder),
        ),
      )
      const targets = new Map((await Promise.all(read)).flat().map((row) => [rowKey(row, to.references), row]))
      return pivots.flatMap((each) => {
        const row = targets.get(rowKey(each, to.columns))
        return row ? [{ parent: rowKey(each, from.columns), row, pivot: each }] : []
      })
    },
  })
}

interface PivotsRead {
  /** The targets that are to be read. */
  readonly plan: CollectionPlan
  readonly parents: readonly (readonly unknown[])[]
  readonly take: number
}

function readPivots(ctx: ReadContext, pivot: Pivot, { plan, parents, take }: PivotsRead): Awaitable<readonly Row[]> {
  const schema = schemaOf(ctx.server.schemas, pivot.model)
  const far = isEverything(plan.where) ? null : related(relationOf(schema.model, pivot.to.name), 'is', plan.where)
  const level = {
    ...planLevel(schema, allColumns(schema), all(scopeOf(ctx.served.scopes, pivot.model), far)),
    order: plan.order.map(({ seen, ...term }) => ({
      ...term,
      path: [pivot.to.name, ...term.path],
      ...(seen && { seen: { ...seen, where: related(relationOf(schema.model, pivot.to.name), 'is', seen.where) } }),
    })),
  }
  const columns = columnsOf(schema.model, pivot.from.columns)
  return readInParts(ctx, parents, (keys, most) =>
    ctx.store.reader.read({ ...level, kind: 'perParent', parents: { columns, keys }, take, most }),
  )
}

const maxMost = 2 ** 31 - 1

/**
 * Reads the rows of parents, some parents at a time, and no more once they are certain to be too many for the document. Of each
 * parent one row may be read that is not shown, but tells that there is more.
 */
function readInParts<Parent, Found>(
  { limits }: Pick<ReadContext, 'limits'>,
  parents: readonly Parent[],
  read: (parents: readonly Parent[], most: number) => Awaitable<readonly Found[]>,
): Awaitable<readonly Found[]> {
  const most = Math.min(limits.resources + 1 + parents.length, maxMost)
  const goOn = (parts: readonly (readonly Parent[])[], found: readonly Found[]): Awaitable<readonly Found[]> => {
    const [part, ...rest] = parts
    if (!part || found.length >= most) return found
    return after(read(part, most - found.length), (more) => goOn(rest, found.concat(more)))
  }
  return goOn(chunked(parents), [])
}
