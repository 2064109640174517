import type { Provider } from '@prismapi/jsonapi/model/meta'

interface GeneratorParts {
  /** The generators that are there. */
  readonly taken: readonly string[]
  readonly output: string
}

/** The schema with a generator of ours at its end. */
export const withGenerator = (schema: string, { taken, output }: GeneratorParts): string =>
  withBlock(
    schema,
    `generator ${freeName(taken)} {
  provider = "prisma-generator-resources"
  output   = "${output}"
}
`,
  )

function freeName(taken: readonly string[]): string {
  let name = 'resources'
  for (let n = 2; taken.includes(name); n++) name = `resources${n}`
  return name
}

// Nothing of the text changes: its author finds it again.
const withBlock = (schema: string, block: string): string => `${schema}${schema.endsWith('\n') ? '' : '\n'}\n${block}`

/** The schema with the model that keeps answers to requests with an `Idempotency-Key`. */
export const withIdempotency = (schema: string, provider: Provider): string =>
  withBlock(schema, nativeTypes[provider](idempotencyKey))

const idempotencyKey = `/// @hidden
/// The first answer to each request with an Idempotency-Key, for as long as it is kept.
model IdempotencyKey {
  id          String   @id
  fingerprint String
  owner       String
  lockedUntil DateTime
  expiresAt   DateTime
  status      Int?
  headers     String?
  body        String?

  @@index([expiresAt])
}
`

const inPostgres = (text: string) => withInstants(text, '@db.Timestamptz(3)')
const nativeTypes: Readonly<Record<Provider, (text: string) => string>> = {
  sqlite: (text) => text,
  postgresql: inPostgres,
  cockroachdb: inPostgres,
  mysql: (text) => text.replace(/(headers .*)/, '$1 @db.Text').replace(/(body .*)/, '$1 @db.LongText'),
  sqlserver: (text) => text,
}

export type NewProvider = 'sqlite' | 'postgresql'

/** Models that are written for SQLite, for the database of a new application. */
export const inProviderOf = (provider: NewProvider, models: string): string =>
  provider === 'sqlite' ? models : inPostgres(models)

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
const withInstants = (text: string, native: string): string =>
  text.replace(/^ +\w+ +DateTime\b.*$/gm, (line) => `${line.trimEnd()} ${native}`)
