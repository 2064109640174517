import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { policyFile } from '@prismapi/core/auth/policy'
import { liveMark, liveMarkOf } from '@prismapi/live/triggers/live-migration'
import { guardMark, guardMigration } from '@prismapi/proof/guard/guard-migration'
import { ownClaims } from '@prismapi/proof/own-claims'
import { Prover } from '@prismapi/proof/prover'
import { searchMark } from '@prismapi/search/search-migration'
import { loadApplication } from '../policies/application.ts'
import type { PrismaSchema } from '../prisma-schema.ts'
import { searchMigrationOf } from '../search.ts'

const cure = 'Run prisma migrate dev --create-only, and prismapi live --out=<its migration.sql>.'

/** Whether the migrations log the changes of the models as they are now. Nothing is asked of a schema without a log. */
export function liveWarnings(root: string, { path, resources }: PrismaSchema): readonly string[] {
  const { models, provider } = resources
  if (!models.Change?.isHidden || (provider !== 'sqlite' && provider !== 'postgresql')) return []
  const migrations = migrationsBeside(root, path)
  const last = migrations.findLastIndex((sql) => sql.startsWith(liveMark))
  if (last < 0) return [`Change stays empty: no migration has the triggers that log changes. ${cure}`]
  const mark = liveMarkOf(resources)
  const isRedone = provider === 'sqlite' && migrations.slice(last + 1).some((sql) => /^DROP TABLE "/m.test(sql))
  if (!isRedone && migrations[last]?.startsWith(`${mark}\n`)) return []
  return [`Change is not told of all changes: models have changed since its triggers were made. ${cure}`]
}

/** The SQL of the migrations in a folder beside the Prisma schema, in their order. */
function migrationsBeside(root: string, schema: string): readonly string[] {
  const migrations = join(root, schema.endsWith('.prisma') ? dirname(schema) : schema, 'migrations')
  if (!existsSync(migrations)) return []
  return readdirSync(migrations)
    .sort()
    .map((name) => join(migrations, name, 'migration.sql'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
}

const searchCure = 'Run prisma migrate dev --create-only, and prismapi search --out=<its migration.sql>.'

/** Whether the migrations have the indexes of what is searched now. Nothing is asked where nothing is. */
export async function searchWarnings(root: string, { path, resources }: PrismaSchema): Promise<readonly string[]> {
  try {
    const wanted = await searchMigrationOf(root, resources)
    const migrations = migrationsBeside(root, path)
    const last = migrations.findLastIndex((sql) => sql.startsWith(searchMark))
    if (wanted === null) return []
    if (last < 0) return [`Searches have no index: no migration makes them. ${searchCure}`]
    // SQLite drops the triggers of a table that Prisma makes anew.
    const isRedone =
      resources.provider === 'sqlite' && migrations.slice(last + 1).some((sql) => /^DROP TABLE "/m.test(sql))
    if (!isRedone && lineOf(migrations[last] as string) === lineOf(wanted)) return []
    return [`Searches do not find everything: what is searched has changed since its migration was made. ${searchCure}`]
  } catch {
    // Why servers do not start is told beside this.
    return []
  }
}

const guardCure = 'Run prisma migrate dev --create-only, and prismapi rls --out=<its migration.sql>.'

/** Whether the database refuses what the policies and scopes forbid now. Without such a migration, nothing is asked. */
export async function guardWarnings(
  root: string,
  { path, resources }: Pick<PrismaSchema, 'path' | 'resources'>,
): Promise<readonly string[]> {
  const last = migrationsBeside(root, path).findLast((sql) => sql.startsWith(guardMark))
  if (last === undefined) return []
  try {
    const { sql, untranslated } = await guardMigration(await loadApplication(root, resources))
    const [first] = untranslated
    if (first) return [`The database does not guard all rules: ${first.file}: ${first.reason}. Run prismapi rls.`]
    if (lineOf(sql) === lineOf(last)) return []
  } catch (error) {
    return [`Whether the database guards the rules is not known: ${(error as Error).message}`]
  }
  return [
    `The database guards other rules: policies, scopes or models have changed since its migration was made. ${guardCure}`,
  ]
}

/** Claims of users, such as a role, that users change of themselves; nothing where the user's type cannot be read. */
export async function claimWarnings(
  root: string,
  { resources }: Pick<PrismaSchema, 'resources'>,
  server: string | null,
): Promise<readonly string[]> {
  try {
    const app = await loadApplication(root, resources)
    const claims = await ownClaims(new Prover(app))
    return claims
      .filter((claim) => server === null || claim.server === server)
      .map(
        ({ server, model, field, who }) =>
          `Server ${server}: ${listed(who)} may change ${model}.${field} of their own row, and so what they are allowed. Add cannot('update', '${field}') to ${policyFile(model)} for them, or leave ${field} out of their rules in the request class.`,
      )
  } catch {
    // Why servers do not start is told beside this.
    return []
  }
}

const mostNamed = 3

const listed = (names: readonly string[]): string =>
  names.length > mostNamed
    ? `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`
    : names.join(', ')

const lineOf = (sql: string): string => sql.slice(0, sql.indexOf('\n'))
