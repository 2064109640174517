import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'

// Migrations need no download: the project brings its own engine. A native one that is set already wins.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL('scripts/schema-engine.mjs', import.meta.url))

const shadowDatabaseUrl = process.env.SHADOW_DATABASE_URL

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: {
    path: 'prisma/migrations',
    seed: 'node --conditions=prismapi/source --import tsx scripts/seed.ts',
  },
  datasource: {
    url: process.env.DATABASE_URL ?? 'file:./prisma/dev.db',
    // For a PostgreSQL role that may not create databases.
    ...(shadowDatabaseUrl && { shadowDatabaseUrl }),
  },
})
