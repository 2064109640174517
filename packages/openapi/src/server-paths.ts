import { openApiVersions } from '@prismapi/core/server/open-api-part'
import { atomicExtension } from '@prismapi/jsonapi/document/types'
import { operationsPath } from '@prismapi/jsonapi/request/operation'
import { type Described, headerRef, type Part, type Paths, schemaRef } from './described.ts'
import { listParameter } from './parameter.ts'
import { answer, failures, mediaType, noContent } from './responses.ts'

/** Where a server describes itself, below its base path; no type can be called so. */
export const openApiPath = '/openapi.json'

/** The start page, which asks no client to sign in. */
export const rootPaths = ({ basePath }: Described): Paths => ({ [basePath || '/']: rootPath })

/** The description of a server for the caller who asks for it. */
export const documentPaths = ({ basePath, told, openapi }: Described): Paths => ({
  [basePath + openApiPath]: documentPath(
    told.map(({ type }) => type),
    openapi === '3.2' ? [version] : [],
  ),
})

/** The path of atomic requests, where the server takes any. */
export const operationsPaths = (server: Described): Paths => ({
  ...(server.supportedExtensions.ext.includes(atomicExtension) && {
    [server.basePath + operationsPath]: operationsItem(server),
  }),
})

const rootPath: Part = {
  get: {
    operationId: '-.root',
    responses: { 200: answer('The types of the server, each with its URL.', schemaRef('metaDocument')), ...failures },
  },
}

const version: Part = {
  name: 'openapi',
  in: 'query',
  description: 'The version of OpenAPI. 3.2 tells of QUERY, too, and of what streams are made.',
  schema: { type: 'string', enum: openApiVersions, default: '3.1' },
}

const documentPath = (types: readonly string[], more: readonly Part[]): Part => ({
  get: {
    operationId: '-.openapi',
    parameters: [
      listParameter(
        'types',
        { type: 'string', enum: types },
        { description: 'The types that the document is about; all by default.' },
      ),
      ...more,
    ],
    responses: {
      200: {
        description: 'This document.',
        headers: { ETag: headerRef('ETag') },
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      304: { description: 'Not Modified. The client has this very document.' },
      ...failures,
    },
  },
})

function operationsItem({ limits }: Described): Part {
  const type = `${mediaType};ext="${atomicExtension}"`
  const operations = { type: 'array', items: operation, minItems: 1, maxItems: limits.operations }
  const results = { type: 'array', items: { type: 'object', properties: { data: { type: 'object' } } } }
  return {
    post: {
      operationId: '-.operations',
      requestBody: {
        description: 'Operations, which run in this order: all of them, or none.',
        required: true,
        content: { [type]: { schema: member('atomic:operations', operations) } },
      },
      responses: {
        200: {
          description: 'A result for each operation, in their order.',
          content: { [type]: { schema: member('atomic:results', results) } },
        },
        204: noContent,
        ...failures,
      },
    },
  }
}

const member = (name: string, schema: Part): Part => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
})

const text: Part = { type: 'string' }
const localId = 'The `lid` that an operation before it gave the resource.'

const operation: Part = {
  type: 'object',
  required: ['op'],
  properties: {
    op: { type: 'string', enum: ['add', 'update', 'remove'] },
    ref: {
      type: 'object',
      required: ['type'],
      properties: { type: text, id: text, lid: { ...text, description: localId }, relationship: text },
    },
    href: { type: 'string', format: 'uri-reference' },
    data: { type: ['object', 'array', 'null'] },
    meta: { type: 'object' },
  },
}
