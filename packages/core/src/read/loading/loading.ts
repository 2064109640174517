import { among, columnsOf } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { documentTooLarge, tooManyResources } from '@prismapi/jsonapi/document/errors'
import { type Awaitable, after, together } from '@prismapi/jsonapi/model/awaitable'
import { type BoundedCache, boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { FieldSets, IncludedCollections } from '@prismapi/jsonapi/query/query'
import { sizeParameter } from '@prismapi/jsonapi/request/hook-context'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import {
  columnValues,
  foldedText,
  keysToAskAgain,
  keyText,
  listParameter,
  rowKey,
  share,
} from '../../database/reader.ts'
import { chunked } from '../find.ts'
import { noOrder, planLevel, shownColumns, shownInstants, withColumns } from '../plan.ts'
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

/** The values of keys, by the keys as one string. */
export type Keys = ReadonlyMap<string, readonly unknown[]>

/** The values of the columns that children point at, each once; a parent without one has no children. */
export function parentKeys(resources: readonly Resource[], references: readonly string[]): Keys {
  const keys = new Map<string, readonly unknown[]>()
  for (const { row } of resources) {
    const values = columnValues(row, references)
    if (!values.includes(null)) keys.set(keyText(values), values)
  }
  return keys
}

interface ToOneRead {
  readonly keys: Keys
  readonly where: (keys: readonly (readonly unknown[])[]) => Condition
  /** The columns that tell whose row it is. */
  readonly columns: readonly string[]
}

/** Rows of which each key has one. */
function readByKeys(
  loading: Loading,
  schema: ResourceSchema,
  { keys, where, columns }: ToOneRead,
): Awaitable<readonly Read[]> {
  const { ctx, fields } = loading
  const read = withColumns(shownColumns(schema, fields), columns)
  const shown = shownInstants(schema)
  const reads = chunked([...keys.values()]).map((chunk) => () => {
    const condition = where(chunk)
    const list = listParameter(condition)
    const plan = { shown, ...planLevel(schema, read, condition, noOrder) }
    if (!list) return ctx.rows.read('related', plan)
    const form = formsOf(read).get(`${columns.join()} ${list.length === 1}`, () => ({}))
    return ctx.rows.read('related', share(plan, { form, parameters: [list] }))
  })
  return after(together(reads), (rows) => rows.flat().map((row) => toRead(loading, schema, row)))
}

/** Of plans that read these columns of rows by their keys; most lists of columns are made once. */
const formsOf = memo((_columns: readonly string[]): BoundedCache<object> => boundedCache(100))

/** The same by their keys, in all spellings of these. */
export function findByKeys(
  loading: Loading,
  schema: ResourceSchema,
  wanted: ToOneRead,
): Awaitable<ReadonlyMap<string, Read>> {
  return after(readByKeys(loading, schema, wanted), (read) => {
    const { keys, columns } = wanted
    const found = new Map<string, Read>()
    for (const each of read) found.set(rowKey(each.row, columns), each)
    const again = keysToAskAgain(keys.keys(), found)
    if (again.length === 0) return found
    const alone = (key: string): Keys => new Map([[key, keys.get(key) as readonly unknown[]]])
    const reads = again.map((key) => () => readByKeys(loading, schema, { ...wanted, keys: alone(key) }))
    return after(together(reads), (others) => {
      for (const [i, key] of again.entries()) if (others[i]?.[0]) found.set(key, others[i][0])
      return found
    })
  })
}

type SizeContext = Pick<ReadContext, 'at' | 'limits'>

/** How much more a document may hold. Levels count while they are read, so reading stops when it is too large. */
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

  /** Counts a row that will be shown: at least a byte for each of its characters. @throws {JsonApiError} 400 */
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

interface Named {
  readonly schema: ResourceSchema
  /** The columns that keys lead to. */
  readonly references: readonly string[]
}

type Key = readonly [text: string, values: readonly unknown[]]
type Spelt = readonly [text: string, own: string]

/**
 * Keys in the spelling of the rows that they lead to, by the spelling in which they were found. Keys that lead nowhere
 * are left out.
 *
 * One statement asks for many keys, of which no two are alike, so a row belongs to the key that is like it. If no row
 * is like a key, only the database knows where it leads: such keys are asked for one by one.
 */
export function readSpellings(
  { rows: { unscoped } }: Pick<ReadContext, 'rows'>,
  { schema, references }: Named,
  keys: ReadonlyMap<string, readonly unknown[]>,
): Awaitable<ReadonlyMap<string, string>> {
  if (keys.size === 0) return none
  const columns = columnsOf(schema.model, references)
  const read = (some: readonly Key[]): Awaitable<readonly Row[]> => {
    const values = some.map(([, each]) => each)
    return unscoped.read(planLevel(schema, references, among(columns, values), noOrder))
  }

  const speltTogether = (some: readonly Key[]): Awaitable<readonly Spelt[]> =>
    after(read(some), (rows) => {
      // Null where several rows are alike.
      const byFolded = new Map<string, Row | null>()
      for (const row of rows) {
        const folded = foldedText(references.map((name) => row[name]))
        byFolded.set(folded, byFolded.has(folded) ? null : row)
      }
      const spelt: (readonly [Key, own: string])[] = []
      const lacking: Key[] = []
      for (const key of some) {
        const row = byFolded.get(foldedText(key[1]))
        if (row) spelt.push([key, rowKey(row, references)])
        else lacking.push(key)
      }
      if (rows.length === 0 || lacking.length === 0) return spelt.map(([key, own]) => [key[0], own])
      return after(each(lacking), (alone) => {
        // A row that a key leads to which is unlike it need not be that of the one which is like it.
        const taken = new Set(alone.map(([, own]) => own))
        const doubtful = spelt.filter(([, own]) => taken.has(own)).map(([key]) => key)
        const certain = spelt.filter(([, own]) => !taken.has(own)).map(([key, own]): Spelt => [key[0], own])
        return after(each(doubtful), (again) => [...certain, ...alone, ...again])
      })
    })

  const each = (some: readonly Key[]): Awaitable<readonly Spelt[]> =>
    after(together(some.map((key) => () => speltAlone(key))), (found) => found.flat())

  const speltAlone = (key: Key): Awaitable<readonly Spelt[]> =>
    after(read([key]), ([row]) => (row ? [[key[0], rowKey(row, references)]] : []))

  const asks = unlike([...keys]).flatMap((some) => chunked(some, references.length))
  return after(together(asks.map((some) => () => speltTogether(some))), (spelt) => new Map(spelt.flat()))
}

/** Keys in lists, in none of which two are alike. */
function unlike(keys: readonly Key[]): readonly (readonly Key[])[] {
  const lists: Key[][] = []
  const times = new Map<string, number>()
  for (const key of keys) {
    const folded = foldedText(key[1])
    const before = times.get(folded) ?? 0
    times.set(folded, before + 1)
    const list = lists[before]
    if (list) list.push(key)
    else lists.push([key])
  }
  return lists
}

const none: ReadonlyMap<string, string> = new Map()
