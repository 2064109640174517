import type { Prisma, PrismaClient } from './generated/client/client.ts'
import { resources } from './generated/resources.ts'
import {
  commentRow,
  planSizes,
  postRow,
  postTags,
  profileRow,
  type Sizes,
  tagRow,
  userRow,
  videoId,
  videoRow,
  videoTags,
} from './seed-rows.ts'

export interface SeedOptions {
  /** How many posts; 60 by default. From there on everything else grows with them. */
  readonly posts?: number
  /** Whether what is there gives way. Without it, a database that is not empty stays as it is. */
  readonly replace?: boolean
  /** Is told after every chunk how many of how many rows are in. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Whether the database has no rows of the example. */
export async function isEmpty(prisma: Prisma.TransactionClient): Promise<boolean> {
  const select = { id: true }
  const user = await prisma.user.findFirst({ select })
  const tag = await prisma.tag.findFirst({ select })
  const video = await prisma.video.findFirst({ select })
  return user === null && tag === null && video === null
}

/**
 * Fills the database of the example with the same rows every time, all of them or none.
 * @returns false when there were rows already, which stay
 */
export async function seed(prisma: PrismaClient, options: SeedOptions = {}): Promise<boolean> {
  const { posts, replace = false, onProgress } = options
  const { provider } = resources
  const work = async (tx: Prisma.TransactionClient) => {
    if (!replace && !(await isEmpty(tx))) return false
    if (replace) await clear(tx)
    if (provider === 'sqlite') await forgetIds(tx)
    await insertAll(tx, planSteps(planSizes(posts)), onProgress)
    if (provider === 'postgresql') await advanceIds(tx)
    return true
  }
  return prisma.$transaction(work, { timeout: 3_600_000 })
}

type Row = Readonly<Record<string, unknown>>

/** A table, and the rows that come of each of the numbers from 1 to `count`. */
interface Step {
  readonly table: string
  readonly count: number
  rows(number: number): readonly Row[]
}

function planSteps(sizes: Sizes): Step[] {
  const { users, posts, tags, videos, comments } = sizes
  return [
    { table: 'User', count: users, rows: (id) => [userRow(id)] },
    { table: 'Profile', count: users, rows: (id) => [profileRow(id)] },
    { table: 'Tag', count: tags, rows: (id) => [tagRow(id)] },
    { table: 'Post', count: posts, rows: (id) => [postRow(id, sizes)] },
    { table: 'Video', count: videos, rows: (number) => [videoRow(number, sizes)] },
    { table: 'Comment', count: comments, rows: (id) => [commentRow(id, sizes)] },
    { table: '_PostToTag', count: posts, rows: (id) => postTags(id, sizes).map((tag) => ({ A: id, B: tag })) },
    {
      table: '_TagToVideo',
      count: videos,
      rows: (number) => videoTags(number, sizes).map((tag) => ({ A: tag, B: videoId(number) })),
    },
  ]
}

const chunkSize = 500

async function insertAll(
  tx: Prisma.TransactionClient,
  steps: readonly Step[],
  onProgress: SeedOptions['onProgress'],
): Promise<void> {
  const total = steps.reduce((sum, { count }) => sum + count, 0)
  let done = 0
  for (const { table, count, rows } of steps) {
    for (let start = 0; start < count; start += chunkSize) {
      const length = Math.min(chunkSize, count - start)
      await insert(tx, table, Array.from({ length }, (_, index) => rows(start + index + 1)).flat())
      done += length
      onProgress?.(done, total)
    }
  }
}

// SQL of its own: `createMany` takes 140 µs a row, and does not reach the join table of an implicit many-to-many. No
// value comes from outside.
async function insert(tx: Prisma.TransactionClient, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const tuples = rows.map((row) => `(${columns.map((column) => toLiteral(row[column])).join(', ')})`)
  const names = columns.map((column) => `"${column}"`)
  await tx.$executeRawUnsafe(`INSERT INTO "${table}" (${names.join(', ')}) VALUES ${tuples.join(', ')}`)
}

// As the adapter of SQLite writes it: there, an order of dates is an order of texts. MySQL's dates have none.
const offset = resources.provider === 'mysql' ? '' : '+00:00'

function toLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (value instanceof Date) return `'${value.toISOString().replace('Z', offset)}'`
  return String(value)
}

async function clear(tx: Prisma.TransactionClient): Promise<void> {
  await tx.comment.deleteMany()
  await tx.video.deleteMany()
  await tx.post.deleteMany()
  await tx.tag.deleteMany()
  await tx.user.deleteMany()
}

const numbered = ['User', 'Profile', 'Tag', 'Post', 'Comment']

// SQLite goes on from the highest id that there ever was.
async function forgetIds(tx: Prisma.TransactionClient): Promise<void> {
  const names = numbered.map(toLiteral).join(', ')
  await tx.$executeRawUnsafe(`DELETE FROM "sqlite_sequence" WHERE "name" IN (${names})`)
}

// PostgreSQL does not count the ids that it is given: the next row would get the first one.
async function advanceIds(tx: Prisma.TransactionClient): Promise<void> {
  for (const table of numbered) {
    const last = `(SELECT max("id") FROM "${table}")`
    await tx.$executeRawUnsafe(`SELECT setval(pg_get_serial_sequence('"${table}"', 'id'), ${last})`)
  }
}
