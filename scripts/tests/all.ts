// `npm run test:all`: the tests of CI, on PostgreSQL as well: on the server that `TEST_POSTGRES_URL` names, or else on one that is started
// for them where it is installed, or else on one that answers already. The seconds of each
// project, and what is left out, are said at the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { postgresPrograms, startHastyPostgres } from '../../test/support/private-postgres.ts'

let running: ChildProcess | null = null

async function run(...args: readonly string[]): Promise<number> {
  running = spawn(process.execPath, args, { stdio: 'inherit' })
  const [status] = await once(running, 'exit')
  return status ?? 1
}

async function main(): Promise<void> {
  // Whoever ends this process ends the tests, and then the server goes as well.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => running?.kill(signal))
  const isGiven = process.env.TEST_POSTGRES_URL !== undefined
  const server = !isGiven && postgresPrograms !== null ? await startHastyPostgres().catch(() => null) : null
  if (server) process.env.TEST_POSTGRES_URL = server.url
  try {
    process.exitCode = await test()
  } finally {
    await server?.remove()
  }
}

async function test(): Promise<number> {
  const { postgresAnswers, shownUrl } = await import('../../test/support/postgres.ts')
  if (postgresAnswers) {
    const status = await run('--import', 'tsx', 'scripts/test-client.ts', 'postgresql')
    if (status !== 0) return status
  }
  const projects = [
    'unit',
    'api',
    'package',
    'exhaustive',
    'schemas',
    'documentation',
    'clients',
    'prisma',
    'process',
    'browser',
    ...(postgresAnswers ? ['postgres', 'postgres-only'] : []),
  ]
  process.env.TEST_SECONDS = 'by project'
  const chosen = projects.flatMap((name) => ['--project', name])
  const status = await run('node_modules/vitest/vitest.mjs', 'run', ...chosen, ...process.argv.slice(2))
  console.log(
    `Databases: SQLite${postgresAnswers ? ', PostgreSQL' : ''}. MariaDB has npm run test:mariadb, and a job of the night.`,
  )
  if (!postgresAnswers)
    console.log(`Left out: PostgreSQL, because no server answers at ${shownUrl}. Start one, or set TEST_POSTGRES_URL.`)
  return status
}

await main()
