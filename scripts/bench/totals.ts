import { availableParallelism } from 'node:os'
import { prismaReader } from '@prismapi/core/database/prisma/prisma-reader'
import type { CountPlan, Reader } from '@prismapi/core/database/reader'
import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import type { Delegates } from '@prismapi/core/database/store'
import { readCondition } from '@prismapi/jsonapi/condition/parse'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Where } from '@prismapi/jsonapi/model/where'
import { sqlReader } from '@prismapi/sql/sql-reader'
import { resources } from '../../prisma/generated/resources.ts'
import { postgresAnswers, shownUrl } from '../../test/support/postgres.ts'
import { type Database, inPostgresql, inSqlite } from './cursor-database.ts'
import { mediansOf } from './rounds.ts'

/**
 * `npm run bench:totals`: what the total of a long list costs, counted to its end and up to 10,000. Rounds are interleaved,
 * figures are medians of one run. Fails where a total that is counted up to an end is dearer than one that is not.
 */
const rows = 1_000_000
const rounds = 30
/** One more tells that there are more. */
const most = 10_001

const lists: readonly (readonly [name: string, where: Where, count: number])[] = [
  ['all rows', {}, rows],
  ['half of them, by an index', { createdAt: { gte: new Date((1_700_000_000 + rows / 10) * 1000) } }, rows / 2 + 1],
  ['a tenth of them, without an index', { authorId: 3 }, rows / 10],
  ['a row, without an index', { content: 'Comment 9' }, 1],
]

async function main(): Promise<void> {
  console.log(`${rows} rows, ${rounds} rounds; Node ${process.version}, ${availableParallelism()} cores\n`)
  console.log('| database | a list of | total | bounded total | ratio |\n|---|---|---|---|---|')
  const databases = [inSqlite, ...(postgresAnswers ? [inPostgresql] : [])]
  for (const open of databases) {
    const database = await open(rows)
    try {
      await measure(database)
    } finally {
      await database.close()
    }
  }
  if (!postgresAnswers) console.log(`\nPostgreSQL is left out: nobody answers at ${shownUrl}.`)
}

async function measure({ name: databaseName, clients }: Database): Promise<void> {
  const reader = readerOf(clients)
  for (const [name, where, count] of lists) {
    const whole = planOf(where)
    const bounded = { ...whole, most }
    await check(reader, whole, count)
    await check(reader, bounded, Math.min(count, most))
    const [exact = 0, upTo = 0] = await mediansOf(
      [whole, bounded].map((plan) => () => reader.read(plan)),
      rounds,
    )
    const ratio = upTo / exact
    console.log(`| ${databaseName} | ${name} | ${exact.toFixed(2)} ms | ${upTo.toFixed(2)} ms | ${ratio.toFixed(3)} |`)
    if (ratio > 1.5) process.exitCode = 1
  }
}

/** A total is kept until somebody commits: here nothing is. */
function readerOf(clients: Database['clients']): Reader {
  const { reader, sql } = clients as unknown as { readonly reader: Delegates; readonly sql: SqlDatabase }
  const { version: _, ...database } = sql
  const prisma = prismaReader(reader, resources.models)
  return sqlReader({ database, resources, prisma, onUnknown: (model, part) => console.log(`${model}: ${part}`) })
}

const planOf = (where: Where): CountPlan => ({
  kind: 'count',
  model: 'Comment',
  where: readCondition(where, resources.models.Comment as ModelMeta, resources.models),
})

async function check(reader: Reader, plan: CountPlan, expected: number): Promise<void> {
  const count = await reader.read(plan)
  if (count !== expected) throw new Error(`${count} rows are counted, and there are ${expected}.`)
}

await main()
