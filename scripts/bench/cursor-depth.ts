import { availableParallelism } from 'node:os'
import type { RequestContext } from '@prismapi/core/actions/context'
import { prismaStore } from '@prismapi/core/database/prisma/prisma-store'
import { pageSource } from '@prismapi/core/read/find'
import { allColumns, totalOrder } from '@prismapi/core/read/plan'
import { everything } from '@prismapi/jsonapi/condition/build'
import type { Row } from '@prismapi/jsonapi/model/where'
import { cursorOf } from '@prismapi/jsonapi/pagination/cursor-profile-pagination'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import { compileRegistry } from '@prismapi/jsonapi/schema/registry'
import { schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { PagePagination } from 'prismapi'
import { CursorPagination, CursorProfilePagination } from 'prismapi/cursor-pagination'
import type { PageParams, PageSource, Paginator } from 'prismapi/pagination'
import { resources } from '../../prisma/generated/resources.ts'
import { postgresAnswers, shownUrl } from '../../test/support/postgres.ts'
import { rowsOver } from '../../test/support/rows-over.ts'
import { type Database, inPostgresql, inSqlite } from './cursor-database.ts'
import { mediansOf } from './rounds.ts'

/**
 * `npm run bench:cursor`: what a page costs near the beginning and near the end of a large table, by cursor and by
 * number. Rounds are interleaved, figures are medians of one run. Fails when a cursor page gets dearer with its depth.
 */
const rows = 100_000
const depths = [100, rows - 100] as const
const size = 20
const rounds = 300
const worstRatio = 1.3

/** Reads a page, and answers with its ids. */
type Read = () => Promise<readonly string[]>

interface Measured {
  readonly strategy: string
  /** Milliseconds at each depth. */
  readonly medians: readonly [near: number, deep: number]
}

async function main(): Promise<void> {
  console.log(
    `${rows} rows, pages of ${size}, ${rounds} rounds; Node ${process.version}, ${availableParallelism()} cores\n`,
  )
  console.log(`| database | pages | at row ${depths[0]} | at row ${depths[1]} | ratio |\n|---|---|---|---|---|`)
  const databases = [inSqlite, ...(postgresAnswers ? [inPostgresql] : [])]
  for (const open of databases) {
    const database = await open(rows)
    try {
      for (const measured of await measure(database)) report(database, measured)
    } finally {
      await database.close()
    }
  }
  if (!postgresAnswers) console.log(`\nPostgreSQL is left out: nobody answers at ${shownUrl}.`)
}

async function measure({ clients }: Database): Promise<readonly Measured[]> {
  const source = sourceOf(clients)
  // Newest first: the row at depth d is comment rows + 1 - d.
  const byCursor = depths.map((depth) => reader(new CursorPagination(), source, { after: String(rows + 1 - depth) }))
  const byProfile: Read[] = []
  for (const depth of depths) {
    const after = cursorOf((await source.find(String(rows + 1 - depth))) as Row, source)
    byProfile.push(reader(new CursorProfilePagination(), source, { after }))
  }
  const byNumber = depths.map((depth) =>
    reader(new PagePagination().withSimplePagination(), source, { number: depth / size + 1 }),
  )
  const strategies = { 'by cursor': byCursor, 'by cursor (profile)': byProfile, 'by number': byNumber }
  for (const readers of Object.values(strategies)) await checkPages(readers)
  const medians = await mediansOf(Object.values(strategies).flat(), rounds)
  return Object.keys(strategies).map((strategy, i) => ({
    strategy,
    medians: medians.slice(2 * i, 2 * i + 2) as [number, number],
  }))
}

function sourceOf(clients: Database['clients']): PageSource {
  const { registry } = compileRegistry({ resources, schemas: new Map(), only: ['Comment'], maxPageSize: size })
  const schema = schemaOf(registry, 'Comment')
  const order = totalOrder(schema, [{ path: ['createdAt'], direction: 'desc' }])
  // A source asks the context for its rows, the hooks of the request, and what cursors are sealed with.
  const server = { name: 'bench', resources, cursorSeal: cursorSeal(null) }
  const store = prismaStore(clients, console.error, { resources })
  const ctx = { rows: rowsOver(store.reader), server, served: { hooks: new Map() } } as unknown as RequestContext
  return pageSource(ctx, { schema, columns: allColumns(schema), visibility: 'listed', where: everything, order })
}

const reader = (paginator: Paginator, source: PageSource, params: PageParams): Read => {
  const page = paginator.parse(params, { perPage: size, maxPageSize: size })
  return async () => (await page.read(source)).rows.map(source.idOf)
}

async function checkPages(readers: readonly Read[]): Promise<void> {
  for (const [index, depth] of depths.entries()) {
    const shown = await readers[index]?.()
    const expected = Array.from({ length: size }, (_, i) => String(rows - depth - i))
    if (String(shown) !== String(expected)) throw new Error(`The page at row ${depth} shows ${shown}.`)
  }
}

function report({ name }: Database, { strategy, medians: [near, deep] }: Measured): void {
  const ratio = deep / near
  console.log(`| ${name} | ${strategy} | ${near.toFixed(2)} ms | ${deep.toFixed(2)} ms | ${ratio.toFixed(2)} |`)
  if (strategy !== 'by number' && ratio > worstRatio) process.exitCode = 1
}

await main()
