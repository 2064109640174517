import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { searchedModels, searchMigration } from '@prismapi/search/search-migration'
import { postgresClients } from '@prismapi/sql/postgres'
import { type Resources, Schema } from 'prismapi'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { generateIn } from '../support/any-schema/generate.ts'
import { openServer } from '../support/open-server.ts'
import { inPostgres } from '../support/postgres.ts'
import { useOwnDatabase } from '../support/postgres-clone.ts'
import { type Running, startServers } from '../support/servers.ts'

// A table in parts: the first row of each part has the same place (ctid) as that of the others.

const schema = `
generator client {
  provider = "prisma-client"
  output   = "./generated/client"
}

generator resources {
  provider = "node --conditions=prismapi/source --import tsx ${new URL('../../packages/cli/src/generator/bin.ts', import.meta.url).pathname}"
  output   = "./generated"
}

datasource db {
  provider = "postgresql"
}

model Note {
  id    Int    @id
  title String /// @search
  text  String /// @search
}

/// A key of two columns.
model Line {
  page  Int
  place Int
  text  String /// @search

  @@id([page, place])
}
`

class Plain extends Schema {
  override pagination() {
    return null
  }
}

const database = useOwnDatabase()
let running: Running
let close = async () => {}
const folder = await mkdtemp(path.join(tmpdir(), 'prismapi-parts-'))

beforeAll(async () => {
  const { resources, PrismaClient } = await generateIn(path.join(folder, 'prisma'), schema)
  const administration = new URL(database.url)
  administration.pathname = '/postgres'
  await inPostgres(administration.href, (client) => client.query(`CREATE DATABASE "${database.name}"`))
  const clients = await postgresClients((adapter) => new PrismaClient({ adapter }), database.url)
  await inPostgres(database.url, async (client) => {
    await client.query(`
      CREATE TABLE "Note" (id int PRIMARY KEY, title text NOT NULL, text text NOT NULL) PARTITION BY RANGE (id);
      CREATE TABLE "Note_low" PARTITION OF "Note" FOR VALUES FROM (0) TO (100);
      CREATE TABLE "Note_high" PARTITION OF "Note" FOR VALUES FROM (100) TO (200);
      CREATE TABLE "Line" (page int, place int, text text NOT NULL, PRIMARY KEY (page, place)) PARTITION BY RANGE (page);
      CREATE TABLE "Line_low" PARTITION OF "Line" FOR VALUES FROM (0) TO (100);
      CREATE TABLE "Line_high" PARTITION OF "Line" FOR VALUES FROM (100) TO (200);
      INSERT INTO "Note" VALUES (1, 'Airships', 'A zeppelin.'), (101, 'Boats', 'A harbour.'), (102, 'The zeppelin', 'Large.');
      INSERT INTO "Line" VALUES (1, 1, 'A zeppelin.'), (101, 1, 'A harbour.'), (1, 2, 'Nothing.'), (101, 2, 'Two zeppelin.');`)
  })
  running = await startServers(clients as never, {
    resources: resources as Resources,
    policies: new Map(),
    servers: [openServer('parts', { Note: Plain, Line: Plain } as never)],
  })
  const [server] = running.api.servers
  await inPostgres(database.url, (client) =>
    client.query(searchMigration(searchedModels([(server as never as { schemas: never }).schemas]), 'postgresql')),
  )
  // The server noticed at its start that there was none.
  const status = async () => (await running.as(null)('GET', '/api/parts/notes?filter[search]=a')).status
  await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 60_000, interval: 200 })
  close = async () => {
    await running.close()
    await clients.close()
  }
})
afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true })
})

const ids = async (query: string) => {
  const { body } = await running.as(null)('GET', `/api/parts/${query}`)
  return body.data.map(({ id }: { id: string }) => id)
}

test.each([
  ['notes?filter[search]=zeppelin&sort=id', ['1', '102']],
  ['notes?filter[search]=zeppelin&sort=-title', ['102', '1']],
  ['notes?filter[search]=zeppelin&sort=-search', ['102', '1']],
  ['notes?filter[search]=harbour&sort=id', ['101']],
  ['lines?filter[search]=zeppelin&sort=page', ['1_1', '101_2']],
  ['lines?filter[search]=zeppelin&sort=-search,-page', ['101_2', '1_1']],
])('%s finds what is there, and nothing that has its place in another part', async (query, found) => {
  expect(await ids(query)).toEqual(found)
})
