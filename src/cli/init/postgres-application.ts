/** A file of the application, which is written for SQLite, for PostgreSQL. */
export function forPostgres(name: string, text: string): string {
  const change = changes[name]
  return change === undefined ? text : change(text)
}

const changes: Readonly<Record<string, (text: string) => string>> = {
  'prisma/schema.prisma': (text) =>
    withInstants(text.replace('provider = "sqlite"', 'provider = "postgresql"'), '@db.Timestamptz(3)'),
  'src/app/database.ts': (text) =>
    text.replaceAll('sqliteClients', 'postgresClients').replace('prismapi/sqlite', 'prismapi/postgres'),
  '_env.example': (text) =>
    text
      .replace('The SQLite file.', 'The PostgreSQL database. `npx prisma migrate dev` makes it where it is not there.')
      .replace(/^DATABASE_URL=.*$/m, 'DATABASE_URL=postgresql://postgres@localhost:5432/prismapi'),
  _gitignore: (text) => text.replace(/^\*\.db.*\n/gm, ''),
}

/** PostgreSQL's own type behind each date of a Prisma schema. */
export const withInstants = (text: string, native: string): string =>
  text.replace(/^ +\w+ +DateTime\b.*$/gm, (line) => `${line.trimEnd()} ${native}`)
