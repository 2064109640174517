import type { RequestContext } from '@prismapi/core/actions/context'
import { concealUnviewed, isUnviewed, viewsAll } from '@prismapi/core/actions/reading'
import { readNamedRows } from '@prismapi/core/read/find'
import { allColumns } from '@prismapi/core/read/plan'
import { isShown, markHiddenFields, type Resource, toResource } from '@prismapi/core/read/resource'
import { isObject, type Members } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { TextAnswer } from './row.ts'

// Rules hide rows and fields by what a row is: it may be another one by the time of a repeat.

/**
 * Whether the caller may view the written row and all fields that a kept response shows. Of a deleted row, only the
 * fields that are seen in every row may be shown.
 */
export async function isStillSeen(ctx: RequestContext, { body }: TextAnswer): Promise<boolean> {
  if (body === null) return true
  const document: unknown = JSON.parse(body)
  const schemas = [...ctx.server.schemas.byType.values()]
  const written = writtenIn(document).filter(hasFields)
  for (const schema of schemas) {
    const shown = written.filter(({ type }) => type === schema.type)
    if (shown.length > 0 && !viewsAll(ctx, schema) && !(await isViewed(ctx, schema, shown))) return false
  }
  const ruled = schemas.filter(({ model }) => ctx.seen(model.name)?.fields.size)
  if (ruled.length === 0) return true
  const resources = [...written, ...listOf(isObject(document) ? document.included : null)]
  for (const schema of ruled) {
    const shown = resources.filter(({ type }) => type === schema.type)
    if (shown.length > 0 && !(await isSeen(ctx, schema, shown))) return false
  }
  return true
}

/** May the caller view all of them as they are now. */
async function isViewed(ctx: RequestContext, schema: ResourceSchema, shown: readonly Members[]): Promise<boolean> {
  const found = await readResources(ctx, schema, shown)
  await concealUnviewed(ctx, schema, found)
  const viewed = new Set(found.filter((resource) => !isUnviewed(resource)).map(({ id }) => id))
  return shown.every(({ id }) => viewed.has(String(id)))
}

async function isSeen(ctx: RequestContext, schema: ResourceSchema, shown: readonly Members[]): Promise<boolean> {
  const found = await findResources(ctx, schema, shown)
  const ruled = [...(ctx.seen(schema.model.name)?.fields.keys() ?? [])]
  return shown.every((resource) => {
    const present = found.get(String(resource.id))
    const isThere = (name: string) => [resource.attributes, resource.relationships].some((each) => has(each, name))
    return ruled.every((name) => !isThere(name) || (present !== undefined && isShown(present, name)))
  })
}

/** The resources as they are now, each with what the caller may not see of it. */
async function findResources(
  ctx: RequestContext,
  schema: ResourceSchema,
  shown: readonly Members[],
): Promise<ReadonlyMap<string, Resource>> {
  const found = await readResources(ctx, schema, shown)
  await markHiddenFields(ctx, found)
  return new Map(found.map((resource) => [resource.id, resource]))
}

async function readResources(
  ctx: RequestContext,
  schema: ResourceSchema,
  shown: readonly Members[],
): Promise<readonly Resource[]> {
  const keys = shown.map(({ id }) => schema.id.parse(String(id))).filter((key): key is Row => key !== null)
  const rows = await readNamedRows(ctx.rows.unscoped, schema, { keys, columns: allColumns(schema) })
  return rows.map((row) => toResource(schema, row))
}

/** The resource objects that a document is about, those of the results of operations among them. */
function writtenIn(document: unknown): readonly Members[] {
  if (!isObject(document)) return []
  const results = document['atomic:results']
  return [document.data, ...(Array.isArray(results) ? results.map(dataOf) : [])].flatMap(listOf)
}

const listOf = (member: unknown): readonly Members[] =>
  (Array.isArray(member) ? member : [member]).filter((each) => isObject(each))

const hasFields = ({ attributes, relationships }: Members): boolean => isObject(attributes) || isObject(relationships)

const dataOf = (result: unknown): unknown => (isObject(result) ? result.data : null)

const has = (member: unknown, name: string): boolean => isObject(member) && Object.hasOwn(member, name)
