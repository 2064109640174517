import type { ErrorObject, Identifier, Links, Meta, ResourceObject } from '../document/types.ts'
import type { Operation } from '../request/operation.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { ServerContext } from '../server/server-context.ts'
import type { Told } from './told.ts'

/** A document of ours, read again. */
export interface ShownDocument {
  readonly links?: Links
  readonly meta?: Meta
  readonly data?: ResourceObject | Identifier | null | readonly (ResourceObject | Identifier)[]
  readonly included?: readonly ResourceObject[]
  readonly errors?: readonly ErrorObject[]
}

/** A request that a browser made, and the document that it was answered with. */
export interface Browsed {
  readonly server: CompiledServer
  /** What is known of the caller, and what they are told; null where that cannot be found out. */
  readonly caller: { readonly ctx: ServerContext; readonly told: Told } | null
  /** What the URL is about; null where it is about no type. */
  readonly operation: Operation | null
  readonly path: string
  readonly search: string
  readonly status: number
  readonly document: ShownDocument
  readonly etag: string | null
  /** What proves that a write comes from this page; null for who is not signed in by it. */
  readonly seal: string | null
}

/** Below the base path of a server: what belongs to the pages alone. No type can be called so. */
export const browsePath = '/-browse'
/** Where the reference of a server lies, below its base path. */
export const docsPath = '/docs'
