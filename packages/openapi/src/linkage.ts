import { isKeptByTarget, isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { deprecatedPart } from './deprecations.ts'
import { type Described, described, type Part, schemaRef } from './described.ts'
import { wordsFor } from './names.ts'
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

/** The relationships to one type, and to many resources of it, as resources show them. */
export const relationshipSchemas = (schema: ResourceSchema): Readonly<Record<string, Part>> => ({
  [`${schema.type}.toOne`]: {
    ...relationshipSchema(orNull(identifierRef(schema))),
    description: `A relationship to ${wordsFor(schema).any}.`,
  },
  [`${schema.type}.toMany`]: {
    ...relationshipSchema({ type: 'array', items: identifierRef(schema) }),
    description: `A relationship to ${wordsFor(schema).all}.`,
  },
})

const relationshipSchema = (data: Part): Part => ({
  type: 'object',
  properties: { links: schemaRef('links'), data, meta: schemaRef('meta') },
})

/** A relationship as resources show it. A target that the caller may not see is null, whatever the column says. */
export function shownRelationship(server: Described, schema: ResourceSchema, relation: Relation): Part {
  const field = 'field' in relation ? relation.field : relation.name
  const [target, ...others] = targetSchemas(server.schemas, relation)
  return {
    ...(target && others.length === 0
      ? schemaRef(`${target.type}.${isToMany(relation) ? 'toMany' : 'toOne'}`)
      : relationshipSchema(linkageSchema(server, relation, true))),
    ...described(schema.model.relations[field]?.documentation),
    ...deprecatedPart(relation.deprecation),
  }
}

/** A client could not know by the type itself that the caller is refused for the sake of another one. */
const sentDescription = (relation: Relation): string =>
  isKeptByTarget(relation) && relation.asksUpdate
    ? 'The caller must be allowed to update each resource that is linked or unlinked.'
    : 'The relationship from now on.'

/** A relationship as it is sent, with a resource or to its own URL. */
export function sentRelationship(server: Described, relation: Relation, isNullable?: boolean): Part {
  const isMany = isToMany(relation)
  const linkage = linkageSchema(server, relation, isNullable ?? (!isMany && relation.isNullable))
  const data = isMany ? { ...linkage, maxItems: server.limits.linkage } : linkage
  const whole = { type: 'object', description: sentDescription(relation), required: ['data'], properties: { data } }
  const [target, ...others] = targetSchemas(server.schemas, relation)
  return target && others.length === 0
    ? schemaRef(server.shared.schemas.hashedNameOf(whole, `${target.type}.linkage`))
    : whole
}
