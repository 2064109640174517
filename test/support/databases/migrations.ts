import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const inRepository = (file: string): string => path.resolve(import.meta.dirname, '../../..', file)

/** What the rows of the example are made from. */
export const seedFiles = ['prisma/schema.prisma', 'prisma/seed.ts', 'prisma/seed-rows.ts'].map(inRepository)

/** The whole path of a folder of migrations in the repository. */
export const migrationsIn = inRepository

/** The SQL of the migrations in a folder of the repository, in their order. */
export function readMigrations(folder: string): readonly string[] {
  const at = inRepository(folder)
  const names = readdirSync(at, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(path.join(at, name, 'migration.sql'), 'utf8'))
}
