import { atomicExtension } from '../document/profiles.ts'
import { operationsPath } from '../request/routes.ts'
import type { Paths } from './described.ts'
import { type Described, type Part, responseRef, schemaRef } from './described.ts'
import { listParameter } from './parameter.ts'
import { etagHeader } from './preconditions.ts'
import { answer, errors, mediaType, noContent, written } from './responses.ts'

/** Where a server describes itself, below its base path; no type can be called so. */
export const openApiPath = '/openapi.json'

/** The start page, which asks no client to sign in. */
export const rootPaths = ({ basePath }: Described): Paths => ({ [basePath]: rootPath })

/** The description of a server for the caller who asks for it. */
export const documentPaths = ({ basePath, told }: Described): Paths => ({
  [basePath + openApiPath]: documentPath(told.map(({ type }) => type)),
})

/** The path of atomic requests, where the server takes any. */
export const operationsPaths = (server: Described): Paths => ({
  ...(server.supportedExtensions.ext.includes(atomicExtension) && {
    [server.basePath + operationsPath]: operationsItem(server),
  }),
})

const refused = {
  400: responseRef('400'),
  406: responseRef('406'),
  431: responseRef('431'),
  default: responseRef('default'),
}

const rootPath: Part = {
  get: {
    operationId: '-.root',
    responses: { 200: answer('The types of the server, each with its URL.', schemaRef('metaDocument')), ...refused },
  },
}

const documentPath = (types: readonly string[]): Part => ({
  get: {
    operationId: '-.openapi',
    parameters: [
      listParameter(
        'types',
        { type: 'string', enum: types },
        { description: 'The types that the document is about; all by default.' },
      ),
    ],
    responses: {
      200: {
        description: 'This document.',
        headers: etagHeader,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      304: { description: 'Not Modified. The client has this very document.' },
      ...refused,
      401: responseRef('401'),
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
        ...errors(...written, 412, 428),
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
