import { availableParallelism } from 'node:os'
import type { GroupsPlan } from '@prismapi/core/database/reader'
import { everything } from '@prismapi/jsonapi/condition/build'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { sqlStores } from '@prismapi/sql/sql-stores'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { resources } from '../../prisma/generated/resources.ts'
import { inPostgresql, inSqlite } from './cursor-database.ts'

/**
 * `npm run bench:statistics`: figures of a million rows, beside the same statement written by hand on the same connections;
 * with `-- --postgres` on PostgreSQL. Rounds are interleaved, figures are medians of one run. Fails where a plan takes more
 * than 1.2 times as long.
 */
const onPostgres = process.argv.includes('--postgres')
const rows = 1_000_000
const rounds = 15
const worstRatio = 1.2

const { columns } = resources.models.Comment as ModelMeta
const column = (name: string) => columns[name] as NonNullable<(typeof columns)[string]>
const plan: GroupsPlan = {
  kind: 'groups',
  model: 'Comment',
  where: everything,
  keys: [],
  figures: [{ function: 'count', column: null }],
  order: [],
  minimum: 1,
  skip: 0,
  take: 100,
}

const cases: readonly (readonly [name: string, plan: GroupsPlan, byHand: string])[] = [
  [
    'count and largest',
    { ...plan, figures: [...plan.figures, { function: 'max', column: column('createdAt') }] },
    'select count(*), max("createdAt") from "Comment"',
  ],
  [
    'by author',
    { ...plan, keys: [{ kind: 'column', column: column('authorId') }] },
    'select "authorId", count(*) from "Comment" group by "authorId" order by "authorId" limit 100',
  ],
  [
    'by month',
    { ...plan, keys: [{ kind: 'part', column: column('createdAt'), part: 'month' }] },
    `select ${onPostgres ? `to_char("createdAt", 'YYYY-MM')` : `strftime('%Y-%m', "createdAt")`}, count(*) from "Comment" group by 1 order by 1 limit 100`,
  ],
]

async function main(): Promise<void> {
  const { name: database, clients, close } = await (onPostgres ? inPostgresql : inSqlite)(rows)
  try {
    const provider = onPostgres ? 'postgresql' : resources.provider
    const parts = { clients, resources: { ...resources, provider } as const }
    const { reader } = sqlStores({ ...parts, onLateFailure: console.error, onFallback: console.error }).auto
    const byHand = (clients as unknown as { readonly reader: PrismaClient }).reader
    console.log(
      `${database}, ${rows} rows, ${rounds} rounds; Node ${process.version}, ${availableParallelism()} cores\n`,
    )
    const before = process.resourceUsage().maxRSS
    console.log('| figures | plan | by hand | ratio |\n|---|---|---|---|')
    for (const [name, each, text] of cases) {
      const times = await byTurns([() => reader.read(each), () => byHand.$queryRawUnsafe(text)])
      const [ours, theirs] = times.map(median) as [number, number]
      const ratio = ours / theirs
      console.log(`| ${name} | ${ours.toFixed(0)} ms | ${theirs.toFixed(0)} ms | ${ratio.toFixed(2)} |`)
      if (ratio > worstRatio) process.exitCode = 1
    }
    const { maxRSS } = process.resourceUsage()
    console.log(
      `\nMemory at the most: ${mebibytes(maxRSS)}, of them ${mebibytes(maxRSS - before)} since the first figure`,
    )
  } finally {
    await close()
  }
}

async function byTurns(works: readonly (() => unknown)[]): Promise<readonly number[][]> {
  const times: number[][] = works.map(() => [])
  for (let round = -2; round < rounds; round++) {
    for (const [i, work] of works.entries()) {
      const start = performance.now()
      await work()
      if (round >= 0) times[i]?.push(performance.now() - start)
    }
  }
  return times
}

const mebibytes = (kibibytes: number): string => `${(kibibytes / 1024).toFixed(0)} MiB`

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] as number

await main()
