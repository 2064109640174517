// Of Prisma (https://www.prisma.io/docs/orm/reference/error-reference) and of PostgreSQL. SQLite has a message.
const lacking = { table: ['P2021', '42P01'], column: ['P2022', '42703'] } as const

/** What the database lacks of the Prisma schema, by an error of a query; null for every other error. */
export function lackingPart(error: unknown): keyof typeof lacking | null {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string }
  const isOf = (part: keyof typeof lacking) =>
    (lacking[part] as readonly string[]).includes(code) || message.startsWith(`no such ${part}: `)
  return (['table', 'column'] as const).find(isOf) ?? null
}

/** The column that such an error names; null where it names none. */
export const lackingColumn = (error: unknown): string | null =>
  /column:? [`"]?(?:\w+\.)*(\w+)/.exec((error as Error).message)?.[1] ?? null
