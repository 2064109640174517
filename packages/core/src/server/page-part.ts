import type { Language, Message } from '@prismapi/jsonapi/document/text'
import type { Identifier, ResourceObject } from '@prismapi/jsonapi/document/types'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

// What a feature needs to know of pages: types alone. Pages hand in the functions that make HTML.

/** HTML that `html` of a `Page` made. */
export interface PageHtml {
  /** The HTML, with its texts in a language. */
  textIn(language: Language): string
}

/** Stands in a page: pages escape all that is not HTML of theirs, and leave out null and false. */
export type PageContent =
  | PageHtml
  | string
  | number
  | Message
  | ((language: Language) => string)
  | null
  | undefined
  | false
  | readonly PageContent[]

/** Of resources: how pages call and link them. */
export interface PageNames {
  /** Has it a label that the reader may see? */
  isKnown(identifier: Identifier): boolean
  /** A link to it by its label, or by its type and id. */
  link(identifier: Identifier): PageContent
}

/** A page that is made for its reader, and what pages are made by. */
export interface Page {
  /** Who reads it; null for a guest. */
  readonly user: unknown
  /** The type that the URL is about, as the server knows it. */
  readonly schema: ResourceSchema
  /** The type of a model; null where the server tells its reader of none. */
  typeOf(model: string): ResourceSchema | null
  /** HTML with texts in the gaps: `` html`<p class="${name}">${text}</p>` ``. Attributes stand in quotes. */
  html(around: TemplateStringsArray, ...gaps: readonly PageContent[]): PageHtml
  /** The value of an attribute as tables show it. */
  value(value: unknown, attribute?: Attribute): PageContent
  /** The name of a field or a type at the beginning of a line. */
  title(name: string): PageContent
  /** The URL of a collection. */
  urlOf(schema: ResourceSchema, query: Readonly<Record<string, string>>): string
  /** As many resources as the API lists its reader; none where it lists none. */
  list(
    schema: ResourceSchema,
    options: { readonly query: Readonly<Record<string, string>>; readonly most: number },
  ): Promise<readonly ResourceObject[]>
  /** Reads how resources are called. */
  names(identifiers: readonly Identifier[]): Promise<PageNames>
}

/**
 * A page of the application in the frame of the server's pages.
 *
 * @example
 * const reports: OwnPage = {
 *   title: 'Reports',
 *   content: ({ html, user }) => html`<p>${user === null ? 'Sign in first.' : 'Nothing to report.'}</p>`,
 * }
 */
export interface OwnPage {
  /** Its title, and what the rail or the menu calls it. */
  readonly title: string | Message
  /** What it shows, for its reader; null for nothing. */
  readonly content: (page: Omit<Page, 'schema'>) => Awaitable<PageContent>
}

/** A page of one resource. */
export interface ResourcePage extends Page {
  /** As the document of the page has it. */
  readonly resource: ResourceObject
  /**
   * A button that gives fields the values that they had, by the names of documents; null where its reader may not write
   * each of them. It says `Restore`, or what `button` says.
   */
  revert(values: Readonly<Record<string, unknown>>, options?: RevertOptions): Promise<PageContent>
}

/** What a button that reverts says, and what it does with links. */
export interface RevertOptions {
  /** Left out, it says `Restore`. */
  readonly button?: Message
  /** By the name of a to-many relation: the ids that were linked and go, and those that were not and come back. */
  readonly links?: Readonly<
    Record<string, { readonly linked: readonly string[]; readonly unlinked: readonly string[] }>
  >
}

/** A page of a collection. */
export interface CollectionPage extends Page {
  /** As the document of the page has them. */
  readonly resources: readonly ResourceObject[]
}

/** The menu of a collection, ⋯, where it stands. */
export interface CollectionMenu extends CollectionPage {
  /** The path of the page, which is that of its document. */
  readonly path: string
  /** Its query: `?filter[author]=3`. */
  readonly search: string
}

/**
 * What a feature shows below the document of a page, or of a resource at a tab of its own; null for nothing.
 *
 * @example
 * const stamp: PagePart = {
 *   resource: ({ html, resource }) => html`<p>Printed for ${resource.id}.</p>`,
 * }
 */
export interface PagePart {
  /** On pages of one resource. */
  readonly resource?: (page: ResourcePage) => Awaitable<PageContent>
  /** The tab that `resource` stands at; left out, below the details. `name` stands in the URL. */
  readonly tab?: { readonly name: string; readonly title: PageContent }
  /** The button that takes back the last change of a resource; null where the feature knows of none. */
  readonly undo?: (page: ResourcePage) => Awaitable<PageContent>
  /** As what else readers may have a list, by its name: `{ CSV: 'text/csv' }`. Pages ask for it by `Accept`. */
  readonly downloads?: Readonly<Record<string, string>>
  /** In the menu of a collection, ⋯: a link, or a form with a button. */
  readonly menu?: (page: CollectionMenu) => Awaitable<PageContent>
  /** Another URL that asks the same, for one that is too long for programs on its way; null where it stays. */
  readonly shorten?: (url: string) => string | null
  /** Pages of its own, by the last part of their URLs, which the menu of the reader leads to. */
  readonly own?: Readonly<Record<string, OwnPage>>
  /** On pages of collections. */
  readonly collection?: (page: CollectionPage) => Awaitable<PageContent>
}
