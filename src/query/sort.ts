import { isEverything } from '../condition/build.ts'
import { scopeOf } from '../condition/scopes.ts'
import { badParameter } from '../document/errors.ts'
import type { OrderTerm } from '../model/where.ts'
import type { Relation } from '../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import { type CheckContext, knownAttribute, withoutScopes } from './check-context.ts'
import { mapAll } from './failures.ts'

/**
 * In: a comma list of sort fields, `-` for descending. Out: the order, without the id that completes it. A path may
 * lead through to-one relations. Where this request may not see all rows of such a target, the order would tell of the
 * hidden ones, so that the path is as unknown as a hidden attribute; unless the application says that nobody meets one there.
 *
 * @throws JsonApiError 400 for every field that cannot be sorted by, for one named twice, and for too many of them.
 */
export function checkSort(value: string, schema: ResourceSchema, check: CheckContext): readonly OrderTerm[] {
  const fields = value.split(',')
  const { sortKeys } = check.limits
  if (fields.length > sortKeys) {
    throw badParameter('sort', `The parameter sort must not have more than ${sortKeys} fields.`)
  }
  const seen = new Set<string>()
  return mapAll(fields, (field) => {
    const isDescending = field.startsWith('-')
    const path = isDescending ? field.slice(1) : field
    const terms = termsOf(path, schema, check)
    if (!terms) throw badParameter('sort', `Sort parameter ${path} is not allowed.`)
    if (seen.has(path)) throw badParameter('sort', `Sort parameter ${path} is repeated.`)
    seen.add(path)
    return isDescending ? terms.map(reversed) : terms
  }).flat()
}

/**
 * The schema's own order, as far as this request may know it: a field behind rows that may be hidden from it is left
 * out, since its order would tell of them. Whether a client may sort by the rest does not matter.
 */
export function checkDefaultSort(value: string, schema: ResourceSchema, check: CheckContext): readonly OrderTerm[] {
  const fields = value.split(',').filter((field) => !isBehindScope(field.replace(/^-/, ''), schema, check))
  return fields.length === 0 ? [] : checkSort(fields.join(','), schema, withoutScopes(check))
}

function isBehindScope(path: string, schema: ResourceSchema, check: CheckContext): boolean {
  let target = schema
  const names = path.split('.')
  const last = names.pop() as string
  for (const name of names) {
    const relation = target.relations.get(name)
    if (!relation || !isSortable(relation, check)) return true
    target = schemaOf(check.registry, relation.model)
  }
  return target.sorts.get(last)?.crosses.some((model) => !seesAll(model, check)) ?? false
}

/** Could this request ask for the sort itself. */
export const isSort = (value: string, schema: ResourceSchema, check: CheckContext): boolean =>
  value.split(',').every((field) => termsOf(field.replace(/^-/, ''), schema, check) !== null)

const reversed = ({ path, direction }: OrderTerm): OrderTerm => ({
  path,
  direction: direction === 'asc' ? 'desc' : 'asc',
})

/** The order that a sort field stands for (an id may have several columns); null where it cannot be sorted by. */
function termsOf(path: string, schema: ResourceSchema, check: CheckContext): readonly OrderTerm[] | null {
  const names = path.split('.')
  const last = names.pop() as string
  if (names.length > check.limits.includeDepth) return null
  const fields: string[] = []
  let target = schema
  for (const name of names) {
    const relation = target.relations.get(name)
    if (!relation || !isSortable(relation, check)) return null
    fields.push(relation.field)
    target = schemaOf(check.registry, relation.model)
  }
  return termsOfField(target, last, check)?.map((term) => ({ ...term, path: [...fields, ...term.path] })) ?? null
}

function termsOfField(schema: ResourceSchema, name: string, check: CheckContext): readonly OrderTerm[] | null {
  if (name === 'id') return schema.id.columns.map(ascending)
  const sort = schema.sorts.get(name)
  if (sort) return sort.crosses.every((model) => seesAll(model, check)) ? sort.order : null
  const attribute = knownAttribute(schema, name, check)
  if (!attribute?.isSortable || attribute.writeOnly || !attribute.column) return null
  return [ascending(attribute.column.name)]
}

const ascending = (column: string): OrderTerm => ({ path: [column], direction: 'asc' })

const seesAll = (model: string, { scopes }: CheckContext): boolean => isEverything(scopeOf(scopes, model))

function isSortable(
  relation: Relation,
  check: CheckContext,
): relation is Extract<Relation, { kind: 'belongsTo' | 'hasOne' }> {
  if (relation.kind !== 'belongsTo' && relation.kind !== 'hasOne') return false
  return relation.alwaysVisible || seesAll(relation.model, check)
}
