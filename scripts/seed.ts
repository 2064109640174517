import { parseArgs } from 'node:util'
import { seed } from '../prisma/seed.ts'
import { openDatabase } from '../src/app/database.ts'
import { shownUrl } from '../src/app/database-url.ts'
import { readEnv } from '../src/app/env.ts'
import { numberOption } from './number-option.ts'

/** `npm run seed -- [--posts <number>]`: puts the example's rows into the database, in place of what is there. */
async function main(): Promise<void> {
  const posts = readPosts(process.argv.slice(2))
  const { databaseUrl, production } = readEnv(process.env)
  const { writer, close } = await openDatabase(databaseUrl)
  try {
    const seeded = await seed(writer, { posts, replace: !production, onProgress: drawProgress })
    if (!seeded) throw new Error(`${shownUrl(databaseUrl)} is not empty. In production nothing is replaced.`)
    console.log(`${shownUrl(databaseUrl)} has ${posts} posts, and all that belongs to them.`)
  } finally {
    await close()
  }
}

function readPosts(args: string[]): number {
  const { values } = parseArgs({ args, options: { posts: { type: 'string' } } })
  return numberOption('--posts', values.posts, { otherwise: 60, to: 10_000_000 })
}

const width = 40

function drawProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return
  const filled = Math.floor((done / total) * width)
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
  process.stderr.write(`\r${bar} ${Math.floor((done / total) * 100)} % of ${total} rows${done === total ? '\n' : ''}`)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
