import { all } from '../../condition/build.ts'
import type { Condition } from '../../condition/condition.ts'
import { scopeOf } from '../../condition/scopes.ts'
import { keyText } from '../../database/keys.ts'
import { documentTooLarge, tooManyResources } from '../../document/errors.ts'
import { type Awaitable, after, together } from '../../model/awaitable.ts'
import type { Row } from '../../model/where.ts'
import type { FieldSets, IncludedCollections } from '../../query/query.ts'
import { sizeParameter } from '../../request/request-url.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { chunked } from '../chunks.ts'
import { shownColumns, shownInstants, withColumns } from '../columns.ts'
import { noOrder, planLevel } from '../plan.ts'
import type { ReadContext } from '../read-context.ts'
import { type Resource, toResource } from '../resource.ts'

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

export const toRead = ({ known, size }: Loading, schema: ResourceSchema, row: Row): Read => ({
  row,
  // Most rows of a document are met again and again: only the first of them becomes a resource.
  resource: remembered(known, schema, schema.id.format(row), () => {
    size.addRow(row)
    return toResource(schema, row)
  }),
})

/** The resource that the request knew before, or this one from now on. */
export const identify = (known: Loading['known'], resource: Resource): Resource =>
  remembered(known, resource.schema, resource.id, () => resource)

function remembered(known: Loading['known'], schema: ResourceSchema, id: string, make: () => Resource): Resource {
  const ofType = known.get(schema) ?? new Map<string, Resource>()
  if (ofType.size === 0) known.set(schema, ofType)
  const same = ofType.get(id)
  if (same) return same
  const resource = make()
  ofType.set(id, resource)
  return resource
}

/** The values of the columns that children point at, each once; a parent without one has no children. */
export function parentKeys(
  resources: readonly Resource[],
  references: readonly string[],
): readonly (readonly unknown[])[] {
  const keys = resources
    .map(({ row }) => references.map((column) => row[column]))
    .filter((values) => values.every((value) => value !== null))
  return [...new Map(keys.map((values) => [keyText(values), values])).values()]
}

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
  const reads = chunked(keys).map(
    (chunk) => () => ctx.store.reader.read({ ...planLevel(schema, read, all(scope, where(chunk)), noOrder), shown }),
  )
  return after(together(reads), (rows) => rows.flat().map((row) => toRead(loading, schema, row)))
}

type SizeContext = Pick<ReadContext, 'at' | 'limits'>

/** How much a document may still hold. It is counted while levels are read, so that none is read for a document that is too large. */
export class DocumentSize {
  private resources: number
  private characters: number
  private readonly ctx: SizeContext

  constructor(ctx: SizeContext) {
    this.ctx = ctx
    this.resources = ctx.limits.resources
    this.characters = ctx.limits.documentBytes
  }

  /** Resources, or identifiers of them. @throws {JsonApiError} 400 */
  add(count: number): void {
    this.resources -= count
    if (this.resources < 0) throw tooManyResources(sizeParameter(this.ctx.at), this.ctx.limits.resources)
  }

  /** A row that will be shown: a document has a byte for each character of it, at the least. @throws {JsonApiError} 400 */
  addRow(row: Row): void {
    this.add(1)
    for (const column in row) this.characters -= charactersIn(row[column])
    if (this.characters < 0) throw documentTooLarge(sizeParameter(this.ctx.at), this.ctx.limits.documentBytes)
  }
}

/** Json has those of its keys and values, each of which stands in the document. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + charactersIn(each), 0)
  if (Object.getPrototypeOf(value) !== Object.prototype) return 0
  let sum = 0
  for (const [key, each] of Object.entries(value)) sum += key.length + 1 + charactersIn(each)
  return sum
}
