import type { ResourceSchema } from '../schema/resource-schema.ts'
import { type Described, type Part, parameterRef, responseRef } from './described.ts'
import { type ErrorStatus, header } from './responses.ts'

type Tagging = Pick<Described, 'etags'>

const ifMatch: Part = {
  name: 'If-Match',
  in: 'header',
  description: 'Entity tags: the resource is changed only if its version is one of them. `*` stands for any.',
  schema: { type: 'string' },
}

const ifNoneMatch: Part = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Entity tags of answers that the client has: if the answer is still one of them, it is not sent again.',
  schema: { type: 'string' },
}

/** The parameters that operations refer to. */
export const preconditionParameters: Part = { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch }

/** The header of answers that show something. */
export const etagHeader: Part = { ETag: header('The entity tag of this answer.') }

/** The headers of an answer that shows something. */
export const tagged = ({ etags }: Tagging, headers: Part = {}): Part => ({
  ...((etags || Object.keys(headers).length > 0) && { headers: { ...(etags && etagHeader), ...headers } }),
})

/** What a read may ask beside its query. */
export const unlessKnown = ({ etags }: Tagging): readonly Part[] => (etags ? [parameterRef('If-None-Match')] : [])

/** What it may be answered with then. */
export const notModified = ({ etags }: Tagging): Part => (etags ? { 304: responseRef('304') } : {})

/** The 304 that operations refer to. */
export const notModifiedResponse: Part = {
  304: { description: 'Not Modified. The client has this very answer.', headers: etagHeader },
}

/** What a write of a resource may say, or has to. */
export const onVersion = ({ requiresIfMatch }: ResourceSchema): readonly Part[] => [
  requiresIfMatch ? { ...ifMatch, required: true } : parameterRef('If-Match'),
]

/** The errors that come of it. */
export const ofVersion = ({ requiresIfMatch }: ResourceSchema): readonly ErrorStatus[] =>
  requiresIfMatch ? [412, 428] : [412]
