import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { Schema } from 'prismapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer } from '../open-server.ts'
import { type Running, startServers } from '../servers.ts'

// Filters on the columns that the example has none of, on a database of their own.

const root = resolve(import.meta.dirname, '../../..')

export interface ColumnsBackend {
  readonly provider: 'sqlite' | 'postgresql'
  open(folder: string): Promise<{ readonly adapter: SqlDriverAdapterFactory; close(): Promise<void> }>
  /** The type of a column with bytes. */
  readonly bytes: 'BLOB' | 'BYTEA'
}

const datamodel = (provider: string): string => `
generator client {
  provider            = "prisma-client"
  output              = "./client"
  runtime             = "nodejs"
  moduleFormat        = "esm"
  importFileExtension = "ts"
}
generator resources {
  provider = "node --conditions=prismapi/source --import tsx ${join(root, 'packages/cli/src/generator/bin.ts')}"
  output   = "."
}
datasource db {
  provider = "${provider}"
}
model Box {
  id    Int    @id
  items Item[]
}
model Item {
  id     Int       @id
  meta   Json?
  name   String?
  cover  Bytes?
  price  Decimal?
  big    BigInt?
  ${provider === 'postgresql' ? 'labels String[]' : ''}
  box    Box?      @relation(fields: [boxId], references: [id])
  boxId  Int?
}
`

class Items extends Schema {
  override fields() {
    return [this.attribute('meta').filterableByPath()]
  }

  override pagination() {
    return null
  }
}

class Boxes extends Schema {
  override pagination() {
    return null
  }
}

/** What the column `meta` of the items holds, by their ids, which begin at 1. */
const metas: readonly unknown[] = [
  { size: { width: 3 }, name: 'Ann', tags: ['red', 'blue'] },
  { size: { width: 10 }, name: 'ann', tags: [] },
  { size: { width: '3' }, name: 'a%b', tags: ['red'] },
  { size: { width: null }, name: 5, 'odd-key': 'é "quoted"' },
  { size: {}, on: true },
  { on: false, name: 'axb' },
  null,
]

/** Each with an item: the first two in the first box, and so on. */
const boxOf = (id: number): number => Math.ceil(id / 2)

const row = (meta: unknown, i: number) => ({
  id: i + 1,
  boxId: boxOf(i + 1),
  ...(meta !== null && { meta: meta as object }),
  name: ['A_c', 'abc', 'a\\c', null][i % 4] as string | null,
  cover: i % 2 === 0 ? new Uint8Array([i, 255]) : null,
  price: i % 3 === 0 ? `${i}.10` : null,
  big: 9_007_199_254_740_993n + BigInt(i),
})

async function generate(folder: string, provider: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'schema.prisma'), datamodel(provider))
  const cli = join(root, 'node_modules/prisma/build/index.js')
  // `generate` never starts the schema engine, yet Prisma wants its binary to exist.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }
  await promisify(execFile)(process.execPath, [cli, 'generate', '--schema', join(folder, 'schema.prisma')], {
    cwd: root,
    env,
  })
}

async function fill(db: Client, { bytes, provider }: ColumnsBackend): Promise<void> {
  const isPostgres = provider === 'postgresql'
  await db.$executeRawUnsafe('CREATE TABLE "Box" ("id" INTEGER PRIMARY KEY)')
  await db.$executeRawUnsafe(
    `CREATE TABLE "Item" ("id" INTEGER PRIMARY KEY, "meta" JSONB, "name" TEXT, "cover" ${bytes}, "price" DECIMAL, "big" BIGINT,
      ${isPostgres ? '"labels" TEXT[],' : ''} "boxId" INTEGER REFERENCES "Box" ("id"))`,
  )
  await db.box.createMany({ data: [1, 2, 3, 4, 5].map((id) => ({ id })) })
  const labels = (i: number) => (isPostgres ? { labels: [['x', 'y'], [], ['y']][i % 3] } : {})
  for (const [i, meta] of metas.entries()) await db.item.create({ data: { ...row(meta, i), ...labels(i) } })
}

interface Client {
  readonly box: { createMany(args: object): Promise<unknown> }
  readonly item: { create(args: object): Promise<unknown> }
  $executeRawUnsafe(sql: string): Promise<unknown>
  $disconnect(): Promise<void>
}

export type Finds = readonly (readonly [search: string, ids: readonly number[]])[]

/** Items by filters that every database knows, and by those that this one knows. */
export function filtersColumns(backend: ColumnsBackend, more: Finds, refused: readonly string[]): void {
  let running: Running
  let close: () => Promise<void>

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prismapi-columns-'))
    await generate(join(folder, 'prisma'), backend.provider)
    const { PrismaClient } = await import(join(folder, 'prisma/client/client.ts'))
    const { resources } = (await import(join(folder, 'prisma/resources.ts'))) as { resources: Resources }
    const opened = await backend.open(folder)
    const client: Client = new PrismaClient({ adapter: opened.adapter })
    await fill(client, backend)
    running = await startServers({ reader: client, writer: client } as never, {
      resources,
      policies: new Map(),
      servers: [openServer('columns', { Item: Items, Box: Boxes } as never)],
    })
    close = async () => {
      await running.close()
      await client.$disconnect()
      await opened.close()
      rmSync(folder, { recursive: true })
    }
  })
  afterAll(() => close())

  const ask = (type: string, search: string) =>
    running.as(null)('GET', `/api/columns/${type}?fields[${type}]=&${search.replaceAll('%', '%25')}`)

  async function idsOf(type: string, search: string): Promise<number[]> {
    const { status, body } = await ask(type, search)
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
    return body.data.map(({ id }: { id: string }) => Number(id))
  }

  test.each([...everywhere, ...more])('%s', async (search, ids) => {
    expect(await idsOf('items', search)).toEqual(ids)
  })

  test.each(acrossBoxes)('boxes: %s', async (search, ids) => {
    expect(await idsOf('boxes', search)).toEqual(ids)
  })

  test.each(refused)('%s is refused by its key', async (search) => {
    const { status, body } = await ask('items', search)
    expect({ status, parameters: body.errors.map(({ source }: { source: object }) => source) }).toEqual({
      status: 400,
      parameters: [{ parameter: search.slice(0, search.indexOf('=')) }],
    })
  })
}

const everywhere: Finds = [
  ['filter[meta.size.width]=3', [1]],
  ['filter[meta.size.width]="3"', [3]],
  ['filter[meta.size.width]=3,10', [1, 2]],
  ['filter[meta.size.width][not]=3', [2, 3, 4]],
  ['filter[meta.size.width][notIn]=3,10', [3, 4]],
  ['filter[meta.size.width][notIn]=3,null', [2, 3]],
  ['filter[meta.size.width][isNull]=true', [4, 5, 6, 7]],
  ['filter[meta.size.width][isNull]=false', [1, 2, 3]],
  ['filter[meta.size.width]=null', [4, 5, 6, 7]],
  ['filter[not][0][meta.size.width]=3', [2, 3, 4]],
  ['filter[meta.on]=true', [5]],
  ['filter[meta.on]=true,false', [5, 6]],
  ['filter[meta.name]=5', [4]],
  ['filter[meta.odd-key]=é "quoted"', [4]],
  ['filter[meta.odd-key][contains]="q', [4]],
  ['filter[meta.tags.0]=red', [1, 3]],
  ['filter[meta.tags.1]=blue', [1]],
  ['filter[meta.name][endsWith]=b', [3, 6]],
  ['filter[not][0][meta.name][endsWith]=b', [1, 2]],
  ['filter[meta][isNull]=true', [7]],
  ['filter[meta][isNull]=false', [1, 2, 3, 4, 5, 6]],
  ['filter[cover]=AP8=', [1]],
  ['filter[cover]=AP8=,Av8=', [1, 3]],
  ['filter[cover][not]=AP8=', [3, 5, 7]],
  ['filter[cover][isNull]=true', [2, 4, 6]],
  ['filter[price]=3.10', [4]],
  ['filter[price][gt]=3.1', [7]],
  ['filter[big]=9007199254740994', [2]],
  ['filter[big][gt]=9007199254740997', [6, 7]],
  ['filter[box]=1,4', [1, 2, 7]],
]

/** The first box has the items 1 and 2, the fourth has the last one alone, and the fifth has none. */
const acrossBoxes: Finds = [
  ['filter[items.meta.size.width]=3', [1]],
  ['filter[items.meta.size.width]=3&filter[items.meta.name]=Ann', [1]],
  ['filter[items.meta.size.width]=10&filter[items.meta.name]=Ann', []],
  ['filter[not][0][items.meta.size.width]=3', [2, 3, 4, 5]],
  ['filter[items.none.meta.name][endsWith]=b', [1, 4, 5]],
  ['filter[items.every.meta.size.width][not]=3', [2, 3, 4, 5]],
  ['filter[items.every.meta.on]=true', [1, 2, 4, 5]],
]
