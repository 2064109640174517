import { every, type Row, scopeOf, type Where } from '../model/where.ts'
import { toCheckContext } from '../query/check-context.ts'
import { defaultOrder } from '../query/collection.ts'
import type { FieldSets, IncludeTree, Query } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import {
  type HasMany,
  type HasOne,
  type ManyToMany,
  type Relation,
  type ResourceSchema,
  schemaOf,
} from '../schema/resource-schema.ts'
import { chunked, groupBySchema } from './chunks.ts'
import { loadCounts } from './counts.ts'
import { hookRequest, planLevel, shownColumns, totalOrder } from './plan.ts'
import { keysWhere, keyText, type Resource, toResource } from './resource.ts'
import { type Target, toOneTargets } from './to-one-targets.ts'

type Identity = Map<string, Resource>

interface Loading {
  readonly ctx: RequestContext
  readonly fields: FieldSets
  /** One resource for each type and id. */
  readonly known: Identity
}

/**
 * In: resources that were read, and what the query includes. Out: the same resources with their relations loaded, level
 * by level, one query for each edge of the include tree; beside it the linkage that schemas always show, and the numbers
 * that the query asks for.
 */
export async function loadRelated(ctx: RequestContext, primary: readonly Resource[], query: Query): Promise<void> {
  const known: Identity = new Map()
  for (const resource of primary) identify(known, resource)
  await Promise.all([
    loadLevel({ ctx, fields: query.fields, known }, primary, query.include),
    loadCounts(ctx, primary, query),
  ])
}

const identify = (known: Identity, resource: Resource): Resource => {
  const key = `${resource.schema.type}:${resource.id}`
  const same = known.get(key)
  if (same) return same
  known.set(key, resource)
  return resource
}

async function loadLevel(loading: Loading, resources: readonly Resource[], tree: IncludeTree): Promise<void> {
  const edges = [...groupBySchema(resources)].flatMap(([schema, members]) => edgesOf(loading, schema, members, tree))
  await Promise.all(edges.map((load) => load()))
}

function edgesOf(
  loading: Loading,
  schema: ResourceSchema,
  resources: readonly Resource[],
  tree: IncludeTree,
): (() => Promise<void>)[] {
  const asked = loading.fields.get(schema.type)
  return [...schema.relations.values()].flatMap((relation) => {
    const subtree = tree.get(relation.name)
    const isShown = relation.alwaysShowData && (!asked || asked.has(relation.name))
    if (!subtree && !isShown) return []
    return [
      async () => {
        const targets = await loadRelation(loading, relation, resources)
        if (subtree?.size) await loadLevel(loading, targets, subtree)
      },
    ]
  })
}

/** Loads one relation of many resources, and answers with its targets. */
async function loadRelation(
  loading: Loading,
  relation: Relation,
  resources: readonly Resource[],
): Promise<readonly Resource[]> {
  switch (relation.kind) {
    case 'belongsTo':
    case 'morphTo':
      return loadByKey(loading, relation, resources)
    case 'hasOne':
    case 'hasMany':
      return loadByParent(loading, relation, resources)
    case 'manyToMany':
      return loadThrough(loading, relation, resources)
    default:
      return relation satisfies never
  }
}

/** The targets that the resources' own columns name: one query for each model they lie in. */
async function loadByKey(
  loading: Loading,
  relation: Extract<Relation, { kind: 'belongsTo' | 'morphTo' }>,
  resources: readonly Resource[],
): Promise<readonly Resource[]> {
  const { ctx } = loading
  const named = resources.map((resource) => toOneTargets(ctx.server.schemas, relation, resource.row))
  const byBranch = new Map<string, Target[]>()
  for (const target of named) if (target) byBranch.set(target.branch, [...(byBranch.get(target.branch) ?? []), target])
  const found = new Map<string, Resource>()
  await Promise.all(
    [...byBranch].map(async ([branch, targets]) => {
      const [{ schema, references }] = targets as [Target]
      const keys = [...new Map(targets.map((target) => [target.key, target.values])).values()]
      const read = await readChunks(loading, schema, keys, (chunk) => keysWhere(references, chunk), references)
      for (const { row, resource } of read) found.set(`${branch} ${keyOf(row, references)}`, resource)
    }),
  )
  resources.forEach((resource, i) => {
    const target = named[i]
    resource.related.set(relation.name, (target && found.get(`${target.branch} ${target.key}`)) ?? null)
  })
  return [...new Set(found.values())]
}

/** The targets whose foreign keys name the resources. */
async function loadByParent(
  loading: Loading,
  relation: HasOne | HasMany,
  resources: readonly Resource[],
): Promise<readonly Resource[]> {
  const { ctx } = loading
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const keys = resources
    .map(({ row }) => relation.references.map((column) => row[column]))
    .filter((values) => values.every((value) => value !== null))
  const shown = relation.kind === 'hasMany' ? schema.hooks.relatableQuery(hookRequest(ctx)) : null
  const read = await readChunks(
    loading,
    schema,
    keys,
    (chunk) => every(keysWhere(relation.columns, chunk), shown),
    relation.columns,
  )
  const byParent = new Map<string, Resource[]>()
  for (const { row, resource } of read) {
    const key = keyOf(row, relation.columns)
    const siblings = byParent.get(key)
    if (siblings) siblings.push(resource)
    else byParent.set(key, [resource])
  }
  for (const resource of resources) {
    const children = byParent.get(keyOf(resource.row, relation.references)) ?? []
    resource.related.set(relation.name, relation.kind === 'hasOne' ? (children[0] ?? null) : children)
  }
  return read.map(({ resource }) => resource)
}

/** The targets of an implicit many-to-many: each row comes with the parents that it belongs to. */
async function loadThrough(
  loading: Loading,
  relation: ManyToMany,
  resources: readonly Resource[],
): Promise<readonly Resource[]> {
  const { ctx, fields, known } = loading
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const [key] = (resources[0] as Resource).schema.model.key as [string]
  const where = every(scopeOf(ctx.served.scopes, relation.model), schema.hooks.relatableQuery(hookRequest(ctx)))
  const level = { ...planLevel(schema, shownColumns(schema, fields), where), order: orderOf(ctx, schema) }
  const byParent = new Map<unknown, Resource[]>(resources.map(({ row }) => [row[key], []]))
  const chunks = chunked([...byParent.keys()])
  const joined = await Promise.all(
    chunks.map((parents) =>
      ctx.store.reader.joined({ ...level, through: { relation: relation.inverse, key, parents } }),
    ),
  )
  const targets = new Set<Resource>()
  for (const { row, parents } of joined.flat()) {
    const target = identify(known, toResource(schema, row))
    targets.add(target)
    for (const parent of parents) byParent.get(parent)?.push(target)
  }
  for (const resource of resources) resource.related.set(relation.name, byParent.get(resource.row[key]) ?? [])
  return [...targets]
}

/** A row with the columns of its level, and the resource that it is: the one that the request knew before, perhaps. */
interface Read {
  readonly row: Row
  readonly resource: Resource
}

type ChunkWhere = (keys: readonly (readonly unknown[])[]) => Where

async function readChunks(
  loading: Loading,
  schema: ResourceSchema,
  keys: readonly (readonly unknown[])[],
  where: ChunkWhere,
  needed: readonly string[],
): Promise<readonly Read[]> {
  const { ctx, fields, known } = loading
  const columns = [...new Set([...shownColumns(schema, fields), ...needed])]
  const scope = scopeOf(ctx.served.scopes, schema.model.name)
  const order = orderOf(ctx, schema)
  const rows = await Promise.all(
    chunked(keys).map((chunk) =>
      ctx.store.reader.rows({ ...planLevel(schema, columns, every(scope, where(chunk))), order }),
    ),
  )
  return rows.flat().map((row) => ({ row, resource: identify(known, toResource(schema, row)) }))
}

/** What is included has the order that its own collection has. */
const orderOf = (ctx: RequestContext, schema: ResourceSchema) =>
  totalOrder(schema, defaultOrder(schema, toCheckContext(ctx)))

const keyOf = (row: Row, columns: readonly string[]): string => keyText(columns.map((column) => row[column]))
