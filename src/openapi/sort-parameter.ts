import { JsonApiError } from '../document/error.ts'
import type { OrderTerm } from '../model/where.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import type { DescribedServer, Part } from './described.ts'
import { listParameter, type ParameterParts, shownAttributes } from './parameter.ts'

/** By what collections of the type can be sorted; nothing where their pages impose an order. */
export function sortParameter(
  server: DescribedServer,
  schema: ResourceSchema,
  isScoped: IsScoped = noneIs,
): ParameterParts {
  const { type, paginator } = schema
  if (paginator?.order) return {}
  const canSort = sortCheck(server, schema)
  const namesOf = (sorts: readonly Named[]) => sorts.flatMap(({ name, order }) => (canSort(order) ? [name] : []))
  const own = namesOf(fieldSorts(schema, isScoped))
  const paths = namesOf(pathSorts({ server, isScoped }, schema, server.limits.includeDepth))
  const isLong = paths.length > maxPaths
  const names = isLong ? own : [...own, ...paths]
  const items = { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) }
  const parameter = listParameter('sort', isLong ? { anyOf: [items, patternOf(paths, server)] } : items)
  const limited = { ...(parameter.schema as Part), minItems: 1, maxItems: server.limits.sortKeys, uniqueItems: true }
  return { [`sort.${type}`]: { ...parameter, schema: limited } }
}

// More would be most of the document, and of a client's types.
const maxPaths = 60

/** Are rows of the model hidden, so that nothing is sorted by what lies behind it. */
type IsScoped = (model: string) => boolean

const noneIs: IsScoped = () => false

interface Sorting {
  readonly server: DescribedServer
  readonly isScoped: IsScoped
}

/** A name to sort by, and what it means. */
interface Named {
  readonly name: string
  readonly order: readonly OrderTerm[]
}

const ascending = (column: string): OrderTerm => ({ path: [column], direction: 'asc' })

type SortCheck = (order: readonly OrderTerm[]) => boolean

function fieldSorts(schema: ResourceSchema, isScoped: IsScoped): readonly Named[] {
  const own = shownAttributes(schema).flatMap(({ name, isSortable, column }) =>
    isSortable && column ? [{ name, order: [ascending(column.name)] }] : [],
  )
  const declared = [...schema.sorts].filter(([, { crosses }]) => !crosses.some(isScoped))
  return [
    { name: 'id', order: schema.id.columns.map(ascending) },
    ...own,
    ...declared.map(([name, { order }]) => ({ name, order })),
  ]
}

/** Paths that lead through to-one relations; no further than there is room for. */
function pathSorts(about: Sorting, { relations }: ResourceSchema, depth: number): readonly Named[] {
  const { server, isScoped } = about
  const found: Named[] = []
  for (const relation of depth > 0 ? relations.values() : []) {
    if (relation.kind !== 'belongsTo' && relation.kind !== 'hasOne') continue
    if (found.length > maxPaths || (isScoped(relation.model) && !relation.alwaysVisible)) continue
    const target = schemaOf(server.schemas, relation.model)
    const behind = [...fieldSorts(target, isScoped), ...pathSorts(about, target, depth - 1)]
    found.push(
      ...behind.map(({ name, order }) => ({
        name: `${relation.name}.${name}`,
        order: order.map((term) => ({ ...term, path: [relation.field, ...term.path] })),
      })),
    )
  }
  return found
}

function patternOf(paths: readonly string[], { limits }: DescribedServer): Part {
  const heads = [...new Set(paths.map((path) => path.slice(0, path.indexOf('.'))))]
  return { type: 'string', pattern: `^-?(?:${heads.join('|')})(?:\\.[^.,]+){1,${limits.includeDepth}}$` }
}

/** Can pages be made of an order, where the type is always paged. */
function sortCheck({ resources }: DescribedServer, schema: ResourceSchema): SortCheck {
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
