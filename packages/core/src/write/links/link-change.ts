import type { Row } from '@prismapi/jsonapi/model/where'
import type { BelongsTo, HasMany, HasOne, ManyThrough, MorphTo } from '@prismapi/jsonapi/schema/relation-kinds'

/** A relation whose links are kept in other rows than that of the side that is written. */
export type KeptElsewhere = HasOne | HasMany | ManyThrough

/** Makes targets the whole of a relation, or adds them to it, or takes them out of it. */
export type LinkMode = 'set' | 'add' | 'remove'

/** What a write makes of links that other rows keep. What is linked and stays is no part of it. */
export type LinkChange = ChangeElsewhere | TakeOver

/** Of the links of one relation of the row that is written. */
export interface ChangeElsewhere {
  readonly relation: KeptElsewhere
  /** Targets that are not linked yet, as they stand before. */
  readonly made: readonly ChangedRow[]
  /** The rows that keep the links that end: children, or pivots, as they stand before. */
  readonly ended: readonly ChangedRow[]
}

/** The row that is written gets a partner that another row of its type had, which loses it. */
export interface TakeOver {
  readonly relation: BelongsTo | MorphTo
  /** Prisma's name of the relation whose key that is. */
  readonly field: string
  /** The columns that are null then. */
  readonly clears: readonly string[]
  /** As it stands before; none where the partner is free. */
  readonly ended: readonly ChangedRow[]
}

export const isTakeOver = (change: LinkChange): change is TakeOver => 'field' in change

export interface ChangedRow {
  readonly row: Row
  /** Its place among the identifiers of the document; null where they do not name it. */
  readonly at: number | null
}
