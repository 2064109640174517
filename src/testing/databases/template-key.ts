import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** A short hash of files, folders and texts: another one as soon as one of them changes. */
export function templateKey(paths: readonly string[], texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  for (const text of texts) hash.update(`${text}\0`)
  return hash.digest('hex').slice(0, 16)
}

function filesBelow(place: string): readonly string[] {
  if (!statSync(place).isDirectory()) return [place]
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => path.join(parentPath, name)).sort()
}

/** The SQL of Prisma's migrations in a folder, in their order. */
export function readMigrations(folder: string): readonly string[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(path.join(folder, name, 'migration.sql'), 'utf8'))
}
