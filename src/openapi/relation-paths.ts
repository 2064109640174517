import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { isWritable, type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import { type Described, type Part, parameterRef, schemaRef } from './described.ts'
import { anyOf, linkageSchema } from './linkage.ts'
import { collectionRefs, linkageRefs, resourceRefs } from './parameters.ts'
import { notModified, ofVersion, onVersion, tagged, unlessKnown } from './preconditions.ts'
import { answer, bodyOf, errors, noContent, written } from './responses.ts'
import { documentSchema, resourceRef } from './schemas.ts'
import { statsParameters } from './stats-paths.ts'
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
const relatedMany = 'The related resources, or a page of them.'
const idOfOne = 'The id, with its type; null where there is none.'
const idsOfMany = 'The ids, or a page of them.'
const sentOne = 'The id that it leads to from now on; null for none.'
const sentMany = 'The ids: PATCH replaces those that there are, POST adds to them, DELETE removes from them.'

function relatedPath(server: Described, schema: ResourceSchema, relation: Relation): Part {
  const targets = targetSchemas(server.schemas, relation)
  return {
    parameters: [parameterRef('id')],
    get: {
      operationId: `${schema.type}.${relation.name}.viewRelated`,
      tags: [schema.type],
      parameters: [
        ...resourceRefs(server, targets),
        ...sliceRefs(server, relation),
        ...(isToMany(relation) ? targets.flatMap(statsParameters) : []),
        ...unlessKnown(server),
      ],
      responses: {
        200: answer(isToMany(relation) ? relatedMany : relatedOne, relatedDocument(targets, relation), tagged(server)),
        ...notModified(server),
        ...errors(404, 412),
      },
    },
  }
}

function relatedDocument(targets: readonly ResourceSchema[], relation: Relation): Part {
  if (isToMany(relation)) return schemaRef(`${targets[0]?.type}.many`)
  return documentSchema(orNull(anyOf(targets.map(resourceRef))))
}

const sliceRefs = (server: Described, relation: Relation): readonly Part[] =>
  isToMany(relation) ? targetSchemas(server.schemas, relation).flatMap((target) => collectionRefs(server, target)) : []

function relationshipPath(server: Described, schema: ResourceSchema, relation: Relation): Part {
  const parameters = linkageRefs(server, schema, relation)
  const shown = answer(
    isToMany(relation) ? idsOfMany : idOfOne,
    documentSchema(linkageSchema(server, relation, true)),
    tagged(server),
  )
  const failures = errors(...written, ...ofVersion(schema))
  const isWritten = isWritable(schema, relation)
  const operation = (kind: string): Part => ({
    operationId: `${schema.type}.${relation.name}.${kind}`,
    tags: [schema.type],
  })
  const write = { requestBody: bodyOf(isToMany(relation) ? sentMany : sentOne, linkageBody(server, relation)) }
  const changed = { ...write, parameters: onVersion(schema), responses: { 204: noContent, ...failures } }
  return {
    parameters: [parameterRef('id')],
    get: {
      ...operation('viewRelationship'),
      parameters: [...parameters, ...sliceRefs(server, relation), ...unlessKnown(server)],
      responses: { 200: shown, ...notModified(server), ...errors(404, 412) },
    },
    ...(isWritten && {
      patch: {
        ...operation('updateRelationship'),
        parameters: [...parameters, ...onVersion(schema)],
        ...write,
        responses: { 200: shown, 204: noContent, ...failures },
      },
    }),
    ...(isWritten &&
      isToMany(relation) && {
        post: { ...operation('attach'), ...changed },
        delete: { ...operation('detach'), ...changed },
      }),
  }
}

function linkageBody(server: Described, relation: Relation): Part {
  const isMany = isToMany(relation)
  const linkage = linkageSchema(server, relation, !isMany && relation.isNullable)
  const data = isMany ? { ...linkage, maxItems: server.limits.linkage } : linkage
  return { type: 'object', required: ['data'], properties: { data } }
}
