import type { DataDocument } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { readNamedRows } from '../read/find.ts'
import { shownColumns } from '../read/plan.ts'
import { type Resource, toResource } from '../read/resource.ts'
import { collectionDocument, resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import type { RequestContext } from './context.ts'
import { concealUnviewed, loadShown, withViewColumns } from './reading.ts'

/** One row, several, or none. */
export type GivenRows = Row | readonly Row[] | null

export interface RowsShown {
  /** Are they the answer to a write: then those that the caller may not view are type and id alone. */
  readonly isWritten: boolean
  readonly rows: GivenRows
  readonly query: Query
  /** What the document is the answer of, unless it is one resource, which has an URL of its own. */
  readonly url: string
}

/**
 * The document of rows that the application has in hand. They are read again, in the order given: what
 * the caller may not see is left out, and one such row is null.
 */
export async function rowsDocument(
  ctx: RequestContext,
  schema: ResourceSchema,
  { rows, query, url, isWritten }: RowsShown,
): Promise<DataDocument> {
  const resources = await readRows(ctx, schema, { rows: listOf(rows), query, isWritten })
  if (isList(rows)) return collectionDocument(ctx, resources, { query, url, page: null })
  const [resource = null] = resources
  return resourceDocument(ctx, resource, { query, url: resource ? resourceUrl(ctx, resource) : url })
}

/** @throws {Error} for a row that lacks a column of its key. */
export function checkKeys({ model, id }: ResourceSchema, rows: GivenRows): void {
  for (const row of listOf(rows)) {
    if (typeof row === 'object' && row !== null && id.columns.every((column) => row[column] != null)) continue
    throw new Error(`A row of ${model.name} was expected, with ${id.columns.join(' and ')} to tell which one it is.`)
  }
}

async function readRows(
  ctx: RequestContext,
  schema: ResourceSchema,
  { rows, query, isWritten }: { readonly rows: readonly Row[] } & Pick<RowsShown, 'query' | 'isWritten'>,
): Promise<readonly Resource[]> {
  checkKeys(schema, rows)
  if (rows.length === 0) return []
  const shown = shownColumns(schema, query.fields)
  const columns = isWritten ? withViewColumns(ctx, schema, shown) : shown
  const found = await readNamedRows(ctx.rows.reading('named'), schema, { keys: rows, columns })
  const visible = new Map(found.map((row) => [schema.id.format(row), toResource(schema, row)]))
  // A document has each resource once.
  const ids = new Set(rows.map((row) => schema.id.format(row)))
  const resources = [...ids].flatMap((id) => visible.get(id) ?? [])
  if (isWritten) await concealUnviewed(ctx, schema, resources)
  await loadShown(ctx, resources, query)
  return resources
}

const isList = (rows: GivenRows): rows is readonly Row[] => Array.isArray(rows)

const listOf = (rows: GivenRows): readonly Row[] => {
  if (rows === null) return []
  return isList(rows) ? rows : [rows]
}
