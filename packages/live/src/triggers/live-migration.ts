import { createHash } from 'node:crypto'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { loggedTables } from './logged-tables.ts'
import { postgresTriggers } from './postgres-triggers.ts'
import { sqliteTriggers } from './sqlite-triggers.ts'

/** The databases that can log changes. */
const kinds = { sqlite: sqliteTriggers, postgresql: postgresTriggers } as const

/**
 * The migration that logs the changes of all tables. Its first line tells which models it was made for.
 *
 * @throws {Error} for a database that has no such triggers.
 */
export function liveMigration(resources: Resources): string {
  const statements = statementsOf(resources)
  return `${[markOf(statements), ...statements].join('\n\n')}\n`
}

/** How the first line of a migration begins that logs changes. */
export const liveMark = '-- prismapi live '

/** The first line that the migration for these models has. */
export const liveMarkOf = (resources: Resources): string => markOf(statementsOf(resources))

function statementsOf(resources: Resources): readonly string[] {
  const { provider, models } = resources
  if (provider !== 'sqlite' && provider !== 'postgresql')
    throw new Error(`Changes can be logged on SQLite and PostgreSQL, and not on ${provider}.`)
  if (!models.Change?.isHidden)
    throw new Error('The Prisma schema has no hidden model Change. Add it, as docs/live.md shows it.')
  return kinds[provider](loggedTables(resources))
}

const markOf = (statements: readonly string[]): string =>
  liveMark + createHash('sha256').update(statements.join('\n')).digest('base64url').slice(0, 22)
