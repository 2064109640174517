import type { Condition } from '../condition/condition.ts'
import type { OrderTerm } from '../condition/order-term.ts'
import type { PageRequest } from '../pagination/paginator.ts'
import type { Relation } from '../schema/relation-kinds.ts'
import type { Figures } from './stats.ts'

/** Include paths as a tree of relation names. */
export interface IncludeTree extends ReadonlyMap<string, IncludeTree> {}

/** Sparse fieldsets: the fields asked for, by type. A type that is absent shows all its fields. */
export type FieldSets = ReadonlyMap<string, ReadonlySet<string>>

/**
 * What is asked of to-many relations that are included. A relation
 * that is absent has the order and the cap of its type.
 */
export type IncludedCollections = ReadonlyMap<Relation, IncludedCollection>

/** How a to-many relation is shown inside of a document: ordered, narrowed, and no more of it than its size. */
export interface IncludedCollection extends Pick<Query, 'order' | 'filter' | 'trashed'> {
  /** At most so many resources for each parent. */
  readonly size: number
  /** Was the size sent, or is it the type's cap. */
  readonly isSized: boolean
  /** What to ask the relation's own URL for the same resources: canonical, as those of a query. */
  readonly params: Query['params']
}

export type Trashed = 'without' | 'with' | 'only'

/**
 * What the query string asks for, checked against the schema. Frozen; a part that was not sent is null.
 */
export interface Query {
  readonly include: IncludeTree
  /** Was `include` sent: then the document has an `included` member, even an empty one. */
  readonly includeSent: boolean
  readonly collections: IncludedCollections
  readonly fields: FieldSets
  /** The to-many relations of the primary data whose resources are counted. */
  readonly counts: ReadonlySet<string>
  /** The figures that are told of the whole collection. */
  readonly stats: readonly Figures[]
  /** The client's order or the schema's, without the id that completes it. */
  readonly order: readonly OrderTerm[]
  readonly filter: Condition | null
  /** Are rows that were deleted softly left out, there too, or all there is. */
  readonly trashed: Trashed
  /** A filter on a singular attribute, without `page`: one resource or null is the answer. */
  readonly isSingular: boolean
  readonly page: PageRequest | null
  /**
   * The parameters to keep in links, canonical: `[['fields[posts]', 'title'], ['sort', '-createdAt']]`, sorted by key,
   * `page` left out, a default sort named.
   */
  readonly params: readonly (readonly [key: string, value: string])[]
}
