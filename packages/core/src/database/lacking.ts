/** What the database lacks of the Prisma schema, by an error of a query; null for every other error. */
export function lackingPart(error: unknown): 'table' | 'column' | null {
  const { code = '', message = '' } = (error ?? {}) as { readonly code?: string; readonly message?: string }
  if (noTable.has(code) || message.startsWith('no such table: ')) return 'table'
  return noColumn.has(code) || message.startsWith('no such column: ') ? 'column' : null
}

// Of Prisma (https://www.prisma.io/docs/orm/reference/error-reference) and of PostgreSQL. SQLite has a message.
const noTable: ReadonlySet<string> = new Set(['P2021', '42P01'])
const noColumn: ReadonlySet<string> = new Set(['P2022', '42703'])
