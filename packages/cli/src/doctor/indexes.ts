import type { Provider } from '@prismapi/jsonapi/model/meta'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'

/** The indexes that reads of the API need and that are not there: a line each. Those of cursors are known at boot. */
export function indexWarnings(
  schemas: readonly ResourceSchema[],
  registry: SchemaRegistry,
  provider: Provider,
): readonly string[] {
  // MySQL and MariaDB index every foreign key by themselves.
  const missing = provider === 'mysql' ? [] : schemas.flatMap((schema) => foreignKeys(schema, registry))
  return grouped([...missing, ...schemas.flatMap(defaultSort)])
}

interface MissingIndex {
  readonly model: string
  readonly columns: readonly string[]
  /** What is slow without it. */
  readonly use: string
}

/** A line for each model: of one index what it is for, of several which they are. */
function grouped(missing: readonly MissingIndex[]): readonly string[] {
  const byModel = new Map<string, Map<string, MissingIndex>>()
  for (const each of missing) {
    const indexes = byModel.get(each.model) ?? new Map<string, MissingIndex>()
    byModel.set(each.model, indexes)
    if (!indexes.has(each.columns.join())) indexes.set(each.columns.join(), each)
  }
  return [...byModel].map(([model, indexes]) => {
    const [first, ...more] = [...indexes.values()] as [MissingIndex, ...MissingIndex[]]
    if (more.length === 0) return `${model}: ${first.use} ${lacks(first.columns)}`
    const wanted = [first, ...more].map(({ columns }) => `@@index([${columns.join(', ')}])`)
    return `${model}: ${wanted.length} indexes are missing for relations and sorts. Add ${wanted.join(', ')}.`
  })
}

function foreignKeys({ type, relations }: ResourceSchema, registry: SchemaRegistry): readonly MissingIndex[] {
  return [...relations.values()].flatMap((relation) => {
    if (relation.kind !== 'hasMany' && relation.kind !== 'hasOne') return []
    const { name, columns, model: target } = relation
    const { model } = schemaOf(registry, target)
    if (model.indexes.some((index) => beginsWith(index, columns, 'any order'))) return []
    return [{ model: model.name, columns, use: `${name} of ${type} are found by` }]
  })
}

function defaultSort({ type, model, attributes, defaultSort }: ResourceSchema): readonly MissingIndex[] {
  const names = defaultSort === '' ? [] : defaultSort.split(',').map((field) => field.replace(/^-/, ''))
  const columns = names.map((name) => attributes.get(name)?.column?.name)
  // An order by the id has its index, one by related rows can have none.
  if (columns.length === 0 || columns.includes(undefined)) return []
  // A unique column leaves nothing for the others to order.
  const isUnique = model.uniques.some((unique) => unique.length === 1 && unique[0] === columns[0])
  if (isUnique || model.indexes.some((index) => beginsWith(index, columns, 'this order'))) return []
  return [{ model: model.name, columns: columns as string[], use: `${type} are sorted by` }]
}

function beginsWith(index: readonly string[], columns: readonly unknown[], order: 'any order' | 'this order'): boolean {
  const start = index.slice(0, columns.length)
  return columns.every((column, i) => (order === 'any order' ? start.includes(column as string) : start[i] === column))
}

function lacks(columns: readonly string[]): string {
  const names = columns.join(', ')
  return `${names}, and no index begins with ${columns.length === 1 ? 'it' : 'them'}. Add @@index([${names}]).`
}
