import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import { deprecatedPart } from './deprecations.ts'
import { type Described, described, type Part, schemaRef } from './described.ts'
import { orNull } from './value-schema.ts'

/** An identifier of the type. */
export const identifierRef = ({ type }: Pick<ResourceSchema, 'type'>): Part => schemaRef(`${type}.identifier`)

/** Resource linkage; of a to-one relation, null where it may be empty. */
export function linkageSchema({ schemas }: Described, relation: Relation, isNullable: boolean): Part {
  const target = anyOf(targetSchemas(schemas, relation).map(identifierRef))
  if (isToMany(relation)) return { type: 'array', items: target }
  return isNullable ? orNull(target) : target
}

/** One of several schemas; nothing around one alone. */
export function anyOf(schemas: readonly Part[]): Part {
  const [first, ...more] = schemas
  return first && more.length === 0 ? first : { anyOf: schemas }
}

/** A relationship as resources show it. A target that the caller may not see is null, whatever the column says. */
export function shownRelationship(server: Described, schema: ResourceSchema, relation: Relation): Part {
  const field = 'field' in relation ? relation.field : relation.name
  return {
    type: 'object',
    ...described(schema.model.relations[field]?.documentation),
    ...deprecatedPart(relation.deprecation),
    properties: {
      links: schemaRef('links'),
      data: linkageSchema(server, relation, true),
      meta: schemaRef('meta'),
    },
  }
}
