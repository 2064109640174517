import { guardMark, guardMigration } from '../../proof/guard/guard-migration.ts'
import { applicationOf } from '../policies/application.ts'
import type { PrismaSchema } from '../prisma-schema.ts'
import { migrationsBeside } from './live.ts'

const cure = 'Run prisma migrate dev --create-only, and prismapi rls --out=<its migration.sql>.'

/** Whether the database refuses what the policies and scopes forbid as they are now. Nothing is asked of an application without such a migration. */
export async function guardWarnings(
  root: string,
  { path, resources }: Pick<PrismaSchema, 'path' | 'resources'>,
): Promise<readonly string[]> {
  const last = migrationsBeside(root, path).findLast((sql) => sql.startsWith(guardMark))
  if (last === undefined) return []
  try {
    const { sql, untranslated } = await guardMigration(await applicationOf(root, resources))
    const [first] = untranslated
    if (first) return [`The database does not guard all rules: ${first.file}: ${first.reason}. Run prismapi rls.`]
    if (lineOf(sql) === lineOf(last)) return []
  } catch (error) {
    return [`Whether the database guards the rules is not known: ${(error as Error).message}`]
  }
  return [
    `The database guards other rules: policies, scopes or models have changed since its migration was made. ${cure}`,
  ]
}

const lineOf = (sql: string): string => sql.slice(0, sql.indexOf('\n'))
