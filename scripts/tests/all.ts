// `npm run test:all`: the tests of CI, on PostgreSQL as well where its server answers. What is left out is said at the end.
import { spawnSync } from 'node:child_process'
import { postgresAnswers, shownUrl } from '../../test/support/postgres.ts'

function run(...args: readonly string[]): number {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}

if (postgresAnswers) {
  const status = run('--import', 'tsx', 'scripts/test-client.ts', 'postgresql')
  if (status !== 0) process.exit(status)
}
const projects = [
  'unit',
  'api',
  'package',
  'exhaustive',
  'schemas',
  'documentation',
  'clients',
  'process',
  'browser',
  ...(postgresAnswers ? ['postgres', 'postgres-only'] : []),
]
const chosen = projects.flatMap((name) => ['--project', name])
process.exitCode = run('node_modules/vitest/vitest.mjs', 'run', ...chosen, ...process.argv.slice(2))
console.log(
  `Databases: SQLite${postgresAnswers ? ', PostgreSQL' : ''}. MariaDB has npm run test:mariadb, and a job of the night.`,
)
if (!postgresAnswers)
  console.log(`Left out: PostgreSQL, because no server answers at ${shownUrl}. Start one, or set TEST_POSTGRES_URL.`)
