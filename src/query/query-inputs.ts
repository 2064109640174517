import { isToMany, targetModels } from '../schema/relation-kinds.ts'
import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '../schema/resource-schema.ts'
import type { Parameter } from './parameters.ts'
import type { RawQuery } from './parse.ts'

/** What the meaning of a query depends on beside its text, its schemas and the fields that the caller sees. */
export interface QueryInputs {
  /** It names a filter of the schema class, which takes the request, or the deleted rows that only some callers see. */
  readonly isPersonal: boolean
  /** The models whose scopes may have a part in it. */
  readonly crosses: ReadonlySet<string>
}

/**
 * In: a query's parameters, and the types that they are about. Out: all that the check of it could ask of a request. Told
 * by the names in the text and in default sorts, without running the check: a path crosses no relation that it does not
 * name. A name that stands there by chance costs a look at one more scope, and never leaves one out.
 */
export function inputsOf(
  { parameters }: Pick<RawQuery, 'parameters'>,
  schemas: readonly ResourceSchema[],
  registry: SchemaRegistry,
): QueryInputs {
  const crosses = new Set<string>()
  const seen = new Set<string>()
  const all = parameters.map(textOf).join(' ')
  // Any parameter, and any default sort, may name an attribute that only those see who see deleted rows.
  const marks = [...registry.byType.values()].flatMap(({ deletedAtAttribute }) =>
    deletedAtAttribute === null ? [] : [deletedAtAttribute],
  )
  const isMarked = (text: string) => marks.length > 0 && ['trashed', ...marks].some((mark) => text.includes(mark))
  let isPersonal = isMarked(all)

  function visit(schema: ResourceSchema, text: string): void {
    const at = `${schema.type} ${text}`
    if (seen.has(at)) return
    seen.add(at)
    const isNamed = (name: string) => text.includes(name)
    const { filters, sorts, relations, defaultSort } = schema
    isPersonal ||= isMarked(text) || [...filters.keys()].some(isNamed)
    for (const [name, sort] of sorts) if (isNamed(name)) for (const model of sort.crosses) crosses.add(model)
    for (const relation of relations.values()) {
      if (!isNamed(relation.name)) continue
      for (const model of targetModels(relation)) crosses.add(model)
      if (isToMany(relation) && 'pivot' in relation && relation.pivot) crosses.add(relation.pivot.model)
      for (const target of targetSchemas(registry, relation)) visit(target, text)
    }
    visit(schema, defaultSort)
  }

  const crossing = parameters.filter(({ family }) => !crossesNothing.has(family))
  for (const schema of schemas) visit(schema, crossing.map(textOf).join(' '))
  return Object.freeze({ isPersonal, crosses })
}

const textOf = ({ key, value }: Parameter): string => `${key} ${value}`

// What is included brings its scopes as it is loaded.
const crossesNothing: ReadonlySet<string> = new Set(['include', 'fields', 'page', 'withCount'])
