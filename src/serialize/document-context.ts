import type { FieldsOf } from '../condition/field-access.ts'
import type { Extensions } from '../document/profiles.ts'
import type { Observer } from '../request/observer.ts'
import type { RequestUrl } from '../request/request-url.ts'

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
}

export interface DocumentServer {
  /** `http://127.0.0.1:3000/api/v1`: what links begin with. */
  readonly baseUrl: string
  readonly version: '1.0' | '1.1'
}
