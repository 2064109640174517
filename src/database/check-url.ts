interface Kind {
  /** What people call it. */
  readonly name: string
  readonly schemes: readonly string[]
}

/**
 * Of the URL only its scheme is told, because it may hold a password.
 * @throws {Error} for the URL of another kind of database.
 */
export function checkUrl(url: string, { name, schemes }: Kind): void {
  const [, scheme] = /^([a-z][a-z0-9+.-]+:)/i.exec(url) ?? []
  if (scheme === undefined || schemes.includes(scheme.toLowerCase())) return
  throw new Error(
    `The URL of the database begins with ${scheme}, and the application is made for ${name} (${schemes[0]}). Correct DATABASE_URL, or change the provider of the Prisma schema and the function that opens the clients.`,
  )
}
