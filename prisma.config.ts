import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'

// Migrations need no download: the project brings its own engine. A native one that is set already wins.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
  new URL('packages/cli/assets/schema-engine.mjs', import.meta.url),
)

const url = process.env.DATABASE_URL ?? 'file:./prisma/dev.db'
const shadowDatabaseUrl = process.env.SHADOW_DATABASE_URL
// The schema and the migrations of the database that is set.
const isPostgres = /^postgres(ql)?:/.test(url)
const folder = isPostgres ? 'prisma/postgresql' : 'prisma'
// The words of searches on SQLite, of which the schema knows nothing: without their names, Prisma would drop them.
const ofWords = ['', '_config', '_data', '_docsize', '_idx']
const external = isPostgres ? [] : ['Post', 'Video'].flatMap((table) => ofWords.map((end) => `${table}_search${end}`))

export default defineConfig({
  experimental: { externalTables: true },
  tables: { external },
  schema: `${folder}/schema.prisma`,
  migrations: {
    path: `${folder}/migrations`,
    seed: 'node --conditions=prismapi/source --import tsx scripts/seed.ts',
  },
  datasource: {
    url,
    // For a PostgreSQL role that may not create databases.
    ...(shadowDatabaseUrl && { shadowDatabaseUrl }),
  },
})
