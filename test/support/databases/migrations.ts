import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The SQL of the migrations in a folder of the repository, in their order. */
export function readMigrations(folder: string): readonly string[] {
  const at = path.resolve(import.meta.dirname, '../../..', folder)
  const names = readdirSync(at, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(path.join(at, name, 'migration.sql'), 'utf8'))
}
