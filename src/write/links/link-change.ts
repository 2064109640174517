import type { Row } from '../../model/where.ts'
import type { HasMany, HasOne, ManyThrough } from '../../schema/relation-kinds.ts'

/** A relation whose links are kept in other rows than that of the side that is written. */
export type KeptElsewhere = HasOne | HasMany | ManyThrough

/** Makes targets the whole of a relation, or adds them to it, or takes them out of it. */
export type LinkMode = 'set' | 'add' | 'remove'

/** What a write makes of the links of one relation. What is linked and stays is no part of it. */
export interface LinkChange {
  readonly relation: KeptElsewhere
  /** Targets that are not linked yet, as they stand before. */
  readonly made: readonly ChangedRow[]
  /** The rows that keep the links that end: children, or pivots, as they stand before. */
  readonly ended: readonly ChangedRow[]
}

export interface ChangedRow {
  readonly row: Row
  /** Its place among the identifiers of the document; null where they do not name it. */
  readonly at: number | null
}
