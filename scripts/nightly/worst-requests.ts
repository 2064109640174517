// `npm run nightly -- bench:price`: the worst requests that the limits allow, reads of guests and of a member and writes of the member, of
// so many posts whose rows are as uneven as rows can be; on PostgreSQL with `--postgres`. Fails where one of them takes more than a second
// of CPU, or 64 MiB, or keeps the server from answering others.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Place } from '../reliability/app.ts'
import { inPostgresPlace } from '../reliability/postgres-place.ts'

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
  },
})

async function worstIn({ folder, databaseUrl }: Place): Promise<void> {
  const run = (script: string, ...args: readonly string[]) => {
    const command = ['--conditions=prismapi/source', '--import', 'tsx', script, ...args]
    const env = { ...process.env, DATABASE_URL: databaseUrl, PORT: '0' }
    const { status } = spawnSync(process.execPath, command, { cwd: folder, env, stdio: 'inherit' })
    if (status !== 0) throw new Error(`${script} ended with the exit code ${status}.`)
  }
  run('scripts/prestart.ts')
  run('scripts/seed.ts', '--posts', values.posts)
  const { queries, seed } = values
  run('scripts/bench/price.ts', databaseUrl, '--worst', '--skewed', '--queries', queries, '--seed', seed)
}

async function inOwnFolder(work: (place: Place) => Promise<void>): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'prismapi-worst-'))
  try {
    await work({ folder: path.resolve(import.meta.dirname, '../..'), databaseUrl: `file:${scratch}/worst.db` })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

await (values.postgres ? inPostgresPlace : inOwnFolder)(worstIn).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
