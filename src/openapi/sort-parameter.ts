import { JsonApiError } from '../document/error.ts'
import type { OrderTerm } from '../model/where.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import type { Described, Part } from './described.ts'
import { listParameter, type ParameterParts, shownAttributes } from './parameter.ts'

/** By what collections of the type can be sorted; nothing where their pages impose an order. */
export function sortParameter(server: Described, schema: ResourceSchema): ParameterParts {
  const { type, paginator, sorts, id } = schema
  if (paginator?.order) return {}
  const canSort = sortCheck(server, schema)
  const own = shownAttributes(schema).flatMap(({ name, isSortable, column }) =>
    isSortable && column ? [{ name, order: [ascending(column.name)] }] : [],
  )
  const declared = [...sorts].map(([name, { order }]) => ({ name, order }))
  const names = [{ name: 'id', order: id.columns.map(ascending) }, ...own, ...declared]
    .filter(({ order }) => canSort(order))
    .map(({ name }) => name)
  const items = { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) }
  const paths = pathSchemas(server, schema, canSort)
  const parameter = listParameter('sort', paths.length > 0 ? { anyOf: [items, ...paths] } : items)
  const limited = { ...(parameter.schema as Part), minItems: 1, maxItems: server.limits.sortKeys, uniqueItems: true }
  return { [`sort.${type}`]: { ...parameter, schema: limited } }
}

const ascending = (column: string): OrderTerm => ({ path: [column], direction: 'asc' })

type SortCheck = (order: readonly OrderTerm[]) => boolean

/** Paths that lead through to-one relations. */
function pathSchemas(
  { schemas, limits }: Described,
  { relations }: ResourceSchema,
  canSort: SortCheck,
): readonly Part[] {
  const names = [...relations.values()].flatMap((relation) => {
    if (relation.kind !== 'belongsTo' && relation.kind !== 'hasOne') return []
    const [column = ''] = schemaOf(schemas, relation.model).id.columns
    return canSort([{ path: [relation.field, column], direction: 'asc' }]) ? [relation.name] : []
  })
  if (names.length === 0 || limits.includeDepth < 1) return []
  return [{ type: 'string', pattern: `^-?(?:${names.join('|')})(?:\\.[^.,]+){1,${limits.includeDepth}}$` }]
}

/** Can pages be made of an order, where the type is always paged. */
function sortCheck({ resources }: Described, schema: ResourceSchema): SortCheck {
  const { paginator, defaultPage, model, perPage, maxPageSize } = schema
  const page = defaultPage && paginator?.parse(defaultPage, { perPage, maxPageSize })
  return (order) => {
    try {
      page?.checkOrder?.(order, { model, resources })
      return true
    } catch (error) {
      if (error instanceof JsonApiError) return false
      throw error
    }
  }
}
