import type {
  ErrorObject,
  Identifier,
  JsonApiObject,
  Links,
  Meta,
  ResourceObject,
} from '@prismapi/jsonapi/document/types'

/** A document as tests read it: every member that one can have, whatever kind it is. */
export interface TestDocument {
  /** The version that it is written by. */
  readonly jsonapi?: JsonApiObject
  /** `self`, and those of a page. */
  readonly links?: Links
  /** What the document says of itself. */
  readonly meta?: Meta
  /** Primary data: resources, or the linkage of a relationship. */
  readonly data?: ResourceObject | Identifier | null | readonly (ResourceObject | Identifier)[]
  /** What `include` leads to. */
  readonly included?: readonly ResourceObject[]
  /** What went wrong. */
  readonly errors?: readonly ErrorObject[]
  /** What each operation led to, in their order. */
  readonly 'atomic:results'?: readonly { readonly data?: ResourceObject | null; readonly meta?: Meta }[]
}
