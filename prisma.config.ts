import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'

// Migrations need no download: the project brings its own engine. A native one that is set already wins.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
  new URL('packages/cli/assets/schema-engine.mjs', import.meta.url),
)

const url = process.env.DATABASE_URL ?? 'file:./prisma/dev.db'
const shadowDatabaseUrl = process.env.SHADOW_DATABASE_URL
// The schema and the migrations of the database that is set.
const folder = /^postgres(ql)?:/.test(url) ? 'prisma/postgresql' : 'prisma'

export default defineConfig({
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
