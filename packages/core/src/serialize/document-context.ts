import type { FieldsOf } from '@prismapi/jsonapi/condition/scopes'
import type { Extensions } from '@prismapi/jsonapi/document/types'
import type { Page } from '@prismapi/jsonapi/pagination/paginator'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { RequestUrl } from '@prismapi/jsonapi/request/hook-context'
import type { Observer } from '@prismapi/jsonapi/request/observer'
import type { Resource } from '../read/resource.ts'

/** What documents are written with. */
export interface DocumentContext {
  readonly server: DocumentServer
  readonly at: RequestUrl
  /** Null where nothing observes the request. */
  readonly observer: Observer | null
  /** Which fields of each model the caller sees; null where that is all of them. */
  readonly seen: FieldsOf
  /** The extensions and profiles that the document follows. */
  readonly negotiatedExtensions: Extensions
  /** The models whose deleted rows the user may see. */
  readonly served: { readonly trash: ReadonlySet<string> }
  /** Takes the resources that a document would show; null where the answer is a document. */
  readonly taker: RowTaker | null
}

/** A caller inside of the process, who is given rows: their document names them, and says nothing else of them. */
export interface RowTaker {
  take(ctx: DocumentContext, taken: TakenRows): void
}

export interface TakenRows {
  readonly shown: Resource | null | readonly Resource[]
  readonly query: Query
  /** Null where they are no page of a collection. */
  readonly page: Page | null
}

export interface DocumentServer {
  /** `http://127.0.0.1:3000/api/v1`: what links begin with. */
  readonly baseUrl: string
  readonly version: '1.0' | '1.1'
}
