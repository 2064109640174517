/** A record in memory: column names to values as Prisma gives them. */
export type Row = Readonly<Record<string, unknown>>

/** A condition in Prisma's `where` vocabulary, as applications write it. The framework reads `Condition`s, which it is parsed into. */
export type Where = Readonly<Record<string, unknown>>

/** One key of an order: the path is one column, or to-one relations and then a column (`['author', 'name']`). */
export interface OrderTerm {
  /** Prisma's names, one at least. */
  readonly path: readonly string[]
  /** Smallest first, or largest. */
  readonly direction: 'asc' | 'desc'
}
