import { foreignKeyText } from '@prismapi/sql/catalog'
import { postgresForeignKeys } from '@prismapi/sql/databases/postgres-catalog'
import { postgresDatabase } from '@prismapi/sql/databases/postgres-database'
import pg from 'pg'
import { expect, test } from 'vitest'
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
  create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create domain word as text;
  create type mood as enum ('glad');
  create table "Key" (
    fixed char(3) unique, loose text collate any_case unique, own word unique, at timestamp(3) unique,
    "text" text unique, short varchar(9) unique, long bigint unique, id uuid unique, mood mood unique
  );
  create table "Holder" (
    fixed char(3) references "Key" (fixed), loose text collate any_case references "Key" (loose),
    own word references "Key" (own), at timestamp(3) references "Key" (at),
    "text" text references "Key" ("text"), short varchar(9) references "Key" (short),
    long bigint references "Key" (long), id uuid references "Key" (id), mood mood references "Key" (mood)
  );
  create table "Hiding" (id int primary key);
  alter table "Hiding" enable row level security;
  create table "Hidden" (id int references "Hiding");
  create function point() returns trigger language plpgsql as 'begin new."userId" = 1; return new; end';
  create table "Pointed" ("userId" int references "User");
  create trigger pointing before insert on "Pointed" for each row execute function point();
`

const key = (from: [string, string], to: [string, string], pairs: [string, string][]) =>
  foreignKeyText({ from: { dbSchema: from[0], table: from[1] }, to: { dbSchema: to[0], table: to[1] }, pairs })

if (!postgresAnswers)
  test(`nobody has named a PostgreSQL to ask, and none answers at ${shownUrl}`, () => {
    expect(process.env.TEST_POSTGRES_URL ?? '').toBe('')
  })
else
  test('are told, with their columns in any order; not those that nobody enforces, that take two values for one, or another value', async () => {
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
          ...['text', 'short', 'long', 'id', 'mood'].map((column) =>
            key(['public', 'Holder'], ['public', 'Key'], [[column, column]]),
          ),
        ]),
      )
    } finally {
      await pool.end()
      await inPostgres(postgresUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
    }
  })

test('are not known where the catalogue is not to be read, and are asked for no more at once', async () => {
  let asked = 0
  const all = async () => {
    asked++
    throw new Error('permission denied for table pg_constraint')
  }
  const foreignKeys = postgresForeignKeys(() => ({ all }))
  expect(await foreignKeys()).toBe(null)
  expect(await foreignKeys()).toBe(null)
  expect(asked).toBe(1)
})
