import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Described, headerRef, type Part, parameterRef, responseRef } from './described.ts'
import { header } from './responses.ts'

type Tagging = Pick<Described, 'etags'>

const ifMatch: Part = {
  name: 'If-Match',
  in: 'header',
  description: 'Entity tags: the resource is changed only if its version is one of them. `*` stands for any.',
  schema: { type: 'string' },
}

/** The header that every GET takes. */
const ifNoneMatch: Part = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Entity tags of answers that the client has: if the answer is still one of them, it is not sent again.',
  schema: { type: 'string' },
}

/** The parameters that operations refer to. */
export const preconditionParameters: Part = {
  'If-Match': ifMatch,
  'If-Match-required': { ...ifMatch, required: true },
  'If-None-Match': ifNoneMatch,
}

/** The header of answers that show something. */
export const etagHeader: Part = { ETag: header('The entity tag of this answer.') }

/** The headers of an answer that shows something. */
export const tagged = ({ etags }: Tagging, headers: Part = {}): Part => ({
  ...((etags || Object.keys(headers).length > 0) && {
    headers: { ...(etags && { ETag: headerRef('ETag') }), ...headers },
  }),
})

/** What a read at the URL of a type or a resource may ask beside its query. */
export const unlessKnown = ({ etags }: Tagging): readonly Part[] => (etags ? [parameterRef('If-None-Match')] : [])

/** What it may be answered with then. */
export const notModified = ({ etags }: Tagging): Part => (etags ? { 304: responseRef('304') } : {})

/** The 304 that operations refer to. */
export const notModifiedResponse: Part = {
  304: { description: 'Not Modified. The client has this very answer.', headers: { ETag: headerRef('ETag') } },
}

/** What `info` says of relations, whose URLs are most of a document. */
export const saidOfVersions = ({ etags }: Tagging): string =>
  `${etags ? 'At the URLs of relations, too, GET takes `If-None-Match`, and may be answered by 304. ' : ''}A write of a relationship takes \`If-Match\`, as one of its resource does.`

/** What a write of a resource may say, or has to. */
export const onVersion = ({ requiresIfMatch }: ResourceSchema): readonly Part[] => [
  parameterRef(requiresIfMatch ? 'If-Match-required' : 'If-Match'),
]

/** What a write of a relationship has to say. */
export const neededVersion = (schema: ResourceSchema): readonly Part[] =>
  schema.requiresIfMatch ? onVersion(schema) : []
