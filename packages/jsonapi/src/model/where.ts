/** A record in memory: column names to values as Prisma gives them. */
export type Row = Readonly<Record<string, unknown>>

/** A condition in Prisma's `where` vocabulary, as applications write it. */
export type Where = Readonly<Record<string, unknown>>
