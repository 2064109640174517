import { everything, nothing } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type { FieldsOf } from '@prismapi/jsonapi/condition/scopes'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { isAlwaysVisible } from '@prismapi/jsonapi/query/sort'
import type { BelongsTo, HasOne, Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { searchName } from '@prismapi/jsonapi/schema/search'
import type { Audience } from './caller.ts'
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
    const masked = { where: where ?? everything, counted: everything, parameter: 'sort', name }
    return canSort(order.map((term) => ({ ...term, seen: masked })))
  }
  const namesOf = (sorts: readonly Named[]) => sorts.flatMap((sort) => (isOffered(sort) ? [sort.name] : []))
  const own = [...namesOf(fieldSorts(server, schema, isScoped)), ...(schema.search ? [searchName] : [])]
  const paths = namesOf(pathSorts({ server, isScoped }, schema, server.limits.includeDepth))
  const isLong = paths.length > maxPaths
  const names = isLong ? own : [...own, ...paths]
  const placed = server.resources.provider === 'mysql' ? [] : own.filter((name) => mayBeNull(schema, name))
  const shown = isLong ? names : [...names, ...placed.flatMap((name) => [`${name}:nullsFirst`, `${name}:nullsLast`])]
  const items = { type: 'string', enum: shown.flatMap((name) => [name, `-${name}`]) }
  const pattern = patternOf(paths, placed, server)
  const parameter = listParameter('sort', isLong ? { anyOf: [items, pattern] } : items, { description })
  const limited = { ...(parameter.schema as Part), minItems: 1, maxItems: server.limits.sortKeys, uniqueItems: true }
  return { [`sort.${type}`]: { ...parameter, schema: limited } }
}

const description = 'The order: `-` reverses a field, `:nullsLast` puts its nulls last.'

const mayBeNull = ({ attributes }: ResourceSchema, name: string): boolean =>
  attributes.get(name)?.column?.isNullable === true

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
  const declared = schema.sorts.get(name)?.order ?? []
  const hidden = declared.flatMap(({ path }) => storedIn(path, { model: schema.model, seen, server }))
  const own = hidden.find((each) => each === nothing) ?? hidden[0] ?? seen(schema.model.name)?.fields.get(name)
  const relation = schema.relations.get(name)
  if (own || rest.length === 0 || relation === undefined || relation.kind === 'morphTo') return own ?? null
  return hiddenIn(server, { schema: schemaOf(server.schemas, relation.model), seen }, rest)
}

/** The conditions under which what a declared sort orders by is seen, by Prisma's names. */
function storedIn(
  [name = '', ...rest]: OrderTerm['path'],
  at: { readonly model: ModelMeta; readonly seen: FieldsOf; readonly server: DescribedServer },
): readonly Condition[] {
  const { model, seen, server } = at
  const own = seen(model.name)?.stored.get(name) ?? []
  const target = server.resources.models[model.relations[name]?.model ?? '']
  return [own, target ? storedIn(rest, { ...at, model: target }) : []].flat()
}

// More would be most of the document, and of a client's types.
const maxPaths = 40

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
export function fieldSorts(
  server: Pick<DescribedServer, 'schemas' | 'resources'>,
  schema: ResourceSchema,
  isScoped: IsScoped,
): readonly Named[] {
  const own = shownAttributes(schema).flatMap(({ name, isSortable, column }) =>
    isSortable && column ? [{ name, order: [ascending(column.name)] }] : [],
  )
  const declared = [...schema.sorts].map(([name, { order }]) => ({
    name,
    order,
    isBehindScope: order.some(({ path }) => isHiddenOnTheWay(path, schema.model, { server, isScoped })),
  }))
  return [{ name: 'id', order: schema.id.columns.map(ascending) }, ...own, ...declared]
}

/** Does an order tell of rows that are hidden. */
function isHiddenOnTheWay(
  [name = '', ...rest]: OrderTerm['path'],
  model: ModelMeta,
  about: { readonly server: Pick<DescribedServer, 'schemas' | 'resources'>; readonly isScoped: IsScoped },
): boolean {
  const relation = model.relations[name]
  const target = relation && about.server.resources.models[relation.model]
  if (!target) return false
  const isHidden = about.isScoped(target.name) && !isAlwaysVisible(model, name, { registry: about.server.schemas })
  return isHidden || isHiddenOnTheWay(rest, target, about)
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
    const behind = [...fieldSorts(server, target, isScoped), ...pathSorts(about, target, depth - 1)]
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

/** Paths through relations, and fields whose nulls have a place. */
function patternOf(paths: readonly string[], placed: readonly string[], { limits }: DescribedServer): Part {
  const heads = [...new Set(paths.map((path) => path.slice(0, path.indexOf('.'))))]
  const through = `(?:${heads.join('|')})(?:\\.[^.,]+){1,${limits.includeDepth}}`
  const nulls = placed.length > 0 ? [`(?:${placed.join('|')}):nulls(?:First|Last)`] : []
  return { type: 'string', pattern: `^-?(?:${[through, ...nulls].join('|')})$` }
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
