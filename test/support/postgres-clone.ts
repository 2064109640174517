import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { cloneProject } from './clone.ts'
import { inPostgres, postgresUrl, withDatabase } from './postgres.ts'

/** A database that a test makes by itself, under a name that no other has; it is dropped after the tests of the file. */
export function useOwnDatabase(): { readonly name: string; readonly url: string } {
  const name = `prismapi_test_${randomUUID().slice(0, 8)}`
  afterAll(() =>
    inPostgres(postgresUrl, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
    ),
  )
  return { name, url: withDatabase(postgresUrl, name) }
}

/** A clone of this repository, whose Prisma client can be generated for PostgreSQL, for the tests of a file. */
export function useClone(): { readonly folder: string } {
  const clone = { folder: '' }
  beforeAll(() => {
    clone.folder = cloneProject()
  })
  afterAll(() => rmSync(clone.folder, { recursive: true }))
  return clone
}
