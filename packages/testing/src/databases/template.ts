import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'

/** How the database that all others are copies of comes about. */
export interface Template {
  /** Tells templates of other migrations and rows apart. */
  readonly key: string
  /** Fills a new, empty database. */
  fill(url: string, run: RunSql): Promise<void>
}

/** Runs statements in the database that is filled. */
export type RunSql = (sql: string) => Awaitable<unknown>

/** One kind of database server. */
export interface DatabaseKind {
  /** Makes the template unless it is there. */
  prepare(template: Template): Promise<void>
  /** A copy of the template, which is there. */
  copy(template: Template): Promise<{ readonly url: string; drop(): Promise<void> }>
}

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

/** The kind of database that Prisma's migrations in a folder are for, as their lock says; null where there is none. */
export function providerOf(folder: string): string | null {
  const lock = path.join(folder, 'migration_lock.toml')
  if (!existsSync(lock)) return null
  return /^provider\s*=\s*"(\w+)"/m.exec(readFileSync(lock, 'utf8'))?.[1] ?? null
}

/** The SQL of Prisma's migrations in a folder, in their order. */
export function readMigrations(folder: string): readonly string[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(path.join(folder, name, 'migration.sql'), 'utf8'))
}
