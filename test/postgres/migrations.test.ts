import { cpSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { type Backend, migratesEverything } from '../support/migrates-everything.ts'
import { inPostgres, postgresAnswers, postgresUrl, shownUrl, withDatabase } from '../support/postgres.ts'
import { makeProject, type Project, root } from '../support/prisma-project.ts'

const postgres: Backend = {
  provider: 'postgresql',
  url: ({ id }, database) => withDatabase(postgresUrl, `${id}_${database}`),
  query: (url, sql) => inPostgres(url, async (client) => (await client.query({ text: sql, rowMode: 'array' })).rows),
  script: `-- One; two
    ALTER TABLE "Note" ADD CONSTRAINT "has_text" CHECK ("text" <> '');
    CREATE FUNCTION loud() RETURNS trigger AS $$ BEGIN NEW."text" = 'a; b'; RETURN NEW; END; $$ LANGUAGE plpgsql;
    CREATE TRIGGER "loud" BEFORE INSERT ON "Note" FOR EACH ROW EXECUTE FUNCTION loud();
    CREATE VIEW "loudest" AS SELECT "text" FROM "Note";`,
  litter: 'CREATE TABLE "litter" ("id" INT)',
  remains: async () => (await databases('prisma_migrate_shadow_db_')).filter((name) => !shadowsBefore.includes(name)),
  drop: dropDatabases,
}

if (postgresAnswers) describe(`PostgreSQL, which answers at ${shownUrl}`, withServer)
else describe(`PostgreSQL, which does not answer at ${shownUrl}: only that is tested`, withoutServer)

const shadowsBefore = postgresAnswers ? await databases('prisma_migrate_shadow_db_') : []

function withServer(): void {
  migratesEverything(postgres)

  test('the migrations of this repository add up to its schema', async () => {
    const project = await makeProject('postgresql')
    const url = postgres.url(project, 'added')
    const home = 'prisma/postgresql'
    cpSync(join(root, home), join(project.folder, home), { recursive: true })
    try {
      expect((await project.prisma(url, 'migrate', 'deploy')).code).toBe(0)
      const to = ['--from-config-datasource', '--to-schema', `${home}/schema.prisma`]
      const { code, text } = await project.prisma(url, 'migrate', 'diff', ...to, '--exit-code')
      expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('No difference detected') })
    } finally {
      await dropDatabases(project)
    }
  })

  test('`?schema=` is where the tables go', async () => {
    const project = await makeProject('postgresql')
    const url = postgres.url(project, 'schemas')
    try {
      expect((await project.prisma(`${url}?schema=my%20own`, 'db', 'push')).code).toBe(0)
      const sql = `SELECT table_schema FROM information_schema.tables WHERE table_name = 'Note'`
      expect(await postgres.query(url, sql)).toEqual([['my own']])
    } finally {
      await dropDatabases(project)
    }
  })
}

function withoutServer(): void {
  test('the command line says that nobody answers', async () => {
    const project = await makeProject('postgresql')
    const { code, text } = await project.prisma(postgresUrl, 'migrate', 'status')
    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringMatching(/P100\d/) })
  })
}

async function databases(prefix: string): Promise<string[]> {
  const rows = await postgres.query(postgresUrl, 'SELECT datname FROM pg_database')
  return rows
    .flat()
    .map(String)
    .filter((name) => name.startsWith(prefix))
}

async function dropDatabases({ id }: Project): Promise<void> {
  const names = await databases(`${id}_`)
  await inPostgres(postgresUrl, async (client) => {
    for (const name of names) await client.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`)
  })
}
