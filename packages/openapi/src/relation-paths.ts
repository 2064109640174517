import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { isWritable, type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { type Described, type Part, parameterRef, schemaRef } from './described.ts'
import { anyOf, linkageSchema, sentRelationship } from './linkage.ts'
import { linkageRefs, relatedRefs, resourceRefs } from './parameters.ts'
import { neededVersion, tagged } from './preconditions.ts'
import { answer, bodyOf, failures, manyResources, noContent } from './responses.ts'
import { documentSchema, resourceRef } from './schemas.ts'
import { sharedBody } from './shared-parts.ts'
import { statsRefs } from './stats-parameters.ts'
import { orNull } from './value-schema.ts'

interface Place {
  readonly relation: Relation
  /** The path of the resource. */
  readonly base: string
}

/** The two paths of a relation: what it leads to, and the linkage. */
export const relationPaths = (server: Described, schema: ResourceSchema, { relation, base }: Place) => ({
  [`${base}/${relation.name}`]: relatedPath(server, schema, relation),
  [`${base}/relationships/${relation.name}`]: relationshipPath(server, schema, relation),
})

// Whatever the schema says: one that the caller may not see is null as well.
const relatedOne = 'The related resource; null where there is none.'
const idOfOne = 'The id, with its type; null where there is none.'
const idsOfMany = 'The ids, or a page of them.'
const sentOne = 'The id that the relationship leads to from now on; null for none.'
const sentMany = 'The ids, each with its type.'

function relatedPath(server: Described, schema: ResourceSchema, relation: Relation): Part {
  const targets = targetSchemas(server.schemas, relation)
  const isMany = isToMany(relation)
  return {
    parameters: [parameterRef('id')],
    get: {
      operationId: `${schema.type}.${relation.name}.viewRelated`,
      tags: [schema.type],
      parameters: [
        ...resourceRefs(server, targets, isMany),
        ...(isMany ? targets.flatMap((target) => [...relatedRefs(server, target), ...statsRefs(target)]) : []),
      ],
      responses: {
        200: answer(isMany ? manyResources : relatedOne, relatedDocument(targets, relation), tagged(server)),
        ...failures,
      },
    },
  }
}

function relatedDocument(targets: readonly ResourceSchema[], relation: Relation): Part {
  if (isToMany(relation)) return schemaRef(`${targets[0]?.type}.many`)
  return documentSchema(orNull(anyOf(targets.map(resourceRef))))
}

function relationshipPath(server: Described, schema: ResourceSchema, relation: Relation): Part {
  const isMany = isToMany(relation)
  const isWritten = isWritable(schema, relation)
  const shown = answer(
    isMany ? idsOfMany : idOfOne,
    documentSchema(linkageSchema(server, relation, true)),
    tagged(server),
  )
  const operation = (kind: string): Part => ({
    operationId: `${schema.type}.${relation.name}.${kind}`,
    tags: [schema.type],
  })
  const write = {
    requestBody: sharedBody(server, bodyOf(isMany ? sentMany : sentOne, sentRelationship(server, relation))),
  }
  const changed = { ...write, parameters: neededVersion(schema), responses: { 204: noContent, ...failures } }
  return {
    parameters: [parameterRef('id')],
    get: {
      ...operation('viewRelationship'),
      parameters: [
        ...linkageRefs(server, relation, isMany),
        ...(isMany ? targetSchemas(server.schemas, relation).flatMap((target) => relatedRefs(server, target)) : []),
      ],
      responses: { 200: shown, ...failures },
    },
    ...(isWritten && {
      patch: {
        ...operation('updateRelationship'),
        parameters: [...linkageRefs(server, relation, false), ...neededVersion(schema)],
        ...write,
        responses: { 200: shown, 204: noContent, ...failures },
      },
    }),
    ...(isWritten &&
      isMany && { post: { ...operation('attach'), ...changed }, delete: { ...operation('detach'), ...changed } }),
  }
}
