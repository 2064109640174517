import type { RequestContext } from '../actions/context.ts'
import { isObject, type Members } from '../document/members.ts'
import type { TextAnswer } from '../http/response/respond.ts'
import type { Row } from '../model/where.ts'
import { readNamedRows } from '../read/chunks.ts'
import { allColumns } from '../read/columns.ts'
import { conceal, isShown } from '../read/loading/conceal.ts'
import { type Resource, toResource } from '../read/resource.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'

// Rules about fields hide values by what a row is: it may be another one by the time of a repeat.

/** May the caller see all fields that a kept answer shows. Of a row that has gone, nothing is known but what is seen of every row. */
export async function isStillSeen(ctx: RequestContext, { body }: TextAnswer): Promise<boolean> {
  const ruled = [...ctx.server.schemas.byType.values()].filter(({ model }) => ctx.seen(model.name)?.fields.size)
  if (body === null || ruled.length === 0) return true
  const resources = [...resourcesIn(JSON.parse(body))]
  for (const schema of ruled) {
    const shown = resources.filter(({ type }) => type === schema.type)
    if (shown.length > 0 && !(await isSeen(ctx, schema, shown))) return false
  }
  return true
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
  const keys = shown.map(({ id }) => schema.id.parse(String(id))).filter((key): key is Row => key !== null)
  const rows = await readNamedRows(ctx.store.reader, schema, { keys, columns: allColumns(schema) })
  const found = rows.map((row) => toResource(schema, row))
  await conceal(ctx, found)
  return new Map(found.map((resource) => [resource.id, resource]))
}

/** The resource objects of a document, those of the results of operations among them. */
function* resourcesIn(document: unknown): Generator<Members> {
  if (!isObject(document)) return
  const results = document['atomic:results']
  for (const member of [document.data, document.included, ...(Array.isArray(results) ? results.map(dataOf) : [])])
    for (const resource of Array.isArray(member) ? member : [member]) if (isObject(resource)) yield resource
}

const dataOf = (result: unknown): unknown => (isObject(result) ? result.data : null)

const has = (member: unknown, name: string): boolean => isObject(member) && Object.hasOwn(member, name)
