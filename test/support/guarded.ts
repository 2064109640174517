import path from 'node:path'
import { sourcesOf } from '@prismapi/cli/policies/application'
import { guardMigration } from '@prismapi/proof/guard/guard-migration'
import { readUserType } from '@prismapi/proof/model/user-type'
import { createApi, discover } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'
import type { openTestDatabase } from './database.ts'

type Database = Awaited<ReturnType<typeof openTestDatabase>>
type Parts = Parameters<typeof createApi>[0]

const root = path.resolve(import.meta.dirname, '../..')

/** Whether these tests run as the role that the database guards. */
export const isGuarded = process.env.TEST_GUARDED === '1'

/** The migration that guards an API's tables; null where a rule is code that no database can ask. */
async function guardSql(parts: Parts): Promise<string | null> {
  const { servers } = createApi({ ...parts, logger: silent })
  const userType = readUserType(sourcesOf(root), parts.resources)
  const { sql, untranslated } = await guardMigration({ resources: parts.resources, servers, userType })
  return untranslated.length > 0 ? null : sql
}

/**
 * The clients of an API whose database refuses what its policies and scopes forbid; those that were given where the tests are not
 * guarded, and where the rules are code.
 */
export async function guardedClients(parts: Parts, database: Pick<Database, 'reader' | 'writer'>) {
  const { guardedBy } = database as Partial<Database>
  if (!isGuarded || !guardedBy) return null
  const sql = await guardSql(parts)
  return sql === null ? null : guardedBy(sql)
}

/** The same for the example as it is. */
export async function guardedExample(database: Database) {
  return isGuarded ? guardedClients(await exampleOver(database), database) : null
}

/** The migration that guards the example, with parts of its own. */
export async function exampleGuard(clients: Parts['clients'], own: Partial<Parts> = {}): Promise<string> {
  const sql = await guardSql({ ...(await exampleOver(clients)), ...own })
  if (sql === null) throw new Error('A rule of the example is code that no database can ask.')
  return sql
}

async function exampleOver(clients: Parts['clients']): Promise<Parts> {
  const found = await discover({ root, resources })
  return { ...found, resources, clients, baseUrl: 'http://a.example', logger: silent }
}

const say = () => {}
const silent = { debug: say, info: say, warn: say, error: say }
