import type { Pool } from 'pg'
import { guardedRole } from '../../session.ts'

const roles = `SELECT r.rolname, pg_has_role(r.oid, 'member') FROM pg_roles r WHERE r.rolname = '${guardedRole}'`

/** @throws {Error} for a database without the role of guarded requests, or a user that may not have it. */
export async function checkGuard(pool: Pool): Promise<void> {
  const { rows } = await pool.query<unknown[]>({ text: roles, rowMode: 'array' })
  const [role] = rows
  if (role?.[1] === true) return
  await pool.end()
  throw new Error(
    role
      ? `postgresClients({ guarded }): the user of DATABASE_URL may not become ${guardedRole}. Run: GRANT ${guardedRole} TO <user>`
      : `postgresClients({ guarded }): the database has no role ${guardedRole}. Apply the migration that npx prismapi rls prints.`,
  )
}
