import { guardMigration } from '@prismapi/proof/guard/guard-migration'
import { readUserType } from '@prismapi/proof/model/user-type'
import type { PrismApi } from 'prismapi'
import { inPostgres } from '../../../test/support/postgres.ts'
import { resources } from './database.ts'

/** Has a database refuse what the policies and scopes of these servers forbid. */
export async function guard(database: string, { servers }: PrismApi): Promise<void> {
  const userType = readUserType(new Map(), resources)
  const { sql, untranslated } = await guardMigration({ resources, servers, userType })
  if (untranslated.length > 0) throw new Error(`No database can ask ${JSON.stringify(untranslated)}.`)
  await inPostgres(database, (client) => client.query(sql))
}
