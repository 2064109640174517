import { modelOfRule } from '@prismapi/core/validation/rules/rules'
import { actionRules } from '@prismapi/core/validation/run/validate-action'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import type { SchemaFieldDescription } from 'yup'
import { type Described, described, type Part, type Paths, parameterRef, schemaRef } from './described.ts'
import { anyOf, identifierRef } from './linkage.ts'
import { collectionRefs, resourceRefs } from './parameters.ts'
import { notModified, onVersion, tagged, unlessKnown } from './preconditions.ts'
import { relationPaths } from './relation-paths.ts'
import { answer, bodyOf, failures, location, manyResources, noContent } from './responses.ts'
import { documentSchema, resourceRef } from './schemas.ts'
import { statsRefs } from './stats-parameters.ts'
import { statsPaths } from './stats-paths.ts'
import { isRequired, membersOf, orNull, type Rule, ruleSchema } from './value-schema.ts'

/** Every path below `/<type>`. */
export function typePaths(server: Described, schema: ResourceSchema): Paths {
  const { type, relations, actions } = schema
  const base = `${server.basePath}/${type}`
  return {
    [base]: collectionPath(server, schema),
    ...statsPaths(server, schema, base),
    [`${base}/{id}`]: resourcePath(server, schema),
    ...Object.assign(
      {},
      ...[...relations.values()].map((relation) => relationPaths(server, schema, { relation, base: `${base}/{id}` })),
      ...[...actions.values()].map((action) => actionPath(server, schema, { action, base })),
    ),
  }
}

const one = ({ type }: ResourceSchema): Part => schemaRef(`${type}.one`)

function collectionPath(server: Described, schema: ResourceSchema): Part {
  const { type, operations } = schema
  return {
    get: {
      operationId: `${type}.viewAny`,
      tags: [type],
      parameters: [
        ...resourceRefs(server, [schema], true),
        ...collectionRefs(server, schema),
        ...statsRefs(schema),
        ...unlessKnown(server),
      ],
      responses: {
        200: answer(manyResources, manyOf(schema), tagged(server)),
        ...notModified(server),
        ...failures,
      },
    },
    ...(operations.has('create') && {
      post: {
        operationId: `${type}.create`,
        tags: [type],
        parameters: resourceRefs(server, [schema]),
        requestBody: bodyOf('The new resource.', schemaRef(`${type}.create`)),
        responses: { 201: answer('The new resource.', one(schema), tagged(server, location)), ...failures },
      },
    }),
  }
}

/** A singular filter answers one resource, or null. */
function manyOf(schema: ResourceSchema): Part {
  if (schema.singularFilters.size === 0) return schemaRef(`${schema.type}.many`)
  const resource = resourceRef(schema)
  return documentSchema({ anyOf: [{ type: 'array', items: resource }, resource, { type: 'null' }] })
}

function resourcePath(server: Described, schema: ResourceSchema): Part {
  const { type, operations } = schema
  const parameters = resourceRefs(server, [schema])
  return {
    parameters: [parameterRef('id')],
    get: {
      operationId: `${type}.view`,
      tags: [type],
      parameters: [...parameters, ...unlessKnown(server)],
      responses: { 200: answer('The resource.', one(schema), tagged(server)), ...notModified(server), ...failures },
    },
    ...(operations.has('update') && {
      patch: {
        operationId: `${type}.update`,
        tags: [type],
        parameters: [...parameters, ...onVersion(schema)],
        requestBody: bodyOf('What changes of the resource.', schemaRef(`${type}.update`)),
        responses: {
          200: answer('The resource.', one(schema), tagged(server)),
          204: noContent,
          ...failures,
        },
      },
    }),
    ...(operations.has('delete') && {
      delete: {
        operationId: `${type}.delete`,
        tags: [type],
        parameters: onVersion(schema),
        responses: { 204: noContent, ...failures },
      },
    }),
  }
}

function actionPath(
  server: Described,
  schema: ResourceSchema,
  { action, base }: { readonly action: Action; readonly base: string },
): Paths {
  const { name, on, method, status } = action
  const { type } = schema
  const isMember = on === 'member'
  const answers = schemaOf(server.schemas, action.answers)
  const resource = resourceRef(answers)
  const data = anyOf([resource, { type: 'array', items: resource }, { type: 'null' }])
  const told = Object.entries(action.meta).map(([member, rule]) => [member, rule.describe()] as const)
  const document =
    told.length > 0
      ? {
          allOf: [schemaRef('metaDocument')],
          properties: { data, included: schemaRef('included'), meta: membersOf(Object.fromEntries(told)) },
        }
      : anyOf([documentSchema(data), schemaRef('metaDocument')])
  const isWrite = isMember && method !== 'GET'
  const operation = {
    operationId: `${type}.-actions.${name}`,
    tags: [type],
    ...described(action.description),
    parameters: [...queryParameters(action), ...resourceRefs(server, [answers]), ...(isWrite ? onVersion(schema) : [])],
    ...(method !== 'GET' && { requestBody: actionBody(server, schema, action) }),
    responses: {
      [status]: answer('The answer of the action.', document),
      204: noContent,
      ...failures,
    },
  }
  return {
    [`${base}${isMember ? '/{id}' : ''}/-actions/${name}`]: {
      ...(isMember && { parameters: [parameterRef('id')] }),
      [method.toLowerCase()]: operation,
    },
  }
}

/** What an action by GET takes beside the parameters of JSON:API. */
const queryParameters = ({ query }: Action): readonly Part[] =>
  Object.entries(query)
    .filter(([name]) => !name.includes('.'))
    .map(([name, rule]) => {
      const asked = rule.describe()
      return {
        name,
        in: 'query',
        description: `\`${name}\` of the action.`,
        ...(isRequired(asked) && { required: true }),
        ...(asked.type === 'object' && { style: 'deepObject', explode: true }),
        schema: ruleSchema(asked),
      }
    })

function actionBody(server: Described, schema: ResourceSchema, action: Action): Part {
  const rules = [...actionRules(schema, action).fields]
  const fields = Object.fromEntries(rules.map(([name, rule]) => [name, rule.describe() as SchemaFieldDescription]))
  const isNeeded = Object.values(fields).some(isRequired)
  const named = rules.flatMap(([name, rule]) => {
    const model = modelOfRule(rule)
    return model === null ? [] : [[name, identifierOf(schemaOf(server.schemas, model), rule.describe())] as const]
  })
  const { properties, ...rest } = membersOf(fields)
  const members = { meta: { ...rest, properties: { ...(properties as Part), ...Object.fromEntries(named) } } }
  const document = { type: 'object', properties: members, ...(isNeeded && { required: ['meta'] }) }
  return bodyOf('What the action is told, in `meta`.', document, isNeeded)
}

/** An identifier, or a list of them, as the rule of an action takes it. */
function identifierOf(target: ResourceSchema, rule: Rule): Part {
  const identifier = identifierRef(target)
  const schema = rule.type === 'array' ? { type: 'array', items: identifier } : identifier
  return 'nullable' in rule && rule.nullable ? orNull(schema) : schema
}
