import type { TableName } from './sql-database.ts'

// Statements that are no plans are texts: SQLite and PostgreSQL take names and texts between the same quotes.

/** The name of a table, a column or a trigger. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A table, in its schema where it has one. */
export const quotedTable = ({ table, dbSchema }: TableName): string =>
  dbSchema === null ? quoted(table) : `${quoted(dbSchema)}.${quoted(table)}`

/** A text. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
