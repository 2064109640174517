import type { Pool } from 'pg'
import { frameworkRole, guardedRole } from '../../session.ts'

const roles = `SELECT rolname, pg_has_role(oid, 'member') FROM pg_roles WHERE rolname IN ('${guardedRole}', '${frameworkRole}')`

/** @throws {Error} for a database without the roles of guarded requests, or a user that may not have them. */
export async function checkGuard(pool: Pool): Promise<void> {
  const { rows } = await pool.query<[string, boolean]>({ text: roles, rowMode: 'array' })
  const found = new Map(rows)
  if (found.get(guardedRole) && found.get(frameworkRole)) return
  await pool.end()
  throw new Error(`postgresClients({ guarded }): ${problemOf(found)}`)
}

function problemOf(found: ReadonlyMap<string, boolean>): string {
  const lacking = [guardedRole, frameworkRole].find((role) => !found.has(role))
  if (lacking) return `the database has no role ${lacking}. Apply the migration that npx prismapi rls prints.`
  return found.get(guardedRole)
    ? `the user of DATABASE_URL may not become ${frameworkRole}. Apply the migration that npx prismapi rls prints now.`
    : `the user of DATABASE_URL may not become ${guardedRole}. Run: GRANT ${guardedRole} TO <user>`
}
