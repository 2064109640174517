import { all, among, columnsOf, everything, isEverything, related, relationOf } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { type Awaitable, after, together } from '@prismapi/jsonapi/model/awaitable'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { IncludeTree, Query } from '@prismapi/jsonapi/query/query'
import { hookRequest } from '@prismapi/jsonapi/request/hook-context'
import {
  type HasMany,
  isToMany,
  keyColumns,
  type ManyThrough,
  type ManyToMany,
  type Relation,
  type ToMany,
} from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { type Counted, keyText, rowKey } from '../../database/reader.ts'
import { chunked } from '../find.ts'
import { membersOf } from '../plan.ts'
import type { ReadContext } from '../read-context.ts'
import { groupBySchema, isShown, markHiddenFields, noField, type Resource } from '../resource.ts'
import {
  isKeptInRow,
  loadByKey,
  loadHasMany,
  loadHasOne,
  loadManyThrough,
  loadManyToMany,
  nameTargets,
} from './load-relations.ts'
import { DocumentSize, identify, type Loading, parentKeys, readSpellings } from './loading.ts'

/**
 * In: resources that were read, and the query. Out: the same resources with their relations loaded, level by level, one
 * query for each edge of the include tree, with the linkage that schemas always show and the counts that the query asks
 * for.
 */
export function loadRelated(ctx: ReadContext, primary: readonly Resource[], query: Query): Awaitable<unknown> {
  const size = new DocumentSize(ctx)
  // One resource is read with all of its columns, whatever is shown of them.
  if (primary.length === 1) size.add(1)
  else for (const { row } of primary) size.addRow(row)
  return after(markHiddenFields(ctx, primary), () => loadParts({ ctx, size }, primary, query))
}

function loadParts(
  { ctx, size }: Pick<Loading, 'ctx' | 'size'>,
  primary: readonly Resource[],
  query: Query,
): Awaitable<unknown> {
  const isAsked = query.include.size > 0 || query.counts.size > 0
  if (!isAsked && !ctx.namesTargets && !primary.some(({ schema }) => showsLinkage(schema))) return undefined
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
    const isNamed = loading.ctx.namesTargets && isKeptInRow(relation)
    const isAlways = (relation.alwaysShowData || isNamed) && (!fieldset || fieldset.has(name))
    if (!subtree && !isAlways) return []
    // Nothing is loaded for the sake of a relation that is not seen.
    const isWhole = !loading.ctx.seen(schema.model.name) && !resources.some(({ hidden }) => hidden === noField)
    const shown = isWhole ? resources : resources.filter((each) => isShown(each, name))
    if (shown.length === 0) return []
    if (!subtree && isNamed && nameTargets(loading, relation, shown)) return []
    return [
      () =>
        after(loadRelation(loading, relation, shown), (targets) =>
          after(markHiddenFields(loading.ctx, targets), () =>
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
      return loadManyToMany(loading, relation, resources)
    case 'manyThrough':
      return loadManyThrough(loading, relation, resources)
    default:
      return relation satisfies never
  }
}

/**
 * In: resources that were read, and the relations that the query wants counted. Out: the same resources with the number
 * of related rows that the caller may see, by one query for each relation.
 */
export function loadCounts(ctx: ReadContext, resources: readonly Resource[], query: Query): Awaitable<unknown> {
  const { counts, fields } = query
  if (counts.size === 0) return undefined
  const loads = [...groupBySchema(resources)].flatMap(([schema, members]) =>
    [...schema.relations.values()]
      .filter(isToMany)
      .filter(
        ({ name, isCountable }) => isCountable && counts.has(name) && (fields.get(schema.type)?.has(name) ?? true),
      )
      .map((relation) => countRelation(ctx, relation, members)),
  )
  return Promise.all(loads)
}

/** How many resources of a row's to-many relation may be seen, whatever the query filters. */
export async function countMembers(ctx: ReadContext, relation: ToMany, { schema, row }: Resource): Promise<number> {
  const where = all(membersOf(ctx, relation, { schema, row }), relatable(ctx, relation))
  return ctx.rows.read('related', { kind: 'count', model: relation.model, where })
}

/** Counts the related rows that the caller may see, of each of the resources, which have one type. */
export async function countRelation(ctx: ReadContext, relation: ToMany, parents: readonly Resource[]): Promise<void> {
  const [{ schema }] = parents as [Resource]
  const columns = countedBy(relation, schema)
  const keys = [...parentKeys(parents, columns).values()]
  const found =
    relation.kind !== 'manyToMany'
      ? chunked(keys).map((chunk) => countByParent(ctx, relation, chunk))
      : chunked(keys, 2).map((chunk) => countThrough(ctx, relation, { columns, keys: chunk, model: schema.model }))
  const counts = await bySpelling(ctx, { schema, references: columns, keys }, (await Promise.all(found)).flat())
  for (const parent of parents) {
    parent.counts ??= new Map()
    parent.counts.set(relation.name, counts.get(rowKey(parent.row, columns)) ?? 0)
  }
}

type Keys = readonly (readonly unknown[])[]

interface Parented {
  readonly schema: ResourceSchema
  readonly references: readonly string[]
  readonly keys: Keys
}

/** The numbers by the keys of parents, as these spell them. */
async function bySpelling(
  ctx: ReadContext,
  { schema, references, keys }: Parented,
  found: readonly Counted[],
): Promise<ReadonlyMap<string, number>> {
  const known = new Set(keys.map(keyText))
  const others = new Map(found.map(({ key }) => [keyText(key), key] as const).filter(([key]) => !known.has(key)))
  const spelt = await readSpellings(ctx, { schema, references }, others)
  const counts = new Map<string, number>()
  for (const { key, count } of found) {
    const text = spelt.get(keyText(key)) ?? keyText(key)
    counts.set(text, (counts.get(text) ?? 0) + count)
  }
  return counts
}

async function countByParent(
  ctx: ReadContext,
  relation: HasMany | ManyThrough,
  keys: Keys,
): Promise<readonly Counted[]> {
  const { models } = ctx.server.resources
  if (relation.kind === 'hasMany') {
    const { columns, model } = relation
    const where = all(among(columnsOf(models[model] as ModelMeta, columns), keys), relatable(ctx, relation))
    return ctx.rows.read('related', { kind: 'countBy', model, columns, where })
  }
  const { model, from, to } = relation.pivot
  const pivot = models[model] as ModelMeta
  const shown = all(ctx.rows.visible('related', relation.model), relatable(ctx, relation))
  const far = isEverything(shown) ? null : related(relationOf(pivot, to.name), 'is', shown)
  const where = all(among(columnsOf(pivot, from.columns), keys), far)
  return ctx.rows.read('related', { kind: 'countBy', model, columns: from.columns, where })
}

/** The columns by which a row is known to what is counted. */
const countedBy = (relation: ToMany, schema: ResourceSchema): readonly string[] =>
  relation.kind === 'manyToMany' ? schema.id.columns : keyColumns(relation)

interface Parents {
  readonly model: ModelMeta
  readonly columns: readonly string[]
  readonly keys: Keys
}

async function countThrough(
  ctx: ReadContext,
  relation: ManyToMany,
  { model, columns, keys }: Parents,
): Promise<readonly Counted[]> {
  const target = ctx.server.resources.models[relation.model] as ModelMeta
  return ctx.rows.read('related', {
    kind: 'countThrough',
    model: model.name,
    columns,
    where: among(columnsOf(model, columns), keys),
    relation: relationOf(model, relation.field),
    inverse: relationOf(target, relation.inverse),
    counted: relatable(ctx, relation) ?? everything,
  })
}

/** The target schema's `relatableQuery`: the same condition that the related URL applies. */
const relatable = (ctx: ReadContext, { model }: ToMany): Condition | null =>
  schemaOf(ctx.server.schemas, model).hooks.relatableQuery(hookRequest(ctx))
