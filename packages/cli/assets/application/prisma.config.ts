import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { defineConfig } from 'prisma/config'

if (existsSync('.env')) process.loadEnvFile('.env')

// Migrations need no download: @prismapi/cli brings an engine. A native one that is set already wins, and Windows takes no other.
if (process.platform !== 'win32') {
  const cli = path.dirname(createRequire(import.meta.url).resolve('@prismapi/cli/package.json'))
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(cli, 'assets/schema-engine.mjs')
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations', seed: 'node --import tsx prisma/seed.ts' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
