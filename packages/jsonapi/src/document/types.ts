import type { RenderedResource } from './rendered.ts'

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json }

/**
 * A non-standard members' bag, `meta` anywhere in a document.
 *
 * @see https://jsonapi.org/format/#document-meta
 */
export type Meta = Readonly<Record<string, unknown>>

/**
 * What the caller may do, by the names of the policies' actions; null where that is not
 * known before it is tried. The names of fields where it may write these and no others.
 */
export type Can = Readonly<Record<string, boolean | null | readonly string[]>>

/**
 * A link: an URL, or (JSON:API 1.1) a link object.
 *
 * @see https://jsonapi.org/format/#document-links-link
 */
export type Link = string | { readonly href: string; readonly [member: string]: unknown }

/**
 * The links object; a member that is null says that the link does not exist now.
 *
 * @see https://jsonapi.org/format/#document-links
 */
export type Links = Readonly<Record<string, Link | null>>

/**
 * A resource identifier object: what linkage is made of.
 *
 * @see https://jsonapi.org/format/#document-resource-identifier-objects
 */
export interface Identifier {
  /** The resource type, `blog-posts`. */
  readonly type: string
  /** Always a string; of several columns, joined. */
  readonly id: string
  /** What a link says: the columns of its join model, or the version that an operation is about. */
  readonly meta?: Meta
}

/**
 * Resource linkage: to-one is an identifier or null, to-many an array.
 *
 * @see https://jsonapi.org/format/#document-resource-object-linkage
 */
export type Linkage = Identifier | null | readonly Identifier[]

/**
 * A relationship object inside a resource object.
 *
 * @see https://jsonapi.org/format/#document-resource-object-relationships
 */
export interface Relationship {
  /** `self` and `related`, and `next` where no more than a page is included. */
  readonly links?: Links
  /** Only where it is included, or always shown. */
  readonly data?: Linkage
  /** `count`, and what the included page says of itself. */
  readonly meta?: Meta
}

/**
 * A resource object as the server emits it.
 *
 * @see https://jsonapi.org/format/#document-resource-objects
 */
export interface ResourceObject extends Identifier {
  /** JSON values by name, no more than the request's `fields`. */
  readonly attributes?: Readonly<Record<string, unknown>>
  /** By name, no more than the request's `fields`. */
  readonly relationships?: Readonly<Record<string, Relationship>>
  /** `self`. */
  readonly links?: Links
}

/**
 * An error object.
 *
 * @see https://jsonapi.org/format/#error-objects
 */
export interface ErrorObject {
  /** This very failure, as the log names it; of a 500. */
  readonly id?: string
  /** The HTTP status, as a string. */
  readonly status: string
  /** The name of the rule that failed; of a 422, as a rule. */
  readonly code?: string
  /** The kind of failure: it does not change from one to the next. */
  readonly title: string
  /** What is wrong with this request, for people. */
  readonly detail?: string
  /** The place in the request: a JSON pointer into its document, a query parameter's exact key, or a header. */
  readonly source?: { readonly pointer: string } | { readonly parameter: string } | { readonly header: string }
  /** `type` leads to what explains this kind of failure. */
  readonly links?: Links
  /** Whatever else there is to say. */
  readonly meta?: Meta
}

/**
 * The `jsonapi` member that every document carries.
 *
 * @see https://jsonapi.org/format/#document-jsonapi-object
 */
export interface JsonApiObject {
  /** The version that the server declares. */
  readonly version: '1.0' | '1.1'
  /** The URIs of the extensions that the document is written by. */
  readonly ext?: readonly string[]
  /** The URIs of the profiles that the document is written by. */
  readonly profile?: readonly string[]
}

/**
 * A document with primary data.
 *
 * @see https://jsonapi.org/format/#document-top-level
 */
export interface DataDocument {
  /** The version that the document is written by. */
  readonly jsonapi: JsonApiObject
  /** `self`, `related` of linkage, and those of a page. */
  readonly links?: Links
  /** What the page says of itself, and what was counted. */
  readonly meta?: Meta
  /** Resources, or the linkage of a relationship. */
  readonly data: RenderedResource | readonly RenderedResource[] | Linkage
  /** Every resource that `include` leads to, once. */
  readonly included?: readonly RenderedResource[]
}

/**
 * A document without primary data: the server's root, answers of actions.
 *
 * @see https://jsonapi.org/format/#document-top-level
 */
export interface MetaDocument {
  /** The version that the document is written by. */
  readonly jsonapi: JsonApiObject
  /** `self`; those of a server's root lead to its OpenAPI document as well. */
  readonly links?: Links
  /** What the document is for. */
  readonly meta: Meta
}

/**
 * What one operation of an atomic request led to.
 *
 * @see https://jsonapi.org/ext/atomic/#result-objects
 */
export interface ResultObject {
  /** The resource; left out where there is nothing to show. */
  readonly data?: RenderedResource
}

/**
 * The answer to an atomic request.
 *
 * @see https://jsonapi.org/ext/atomic/#document-structure
 */
export interface ResultsDocument {
  /** The version that the document is written by. */
  readonly jsonapi: JsonApiObject
  /** One for each operation, in their order. */
  readonly 'atomic:results': readonly ResultObject[]
}

/**
 * An error document.
 *
 * @see https://jsonapi.org/format/#errors
 */
export interface ErrorDocument {
  /** The version that the document is written by. */
  readonly jsonapi: JsonApiObject
  /** One at least. */
  readonly errors: readonly ErrorObject[]
}

/**
 * Any document that a server answers with.
 *
 * @see https://jsonapi.org/format/#document-top-level
 */
export type Document = DataDocument | MetaDocument | ResultsDocument | ErrorDocument

/** A JSON object, as `JSON.parse` makes it. */
export type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object of names and values, and no instance of a class. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A member of the object itself: what `Object.prototype` has is not in the document. */
export const own = (object: Members, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

/** The names that mean something: JSON:API 1.1 asks to ignore `@`-members. */
export const namesOf = (object: Members): string[] => Object.keys(object).filter((name) => !name.startsWith('@'))

/**
 * Appends members to a JSON pointer (RFC 6901): `~` and `/` inside a name are escaped.
 *
 * @example
 * pointer('/data/attributes', 'a/b') // '/data/attributes/a~1b'
 */
export const pointer = (base: string, ...members: readonly (string | number)[]): string =>
  members.reduce<string>((path, member) => `${path}/${escapeMember(String(member))}`, base)

const escapeMember = (member: string): string => member.replaceAll('~', '~0').replaceAll('/', '~1')

/** The media type of JSON:API. */
export const jsonApiMediaType = 'application/vnd.api+json'

/**
 * URIs of extensions and profiles: those that a server knows, those that a message uses, those applied to an answer.
 *
 * @internal
 */
export interface Extensions {
  readonly ext: readonly string[]
  readonly profile: readonly string[]
}

export const noExtensions: Extensions = Object.freeze({ ext: [], profile: [] })

/** What either asks for, once. */
export const bothExtensions = (a: Extensions, b: Extensions): Extensions =>
  a.ext.length + a.profile.length === 0
    ? b
    : { ext: [...new Set([...a.ext, ...b.ext])], profile: [...new Set([...a.profile, ...b.profile])] }

/** The `jsonapi` member of a document: what was applied is named, what was not is not there. */
export const jsonapiOf = (version: JsonApiObject['version'], { ext, profile }: Extensions): JsonApiObject => ({
  version,
  ...(ext.length > 0 && { ext }),
  ...(profile.length > 0 && { profile }),
})

/** The URIs by which clients and servers agree on extensions and profiles (JSON:API 1.1, *Extensions and Profiles*). */
export const atomicExtension = 'https://jsonapi.org/ext/atomic'
export const cursorProfile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
/** The kinds of error that the cursor profile names. */
export const cursorErrors = {
  maxSizeExceeded: `${cursorProfile}/max-size-exceeded`,
  rangeNotSupported: `${cursorProfile}/range-pagination-not-supported`,
  unsupportedSort: `${cursorProfile}/unsupported-sort`,
} as const
export const filterProfile = 'urn:prismapi:profile:filter'
export const upsertProfile = 'urn:prismapi:profile:upsert'
