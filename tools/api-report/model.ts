import type { Entry } from './entries.ts'

/** What one entry of the package gives to applications. */
export interface ExtractedEntry extends Entry {
  /** The declarations of all its exports, as Markdown. */
  readonly report: string
  /**
   * The same with their documentation, and with what they name without its being exported: API Extractor's `*.api.json`. It has
   * nothing of what is marked as `@internal`.
   */
  readonly model: ApiItem
}

/** An item of API Extractor's model: an entry, or something that is declared in one. */
export interface ApiItem {
  readonly kind: string
  readonly name?: string
  /** The whole comment, its stars included; empty or left out where there is none. */
  readonly docComment?: string
  readonly excerptTokens?: readonly ExcerptToken[]
  /** `prismapi!Schema:class`, and with `!~` for what is not exported. */
  readonly canonicalReference?: string
  /** `schema/schema.d.ts` */
  readonly fileUrlPath?: string
  readonly members?: readonly ApiItem[]
}

/** A part of the text of a declaration, with what it refers to. */
export interface ExcerptToken {
  readonly kind: string
  readonly text: string
  /** `prismapi!Paginator:interface`, and with `!~` for what is not exported. */
  readonly canonicalReference?: string
}
