import { all } from '../condition/build.ts'
import { scopeOf } from '../condition/scopes.ts'
import type { Row } from '../model/where.ts'
import type { Query } from '../query/query.ts'
import { readNamedRows } from '../read/chunks.ts'
import { shownColumns } from '../read/columns.ts'
import { planRow } from '../read/plan.ts'
import { type Resource, toResource } from '../read/resource.ts'
import { idWhere } from '../read/row-conditions.ts'
import { isToMany } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { ShownOfWritten } from '../write/single-statement.ts'
import { toldVersion, withVersion } from '../write/version.ts'
import type { RequestContext } from './context.ts'
import { loadShown } from './load-shown.ts'
import { concealUnviewed, isUnviewed, isViewedByCode, withViewColumns } from './viewed.ts'

interface Written {
  readonly key: Row
  readonly query: Query
  /** What the statement that wrote the row told of it; null where it has to be read. */
  readonly shown: Row | null
  /** False: shown even where a scope hides it. */
  readonly isScoped: boolean
}

/** What the answer to a write shows. */
export const shownOfWritten = (ctx: RequestContext, schema: ResourceSchema, query: Query): ShownOfWritten => ({
  columns: columnsOfWritten(ctx, schema, query),
  mayFail: reasonToFail(ctx, schema, query),
})

const columnsOfWritten = (ctx: RequestContext, schema: ResourceSchema, { fields }: Query): readonly string[] =>
  withViewColumns(ctx, schema, withVersion(schema, shownColumns(schema, fields)))

function reasonToFail(ctx: RequestContext, schema: ResourceSchema, query: Query): string | null {
  if (query.include.size > 0 || query.counts.size > 0 || namesMembers(schema, query))
    return 'the answer shows other rows'
  return isViewedByCode(ctx, schema) ? 'code decides who may view the row' : null
}

/** Does the document say without being asked whom a to-many relation leads to. */
function namesMembers({ type, relations }: ResourceSchema, { fields }: Query): boolean {
  const asked = fields.get(type)
  return [...relations.values()].some(
    (relation) => relation.alwaysShowData && isToMany(relation) && (!asked || asked.has(relation.name)),
  )
}

/** Reads resources of one type again after they were created, by their ids; whether a scope hides them or not. */
export async function readCreated(
  ctx: RequestContext,
  schema: ResourceSchema,
  { keys, query }: { readonly keys: readonly Row[]; readonly query: Query },
): Promise<ReadonlyMap<string, Resource>> {
  const columns = withViewColumns(ctx, schema, shownColumns(schema, query.fields))
  const rows = await readNamedRows(ctx.store.reader, schema, { keys, columns })
  const resources = rows.map((row) => toResource(schema, row))
  await concealUnviewed(ctx, schema, resources)
  await loadShown(ctx, resources, query)
  return new Map(resources.map((resource) => [resource.id, resource]))
}

/** Reads a resource after a write, where that has not told it: the database may have changed more of it than the client did. */
export async function readWritten(
  ctx: RequestContext,
  schema: ResourceSchema,
  { key, query, shown, isScoped }: Written,
): Promise<Resource | null> {
  const row = shown ?? (await readAgain(ctx, schema, { key, query, isScoped }))
  if (!row) return null
  const resource = toResource(schema, row)
  await concealUnviewed(ctx, schema, [resource])
  await loadShown(ctx, [resource], query)
  return resource
}

async function readAgain(
  ctx: RequestContext,
  schema: ResourceSchema,
  { key, query, isScoped }: Omit<Written, 'shown'>,
): Promise<Row | undefined> {
  const where = all(idWhere(schema, key), isScoped ? scopeOf(ctx.served.scopesById, schema.model.name) : null)
  const [row] = await ctx.store.reader.read(planRow(schema, columnsOfWritten(ctx, schema, query), where))
  return row
}

/** The version of what the answer to a write shows. */
export const shownVersion = (ctx: RequestContext, resource: Resource): string | null =>
  isUnviewed(resource) ? null : toldVersion(ctx, resource.schema, resource.row)
