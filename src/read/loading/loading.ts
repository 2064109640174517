import { all } from '../../condition/build.ts'
import type { Condition } from '../../condition/condition.ts'
import { scopeOf } from '../../condition/scopes.ts'
import { keyText, valueText } from '../../database/keys.ts'
import { type Awaitable, after, together } from '../../model/awaitable.ts'
import type { Row } from '../../model/where.ts'
import type { FieldSets, IncludedCollections } from '../../query/query.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { chunked } from '../chunks.ts'
import { noOrder, planLevel, shownColumns, shownInstants, withColumns } from '../plan.ts'
import type { ReadContext } from '../read-context.ts'
import { type Resource, toResource } from '../resource.ts'
import type { DocumentSize } from './document-size.ts'

/** What the levels of one request share. */
export interface Loading {
  readonly ctx: ReadContext
  readonly fields: FieldSets
  readonly collections: IncludedCollections
  readonly size: DocumentSize
  /** One resource for each type and id. */
  readonly known: Map<ResourceSchema, Map<string, Resource>>
}

/** A row with the columns of its level, and the resource that it is: the one that the request knew before, perhaps. */
export interface Read {
  readonly row: Row
  readonly resource: Resource
}

/** The resource that a row is. Most rows of a document are met again and again: only the first of them becomes a resource. */
export function identified({ known, size }: Loading, schema: ResourceSchema, row: Row): Resource {
  const ofType = knownOf(known, schema)
  const id = schema.id.format(row)
  const same = ofType.get(id)
  if (same) return same
  size.addRow(row)
  const resource = toResource(schema, row, id)
  ofType.set(id, resource)
  return resource
}

/** Notes a resource that is there already; of two of one type and id the first counts. */
export function note(known: Loading['known'], resource: Resource): void {
  const ofType = knownOf(known, resource.schema)
  if (!ofType.has(resource.id)) ofType.set(resource.id, resource)
}

function knownOf(known: Loading['known'], schema: ResourceSchema): Map<string, Resource> {
  const ofType = known.get(schema)
  if (ofType) return ofType
  const none = new Map<string, Resource>()
  known.set(schema, none)
  return none
}

export const keyOf = (row: Row, columns: readonly string[]): string =>
  columns.length === 1 ? valueText(row[columns[0] as string]) : keyText(columns.map((column) => row[column]))

interface ToOneRead {
  readonly keys: readonly (readonly unknown[])[]
  readonly where: (keys: readonly (readonly unknown[])[]) => Condition
  /** The columns that tell whose row it is. */
  readonly columns: readonly string[]
}

/** Rows of which each key has one. */
export function readByKeys(
  loading: Loading,
  schema: ResourceSchema,
  { keys, where, columns }: ToOneRead,
): Awaitable<readonly Read[]> {
  const { ctx, fields } = loading
  const read = withColumns(shownColumns(schema, fields), columns)
  const scope = scopeOf(ctx.served.scopes, schema.model.name)
  const shown = shownInstants(schema)
  const reads = chunked(keys).map((chunk) => () => {
    const level = planLevel(schema, read, all(scope, where(chunk)), noOrder)
    return ctx.store.reader.read({ ...level, shown, most: chunk.length })
  })
  return after(together(reads), (rows) =>
    rows.flat().map((row) => ({ row, resource: identified(loading, schema, row) })),
  )
}
