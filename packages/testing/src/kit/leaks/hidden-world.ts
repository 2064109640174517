import type { CompiledServer } from '@prismapi/core/server/compile'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { missingId } from '../tested.ts'
import { type HiddenThings, type ModelRows, readRows } from './hidden.ts'
import { cellsOf, type HiddenField, readHiddenFields } from './hidden-values.ts'
import { keyOf } from './keys.ts'
import type { KnownRow } from './urls.ts'
import { type HiddenRow, type HiddenValue, type Telling, toKnown, type World } from './world.ts'

/** Shorter texts are likely to be a piece of something, and shorter numbers to stand somewhere by chance. */
const tellingLength = 4

/** The world of an application, and the rows in it that are most likely to tell of hidden ones. */
export interface ReadWorld {
  readonly world: World
  /** By model: rows that may be seen, and are related to hidden ones. */
  readonly near: ReadonlyMap<string, readonly Row[]>
}

/** Of each type, rows that may be seen. */
const shownAtMost = 2

/** Some rows that may be seen, those first that are related to hidden ones. */
export function shownFirst({ world, near }: ReadWorld, schema: ResourceSchema): readonly KnownRow[] {
  const rows = [...(near.get(schema.model.name) ?? []), ...(world.shown.get(schema.model.name) ?? [])]
  const known = new Map(rows.map((row) => toKnown(schema, row)).map((each) => [each.id, each]))
  return [...known.values()].slice(0, shownAtMost)
}

/** What the walk has to know of the database: its rows, and what gives the hidden ones away. */
export async function readWorld(
  server: CompiledServer,
  client: object,
  { hidden = {}, hiddenValues = {} }: HiddenThings,
): Promise<ReadWorld> {
  const rows = await readRows(server.resources, client, hidden)
  const fields = await readHiddenFields(server.resources, client, hiddenValues)
  for (const model of Object.keys(hidden)) {
    if (rows.get(model)?.hidden.length) continue
    throw new Error(
      `leaks({ hidden: { ${model} } }): no row of ${model} is hidden, so nothing would be tested. Add one to the database.`,
    )
  }
  const known = knownOf(server, rows, cellsOf(server.resources.models, fields))
  const world = {
    server,
    hidden: new Map(
      [...rows].map(([model, own]) => [model, own.hidden.map((row) => hiddenRow(server, { model, row, known }))]),
    ),
    values: fields.map((each): HiddenValue => ({ ...each, ...hiddenValue(server, known, each) })),
    shown: new Map([...rows].map(([model, own]) => [model, own.shown])),
    missing: new Map([...server.schemas.byType.values()].map((schema) => [schema.model.name, missingId(schema)])),
  }
  return {
    world,
    near: new Map(
      [...rows].map(([model, own]) => [model, [...withHidden(server.resources, fields, model), ...own.near]]),
    ),
  }
}

/** The rows of which a field is hidden, once each. */
function withHidden({ models }: Resources, fields: readonly HiddenField[], model: string): readonly Row[] {
  const own = fields.filter((each) => each.model === model)
  return [...new Map(own.map(({ row }) => [keyOf(models[model] as ModelMeta, row), row])).values()]
}

/** What may be seen, and so tells of nothing that is hidden. */
interface Known {
  /** Values of rows that may be seen, and words that every document may have. */
  readonly values: ReadonlySet<string>
  /** The same values, each with the name of its column. */
  readonly named: ReadonlySet<string>
  /** The same texts, a line each, in small letters: what is a piece of them may stand anywhere. */
  readonly texts: string
}

interface Place {
  readonly model: string
  readonly row: Row
  readonly known: Known
}

function hiddenRow(server: CompiledServer, place: Place): HiddenRow {
  const { model, row } = place
  const id = server.schemas.byModel.get(model)?.id
  const told = tellingOf(server, place, Object.values(server.resources.models[model]?.columns ?? {}))
  const joined = id && id.columns.length > 1 ? [id.format(row)] : []
  return { row, ...told, values: [...told.values, ...joined] }
}

/** What a hidden column is told by; of a relation, the columns that it is made of. */
function hiddenValue(server: CompiledServer, known: Known, { model, field, row }: HiddenField): Telling {
  const { columns = {}, relations = {} } = server.resources.models[model] ?? {}
  const names = columns[field] ? [field] : (relations[field]?.foreignKey?.columns ?? [])
  return tellingOf(
    server,
    { model, row, known },
    names.flatMap((name) => columns[name] ?? []),
  )
}

/** What these columns of a row have that nothing has that may be seen. */
function tellingOf(
  { resources }: CompiledServer,
  { model, row, known }: Place,
  columns: readonly ColumnMeta[],
): Telling {
  const own = columns.flatMap((column) => {
    const value = plainValue(column, row)
    return value === null || value === '' ? [] : [{ column, value, isText: column.type === 'String' }]
  })
  const telling = own.filter(({ value }) => !known.values.has(value))
  const whole = telling.filter(({ value, isText }) => isText || value.length >= tellingLength)
  const pieces = telling.filter(
    ({ value, isText }) => isText && value.length >= tellingLength && !known.texts.includes(value.toLowerCase()),
  )
  const short = own.filter(({ value, isText }) => !isText && value.length < tellingLength)
  return {
    markers: pieces.map(({ value }) => value),
    values: whole.map(({ value }) => value),
    named: short.flatMap(({ column, value }) =>
      namesOf(resources, { model, column })
        .filter((name) => !known.named.has(`${name} ${value}`))
        .map((name) => [name, value] as const),
    ),
  }
}

/** What members are called that have a column's value: of a key, whatever leads to it. */
function namesOf({ models }: Resources, { model, column }: { model: string; column: ColumnMeta }): readonly string[] {
  if (!models[model]?.key.includes(column.name)) return [column.name]
  return Object.values(models).flatMap(({ relations }) =>
    Object.values(relations).flatMap((relation) => {
      const at = relation.model === model ? (relation.foreignKey?.references.indexOf(column.name) ?? -1) : -1
      return relation.foreignKey?.columns[at] ?? []
    }),
  )
}

function knownOf(
  { resources, schemas }: CompiledServer,
  rows: ReadonlyMap<string, ModelRows>,
  isHidden: ReturnType<typeof cellsOf>,
): Known {
  // A row of a model that the server does not serve is seen by no client, as the log of changes.
  const served = [...rows].filter(([name]) => schemas.byModel.has(name))
  const known = served.flatMap(([name, { shown }]) => {
    const { columns = {}, key = [] } = resources.models[name] ?? {}
    // Where a foreign key leads to a hidden row, it tells of that row.
    const own = Object.values(columns).filter((column) => !column.isForeignKey || key.includes(column.name))
    return shown.flatMap((row) =>
      own.flatMap((column) => {
        const value = isHidden(name, row, column.name) ? null : plainValue(column, row)
        return value === null ? [] : [{ name: column.name, value }]
      }),
    )
  })
  const words = [...schemas.byType.values()].flatMap(({ type, attributes, relations }) => [
    type,
    ...attributes.keys(),
    ...relations.keys(),
  ])
  const values = known.map(({ value }) => value)
  const enums = Object.values(resources.enums).flatMap((each) => each.values)
  return {
    values: new Set([...values, ...words, ...enums]),
    named: new Set(known.map(({ name, value }) => `${name} ${value}`)),
    texts: values.join('\n').toLowerCase(),
  }
}

/** A value as documents have it; null for those that say nothing of their row. */
function plainValue({ name, type, isEnum, isList }: ColumnMeta, row: Row): string | null {
  const value = row[name]
  if (
    value === null ||
    value === undefined ||
    isEnum ||
    isList ||
    type === 'Boolean' ||
    type === 'Json' ||
    type === 'Bytes'
  )
    return null
  return value instanceof Date ? value.toISOString() : String(value)
}
