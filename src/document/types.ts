import type { RenderedResource } from './rendered.ts'

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json }

/** A non-standard members' bag, `meta` anywhere in a document. */
export type Meta = Readonly<Record<string, unknown>>

/**
 * What the caller may do, by the names of the policies' actions; null where that is not known before it is tried.
 */
export type Can = Readonly<Record<string, boolean | null>>

/** A link: an URL, or (JSON:API 1.1) a link object. */
export type Link = string | { readonly href: string; readonly [member: string]: unknown }

/** The links object; a member that is null says that the link does not exist now. */
export type Links = Readonly<Record<string, Link | null>>

/** A resource identifier object: what linkage is made of. */
export interface Identifier {
  readonly type: string
  readonly id: string
  readonly meta?: Meta
}

/** Resource linkage: to-one is an identifier or null, to-many an array. */
export type Linkage = Identifier | null | readonly Identifier[]

/** A relationship object inside a resource object. */
export interface Relationship {
  readonly links?: Links
  readonly data?: Linkage
  readonly meta?: Meta
}

/** A resource object as the server emits it. */
export interface ResourceObject extends Identifier {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, Relationship>>
  readonly links?: Links
}

/** An error object; `status` is the HTTP status as a string. */
export interface ErrorObject {
  readonly id?: string
  readonly status: string
  readonly code?: string
  readonly title: string
  readonly detail?: string
  readonly source?: { readonly pointer: string } | { readonly parameter: string } | { readonly header: string }
  readonly links?: Links
  readonly meta?: Meta
}

/** The `jsonapi` member that every document carries. */
export interface JsonApiObject {
  readonly version: '1.0' | '1.1'
  readonly ext?: readonly string[]
  readonly profile?: readonly string[]
}

/** A success document. */
export interface DataDocument {
  readonly jsonapi: JsonApiObject
  readonly links?: Links
  readonly meta?: Meta
  readonly data: RenderedResource | readonly RenderedResource[] | Linkage
  readonly included?: readonly RenderedResource[]
}

/** A document without primary data: the server's root, answers of actions. */
export interface MetaDocument {
  readonly jsonapi: JsonApiObject
  readonly links?: Links
  readonly meta: Meta
}

/** What one operation of an atomic request led to; without `data` where there is nothing to show. */
export interface ResultObject {
  readonly data?: RenderedResource
}

/** The answer to an atomic request: a result for each operation, in their order. */
export interface ResultsDocument {
  readonly jsonapi: JsonApiObject
  readonly 'atomic:results': readonly ResultObject[]
}

/** An error document. */
export interface ErrorDocument {
  readonly jsonapi: JsonApiObject
  readonly errors: readonly ErrorObject[]
}

export type Document = DataDocument | MetaDocument | ResultsDocument | ErrorDocument
