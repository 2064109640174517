import { everything, nothing } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { FieldsOf } from '../condition/field-access.ts'
import type { OrderTerm } from '../condition/order-term.ts'
import { JsonApiError } from '../document/error.ts'
import type { BelongsTo, HasOne, Relation } from '../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import type { Audience } from './audience.ts'
import type { DescribedServer, Part } from './described.ts'
import { listParameter, type ParameterParts, shownAttributes } from './parameter.ts'

/** By what collections of the type can be sorted; nothing where their pages impose an order. */
export function sortParameter(
  server: DescribedServer,
  schema: ResourceSchema,
  { isScoped, seen, masksValues }: Pick<Audience, 'isScoped' | 'seen' | 'masksValues'>,
): ParameterParts {
  const { type, paginator } = schema
  if (paginator?.order) return {}
  const canSort = sortCheck(server, schema)
  const isOffered = ({ name, order, isBehindScope }: Named) => {
    const where = hiddenIn(server, { schema, seen }, name.split('.'))
    if (where === null && !isBehindScope) return canSort(order)
    if (!masksValues || where === nothing) return false
    // Which rows it is null in makes no difference to pages.
    const masked = { where: where ?? everything, parameter: 'sort', name }
    return canSort(order.map((term) => ({ ...term, seen: masked })))
  }
  const namesOf = (sorts: readonly Named[]) => sorts.flatMap((sort) => (isOffered(sort) ? [sort.name] : []))
  const own = namesOf(fieldSorts(schema, isScoped))
  const paths = namesOf(pathSorts({ server, isScoped }, schema, server.limits.includeDepth))
  const isLong = paths.length > maxPaths
  const names = isLong ? own : [...own, ...paths]
  const items = { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) }
  const parameter = listParameter('sort', isLong ? { anyOf: [items, patternOf(paths, server)] } : items)
  const limited = { ...(parameter.schema as Part), minItems: 1, maxItems: server.limits.sortKeys, uniqueItems: true }
  return { [`sort.${type}`]: { ...parameter, schema: limited } }
}

interface Place {
  readonly schema: ResourceSchema
  readonly seen: FieldsOf
}

/** The condition under which a field on the way, or at its end, is seen; null where all of them are. */
function hiddenIn(
  server: DescribedServer,
  { schema, seen }: Place,
  [name = '', ...rest]: readonly string[],
): Condition | null {
  const access = seen(schema.model.name)
  const columns = schema.sorts.get(name)?.order.map(({ path }) => path[0] as string) ?? []
  // A declared order tells of its columns, and counts none as null.
  const own = columns.some((column) => access?.stored.has(column)) ? nothing : access?.fields.get(name)
  const relation = schema.relations.get(name)
  if (own || rest.length === 0 || relation === undefined || relation.kind === 'morphTo') return own ?? null
  return hiddenIn(server, { schema: schemaOf(server.schemas, relation.model), seen }, rest)
}

// More would be most of the document, and of a client's types.
const maxPaths = 60

/** Are rows of the model hidden: then what lies behind it counts as null. */
type IsScoped = (model: string) => boolean

interface Sorting {
  readonly server: DescribedServer
  readonly isScoped: IsScoped
}

/** A name to sort by, and what it means. */
interface Named {
  readonly name: string
  readonly order: readonly OrderTerm[]
  /** Are there rows on the way that may be hidden. */
  readonly isBehindScope?: boolean
}

const ascending = (column: string): OrderTerm => ({ path: [column], direction: 'asc' })

type SortCheck = (order: readonly OrderTerm[]) => boolean

/** By what collections of the type are sorted that is not behind a relation. */
export function fieldSorts(schema: ResourceSchema, isScoped: IsScoped): readonly Named[] {
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

/** Can a collection be sorted by what lies behind the relation, whatever its pages and its reader. */
export const leadsToSorts = (relation: Relation, isScoped: IsScoped): relation is BelongsTo | HasOne =>
  (relation.kind === 'belongsTo' || relation.kind === 'hasOne') && (relation.alwaysVisible || !isScoped(relation.model))

/** Paths that lead through to-one relations; no further than there is room for. */
function pathSorts(about: Sorting, { relations }: ResourceSchema, depth: number): readonly Named[] {
  const { server, isScoped } = about
  const found: Named[] = []
  for (const relation of depth > 0 ? relations.values() : []) {
    if (found.length > maxPaths || !leadsToSorts(relation, () => false)) continue
    const isHidden = !leadsToSorts(relation, isScoped)
    const target = schemaOf(server.schemas, relation.model)
    const behind = [...fieldSorts(target, isScoped), ...pathSorts(about, target, depth - 1)]
    found.push(
      ...behind.map(({ name, order, isBehindScope = false }) => ({
        isBehindScope: isHidden || isBehindScope,
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
