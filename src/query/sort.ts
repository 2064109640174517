import { badParameter } from '../document/errors.ts'
import { type OrderTerm, scopeOf } from '../model/where.ts'
import { attributeOf, type Relation, type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import type { CheckContext } from './check-context.ts'
import { mapAll } from './failures.ts'

/**
 * In: a comma list of sort fields, `-` for descending. Out: the order, without the id that completes it. A path may
 * lead through to-one relations. Where this request may not see all rows of such a target, the order would tell of the
 * hidden ones, so that the path is as unknown as a hidden attribute.
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
    const columns = columnsOf(path, schema, check)
    if (!columns) throw badParameter('sort', `Sort parameter ${path} is not allowed.`)
    if (seen.has(path)) throw badParameter('sort', `Sort parameter ${path} is repeated.`)
    seen.add(path)
    return columns.map((column): OrderTerm => ({ path: column, direction: isDescending ? 'desc' : 'asc' }))
  }).flat()
}

/**
 * The schema's own order, as far as this request may know it: a field behind rows that may be hidden from it is left
 * out, since its order would tell of them. Whether a client may sort by the rest does not matter.
 */
export function checkDefaultSort(value: string, schema: ResourceSchema, check: CheckContext): readonly OrderTerm[] {
  const fields = value.split(',').filter((field) => !isBehindScope(field.replace(/^-/, ''), schema, check))
  return fields.length === 0 ? [] : checkSort(fields.join(','), schema, { ...check, scopes: new Map() })
}

function isBehindScope(path: string, schema: ResourceSchema, check: CheckContext): boolean {
  let target = schema
  for (const name of path.split('.').slice(0, -1)) {
    const relation = target.relations.get(name)
    if (!relation || !isSortable(relation, check)) return true
    target = schemaOf(check.registry, relation.model)
  }
  return false
}

/** Could this request ask for the sort itself. */
export const isSort = (value: string, schema: ResourceSchema, check: CheckContext): boolean =>
  value.split(',').every((field) => columnsOf(field.replace(/^-/, ''), schema, check) !== null)

/** The paths of the columns that a sort field stands for (an id may have several); null where it cannot be sorted by. */
function columnsOf(path: string, schema: ResourceSchema, check: CheckContext): readonly (readonly string[])[] | null {
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
  return columnsOfField(target, last, check.trash)?.map((column) => [...fields, column]) ?? null
}

function columnsOfField(schema: ResourceSchema, name: string, trash: ReadonlySet<string>): readonly string[] | null {
  if (name === 'id') return schema.id.columns
  const attribute = attributeOf(schema, name, trash)
  if (!attribute?.isSortable || attribute.writeOnly || !attribute.column) return null
  return [attribute.column.name]
}

function isSortable(
  relation: Relation,
  { scopes }: CheckContext,
): relation is Extract<Relation, { kind: 'belongsTo' | 'hasOne' }> {
  if (relation.kind !== 'belongsTo' && relation.kind !== 'hasOne') return false
  return Object.keys(scopeOf(scopes, relation.model)).length === 0
}
