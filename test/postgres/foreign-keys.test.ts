import pg from 'pg'
import { expect, test } from 'vitest'
import { postgresForeignKeys } from '../../src/database/sql/databases/postgres-catalog.ts'
import { postgresDatabase } from '../../src/database/sql/databases/postgres-database.ts'
import { foreignKeyText } from '../../src/database/sql/foreign-key.ts'
import { inPostgres, postgresAnswers, postgresUrl, shownUrl, withDatabase } from '../support/postgres.ts'

// The foreign keys that a database really holds rows to.

const name = `prismapi_foreign_keys_${process.pid}`

const tables = `
  create schema other;
  create table "User" (id int primary key);
  create table other."Place" (city text, street text, primary key (city, street));
  create table "Post" (
    "authorId" int references "User", "editorId" int,
    street text, city text,
    constraint place foreign key (street, city) references other."Place" (street, city)
  );
  create table "Quiet" ("userId" int references "User");
  alter table "Quiet" disable trigger all;
  create table "Plain" ("userId" int);
`

const key = (from: [string, string], to: [string, string], pairs: [string, string][]) =>
  foreignKeyText({ from: { dbSchema: from[0], table: from[1] }, to: { dbSchema: to[0], table: to[1] }, pairs })

if (!postgresAnswers)
  test(`nobody has named a PostgreSQL to ask, and none answers at ${shownUrl}`, () => {
    expect(process.env.TEST_POSTGRES_URL ?? '').toBe('')
  })
else
  test('are told, with their columns in any order; not those that nobody enforces', async () => {
    await inPostgres(postgresUrl, (client) => client.query(`CREATE DATABASE ${name}`))
    const url = withDatabase(postgresUrl, name)
    const pool = new pg.Pool({ connectionString: url })
    try {
      await inPostgres(url, (client) => client.query(tables))
      const { prepare } = postgresDatabase({ pool, schema: 'public', onQuery: undefined })
      expect(await postgresForeignKeys(prepare)()).toEqual(
        new Set([
          key(['public', 'Post'], ['public', 'User'], [['authorId', 'id']]),
          key(
            ['public', 'Post'],
            ['other', 'Place'],
            [
              ['city', 'city'],
              ['street', 'street'],
            ],
          ),
        ]),
      )
    } finally {
      await pool.end()
      await inPostgres(postgresUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
    }
  })
