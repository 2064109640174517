// `npm run test:all`: all tests, on every database whose server answers. What is left out is said at the end.
import { spawnSync } from 'node:child_process'
import { createConnection } from 'mariadb'
import { postgresAnswers, shownUrl } from '../../test/support/postgres.ts'

interface DatabaseServer {
  readonly name: string
  readonly url: string
  readonly variable: string
  readonly answers: boolean
  /** What Prisma calls it, and the projects of vitest.config.ts that need it. */
  readonly provider: string
  readonly projects: readonly string[]
}

const mariadbUrl = new URL(process.env.TEST_MARIADB_URL || 'mariadb://root@127.0.0.1:3306')

const servers: readonly DatabaseServer[] = [
  {
    name: 'PostgreSQL',
    url: shownUrl,
    variable: 'TEST_POSTGRES_URL',
    answers: postgresAnswers,
    provider: 'postgresql',
    projects: ['postgres', 'postgres-only'],
  },
  {
    name: 'MariaDB',
    url: mariadbUrl.host,
    variable: 'TEST_MARIADB_URL',
    answers: await mariadbAnswers(),
    provider: 'mysql',
    projects: ['mariadb'],
  },
]

async function mariadbAnswers(): Promise<boolean> {
  const { hostname: host, port, username, password } = mariadbUrl
  const options = { host, port: Number(port || 3306), user: decodeURIComponent(username), connectTimeout: 5000 }
  try {
    const connection = await createConnection({ ...options, password: decodeURIComponent(password) })
    await connection.end()
    return true
  } catch {
    return false
  }
}

function run(...args: readonly string[]): number {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}

const present = servers.filter(({ answers }) => answers)
for (const { provider } of present) {
  const status = run('--import', 'tsx', 'scripts/test-client.ts', provider)
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
  ...present.flatMap((server) => server.projects),
]
const chosen = projects.flatMap((name) => ['--project', name])
process.exitCode = run('node_modules/vitest/vitest.mjs', 'run', ...chosen, ...process.argv.slice(2))
console.log(`Databases: ${['SQLite', ...present.map(({ name }) => name)].join(', ')}`)
for (const { name, url, variable, answers } of servers)
  if (!answers) console.log(`Left out: ${name}, because no server answers at ${url}. Start one, or set ${variable}.`)
