import type { Provider } from '../model/meta.ts'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '../schema/resource-schema.ts'

/** The indexes that reads of the API need and that are not there: a line each. Those of cursors are known at boot. */
export function indexWarnings(
  schemas: readonly ResourceSchema[],
  registry: SchemaRegistry,
  provider: Provider,
): readonly string[] {
  // MySQL and MariaDB index every foreign key by themselves.
  const missing = provider === 'mysql' ? [] : schemas.flatMap((schema) => foreignKeys(schema, registry))
  return [...new Set([...missing, ...schemas.flatMap(defaultSort)])]
}

function foreignKeys({ type, relations }: ResourceSchema, registry: SchemaRegistry): readonly string[] {
  return [...relations.values()].flatMap((relation) => {
    if (relation.kind !== 'hasMany' && relation.kind !== 'hasOne') return []
    const { name, columns, model: target } = relation
    const { model } = schemaOf(registry, target)
    if (model.indexes.some((index) => beginsWith(index, columns, 'any order'))) return []
    return [`${model.name}: ${name} of ${type} are found by ${lacks(columns)}`]
  })
}

function defaultSort({ type, model, attributes, defaultSort }: ResourceSchema): readonly string[] {
  const names = defaultSort === '' ? [] : defaultSort.split(',').map((field) => field.replace(/^-/, ''))
  const columns = names.map((name) => attributes.get(name)?.column?.name)
  // An order by the id has its index, one by related rows can have none.
  if (columns.length === 0 || columns.includes(undefined)) return []
  // A unique column leaves nothing for the others to order.
  const isUnique = model.uniques.some((unique) => unique.length === 1 && unique[0] === columns[0])
  if (isUnique || model.indexes.some((index) => beginsWith(index, columns, 'this order'))) return []
  return [`${model.name}: ${type} are sorted by ${lacks(columns as string[])}`]
}

function beginsWith(index: readonly string[], columns: readonly unknown[], order: 'any order' | 'this order'): boolean {
  const start = index.slice(0, columns.length)
  return columns.every((column, i) => (order === 'any order' ? start.includes(column as string) : start[i] === column))
}

function lacks(columns: readonly string[]): string {
  const names = columns.join(', ')
  return `${names}, and no index begins with ${columns.length === 1 ? 'it' : 'them'}. Add @@index([${names}]).`
}
