import { type Awaitable, after, together } from '../../model/awaitable.ts'
import { memo } from '../../model/memo.ts'
import type { IncludeTree, Query } from '../../query/query.ts'
import type { Relation } from '../../schema/relation-kinds.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { ReadContext } from '../read-context.ts'
import { groupBySchema, noField, type Resource } from '../resource.ts'
import { conceal, isShown } from './conceal.ts'
import { loadCounts } from './counts.ts'
import { loadHasMany, loadLinked, loadThrough } from './load-to-many.ts'
import { loadByKey, loadHasOne } from './load-to-one.ts'
import { DocumentSize, identify, type Loading } from './loading.ts'

/**
 * In: resources that were read, and what the query includes. Out: the same resources with their relations loaded, level
 * by level, one query for each edge of the include tree; beside it the linkage that schemas always show, and the numbers
 * that the query asks for.
 */
export function loadRelated(ctx: ReadContext, primary: readonly Resource[], query: Query): Awaitable<unknown> {
  const size = new DocumentSize(ctx)
  // One resource is read with all of its columns, whatever is shown of them.
  if (primary.length === 1) size.add(1)
  else for (const { row } of primary) size.addRow(row)
  return after(conceal(ctx, primary), () => loadParts({ ctx, size }, primary, query))
}

function loadParts(
  { ctx, size }: Pick<Loading, 'ctx' | 'size'>,
  primary: readonly Resource[],
  query: Query,
): Awaitable<unknown> {
  const isAsked = query.include.size > 0 || query.counts.size > 0
  if (!isAsked && !primary.some(({ schema }) => showsLinkage(schema))) return undefined
  const { fields, collections } = query
  const known: Loading['known'] = new Map()
  for (const resource of primary) identify(known, resource)
  return together<unknown>([
    () => loadLevel({ ctx, fields, collections, size, known }, primary, query.include),
    () => loadCounts(ctx, primary, query),
  ])
}

/** Does the type show what its relations lead to without being asked. */
const showsLinkage = memo(({ relations }: ResourceSchema) =>
  [...relations.values()].some(({ alwaysShowData }) => alwaysShowData),
)

function loadLevel(loading: Loading, resources: readonly Resource[], tree: IncludeTree): Awaitable<unknown> {
  const edges = [...groupBySchema(resources)].flatMap(([schema, members]) => edgesOf(loading, schema, members, tree))
  return together(edges)
}

function edgesOf(
  loading: Loading,
  schema: ResourceSchema,
  resources: readonly Resource[],
  tree: IncludeTree,
): (() => Awaitable<unknown>)[] {
  const fieldset = loading.fields.get(schema.type)
  return [...schema.relations.values()].flatMap((relation) => {
    const { name } = relation
    const subtree = tree.get(name)
    const isAlways = relation.alwaysShowData && (!fieldset || fieldset.has(name))
    if (!subtree && !isAlways) return []
    // Nothing is loaded for the sake of a relation that is not seen.
    const isWhole = !loading.ctx.seen(schema.model.name) && !resources.some(({ hidden }) => hidden === noField)
    const shown = isWhole ? resources : resources.filter((each) => isShown(each, name))
    if (shown.length === 0) return []
    return [
      () =>
        after(loadRelation(loading, relation, shown), (targets) =>
          after(conceal(loading.ctx, targets), () =>
            subtree?.size ? loadLevel(loading, targets, subtree) : undefined,
          ),
        ),
    ]
  })
}

/** Loads one relation of many resources, and answers with its targets. */
function loadRelation(
  loading: Loading,
  relation: Relation,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  switch (relation.kind) {
    case 'belongsTo':
    case 'morphTo':
      return loadByKey(loading, relation, resources)
    case 'hasOne':
      return loadHasOne(loading, relation, resources)
    case 'hasMany':
      return loadHasMany(loading, relation, resources)
    case 'manyToMany':
      return loadThrough(loading, relation, resources)
    case 'manyThrough':
      return loadLinked(loading, relation, resources)
    default:
      return relation satisfies never
  }
}
