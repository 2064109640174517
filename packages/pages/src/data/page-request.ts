import type { CompiledServer } from '@prismapi/core/server/compile'
import type { PagePart } from '@prismapi/core/server/page-part'
import type { ServerContext } from '@prismapi/core/server/serving'
import type { ErrorObject, Identifier, Links, Meta, ResourceObject } from '@prismapi/jsonapi/document/types'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Caller as Audience, callerOf } from '@prismapi/openapi/caller'
import type { Described } from '@prismapi/openapi/described'
import { sharedParts } from '@prismapi/openapi/shared-parts'
import { shownSchemas } from '@prismapi/openapi/shown-schemas'

/** A document of ours, read again. */
export interface ShownDocument {
  readonly links?: Links
  readonly meta?: Meta
  readonly data?: ResourceObject | Identifier | null | readonly (ResourceObject | Identifier)[]
  readonly included?: readonly ResourceObject[]
  readonly errors?: readonly ErrorObject[]
}

/** What is known of the caller, and what they are told. */
export interface Caller {
  readonly ctx: ServerContext
  readonly api: VisibleApi
}

interface Refusal {
  /** Where the form was sent. */
  readonly path: string
  readonly status: number
  readonly sent: URLSearchParams
  readonly errors: readonly ErrorObject[]
}

/** What a browser keeps for lists. */
export interface Kept {
  /** The columns that were chosen, by the type. */
  readonly columns: ReadonlyMap<string, readonly string[]>
  readonly views: readonly SavedView[]
}

/** A list with its filters, its order and its columns, by a name. */
export interface SavedView {
  readonly type: string
  readonly name: string
  /** Of the URL, without its question mark. */
  readonly query: string
}

/** A request that a browser made, and the document that it was answered with. */
export interface PageRequest {
  readonly server: CompiledServer
  /** All servers that have pages. */
  readonly servers: readonly CompiledServer[]
  /** Null where it cannot be found out who is asking. */
  readonly caller: Caller | null
  /** What the URL is about; null where it is about no type. */
  readonly operation: Operation | null
  readonly path: string
  readonly search: string
  /** What the page itself is asked for: of it the API knows nothing. */
  readonly own: URLSearchParams
  readonly status: number
  readonly document: ShownDocument
  readonly etag: string | null
  /** Has the reader chosen tables whose rows stand closer? */
  readonly isCompact: boolean
  /** The columns and the views that this browser keeps. */
  readonly kept: Kept
  /** Is there a stream of what changes, for who asks for `text/event-stream` at the same URL? */
  readonly hasStream: boolean
  /** Was a form of a guest refused, who could sign in and send it again? */
  readonly signsIn: boolean
  /** Does the application declare how people sign in. */
  readonly hasSignIn: boolean
  /** What a form sent without a script, where that was answered. */
  readonly sent: URLSearchParams | null
  /** Why what a form sent was refused, where the page shows what the form is about. */
  readonly refusal?: Refusal
  /** What features show on pages. */
  readonly parts: readonly PagePart[]
  /** What proves that a request of the script comes from this page; null for who is not signed in by it. */
  readonly seal: string | null
}

/** Below the base path of a server: what belongs to the pages alone. No type can be called so. */
export const browsePath = '/-browse'
/** Where the reference of a server lies, below its base path. */
export const docsPath = '/docs'
/** Takes the choice how close the rows of tables stand. */
export const densityPath = `${browsePath}/density`
/** Saves a view of a list, or removes it. */
export const viewsPath = `${browsePath}/views`
/** The pages of the application. */
export const ownPath = `${browsePath}/own`
/** The search over everything. */
export const searchPath = `${browsePath}/search`
/** How many resources each type has, for the rail. */
export const countsPath = `${browsePath}/counts`
/** What a form that asks is told by. */
export const formMark = '-form'
/** Of the form of a list: the type whose columns the browser is to keep. */
export const keepMark = '-keep'
/** Its button that asks for nothing but the list. */
export const resetMark = '-reset'
/** Opens the drawer for developers: `document` or `request`. */
export const showMark = '-show'
/** Asks for the page that asks whether its resource is to be deleted. */
export const deleteMark = '-delete'
/** Asks for the page that edits its resource. */
export const editMark = '-edit'
/** The tab of a resource that is shown: `related`, `permissions`, or one of a feature. */
export const tabMark = '-tab'
/** What was written just now, for the message about it: `save`, `delete 7`. */
export const didMark = '-did'
/** Asks for the page that creates one of the type, with a relation filled in: `<relation>:<type>:<id>`, or nothing. */
export const newMark = '-new'
/** Where the reader of such a page came from. */
export const backMark = '-back'
/** The field of the form that its reader left for something that it could name, and is back at. */
export const forMark = '-for'
/** What was created just now: `<type>/<id>`. */
export const createdMark = '-made'
/** Asks for the page that changes or deletes many rows of a collection: `delete`, or `change <field>`. */
export const manyMark = '-many'
/** The rows that are meant, by their ids; none for all on the page. */
export const rowMark = '-row'
/** The box of a form about many rows that empties their field. */
export const emptyMark = '-empty'
/** What was typed as the name of a related resource, where nothing is called so. */
export const typedMark = '-typed'
/** What was done to many rows just now, and to how many, as the server has sealed it. */
export const doneMark = '-done'
/** Of the form of such a page: the type of the rows, and the version of each. */
export const typeMark = '-type'
export const rowVersion = (id: string): string => `-version.${id}`
/** What a form without a script sends beside its fields: its method, its session, and the version that it is about. */
export const sentMethod = '-method'
export const sentSeal = '-seal'
export const sentVersion = '-version'
/** Signs in who sends a form, where its answer was that nobody is known by the session. */
export const sentToken = '-token'

/** The type of the rows of a collection; null for several types, and for one that the reader may not know. */
export function shownSchema({ caller, operation }: Pick<PageRequest, 'caller' | 'operation'>): ResourceSchema | null {
  const [model, ...others] = operation ? modelsOf(operation) : []
  return (model !== undefined && others.length === 0 && caller?.api.schemas.byModel.get(model)) || null
}

const modelsOf = (operation: NonNullable<PageRequest['operation']>): readonly string[] =>
  operation.kind === 'viewRelated' ? targetModels(operation.relation) : [operation.schema.model.name]

/** A server as this caller is told of it, on pages as in its OpenAPI document. */
export interface VisibleApi extends Described {
  readonly audience: Audience
}

export async function visibleApiFor(ctx: ServerContext): Promise<VisibleApi> {
  const audience = await callerOf(ctx)
  const schemas = shownSchemas(ctx.server.schemas, audience)
  return { ...ctx.server, audience, examples: new Map(), schemas, told: [], shared: sharedParts() }
}

/** As what a list is had in the place of a page: `text/csv`. */
export const asMark = '-as'

// What a page is asked for beside its document is in its URL, too, and is taken out before the document is made.

const names: ReadonlySet<string> = new Set([
  ...[showMark, '-field', typedMark, deleteMark, newMark, backMark, forMark, createdMark],
  ...[manyMark, rowMark, doneMark, editMark, tabMark, didMark, asMark],
])

/** In: a query with what the page itself is asked for. Out: the two apart. */
export function ownParameters(search: string): { readonly search: string; readonly own: URLSearchParams } {
  const own = new URLSearchParams()
  if (!search.includes('?-') && !search.includes('&-')) return { search, own }
  const others = search
    .slice(1)
    .split('&')
    .filter((part) => {
      const [[name = '', value = ''] = []] = new URLSearchParams(part)
      if (names.has(name)) own.append(name, value)
      return !names.has(name)
    })
  return { search: others.length === 0 ? '' : `?${others.join('&')}`, own }
}

/** A path and its query, with what the page itself is asked for. */
export const withOwn = (path: string, own: URLSearchParams): string =>
  own.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${own}`

const plainTarget = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/

/** The URL to go back to, if it is a page of this server after dots are resolved, as a browser does; null otherwise. */
export function backTo({ basePath }: Pick<CompiledServer, 'basePath'>, target: string | null): string | null {
  if (target === null || !plainTarget.test(target)) return null
  const { pathname, search } = new URL(target, 'http://localhost')
  return pathname === basePath || pathname.startsWith(`${basePath}/`) ? pathname + search : null
}
