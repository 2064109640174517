import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { fencesThatAre } from '../support/documentation/checks.ts'
import { placeOf } from '../support/documentation/fences.ts'
import { inPostgres, postgresUrl } from '../support/postgres.ts'

const fences = fencesThatAre('executed')

/** The role that a migration of `prismapi rls` makes. */
const guardedRole = `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'prismapi_guarded') THEN CREATE ROLE prismapi_guarded; END IF;
END $$`

test.each(fences.map((fence) => [placeOf(fence), fence.code]))(
  'PostgreSQL carries out the SQL of %s',
  async (_, sql) => {
    const name = `prismapi_documentation_${randomUUID().slice(0, 8)}`
    await inPostgres(postgresUrl, async (client) => {
      await client.query(`CREATE DATABASE ${name}`)
      try {
        // Roles are the whole server's: nothing of them stays.
        await client.query('BEGIN')
        await client.query(guardedRole)
        for (const statement of sql.trim().split(';\n')) {
          const { command } = await client.query(statement.replaceAll(/\bblog\b/g, name))
          expect(command).toMatch(/^(ALTER|CREATE)$/)
        }
      } finally {
        await client.query('ROLLBACK')
        await client.query(`DROP DATABASE ${name}`)
      }
    })
  },
)
