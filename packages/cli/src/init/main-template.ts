import type { Provider } from '@prismapi/jsonapi/model/meta'
import { importLine } from '../source.ts'

interface Opening {
  readonly packages: readonly string[]
  readonly imports: readonly string[]
  /** What else it imports of the framework. */
  readonly more?: readonly string[]
  /** Makes `clients` of `url`. */
  readonly open: string
  readonly close: string
  /** What `DATABASE_URL` looks like. */
  readonly url: string
}

const postgres: Opening = {
  packages: ['@prisma/adapter-pg', 'pg'],
  imports: ["import { postgresClients } from 'prismapi/postgres'"],
  open: 'await postgresClients((adapter) => new PrismaClient({ adapter }), url)',
  close: 'clients.close()',
  url: 'postgresql://user:password@localhost:5432/db',
}

const openings: Readonly<Record<Provider, Opening | null>> = {
  sqlite: {
    packages: ['@prisma/adapter-better-sqlite3', 'better-sqlite3'],
    imports: ["import { sqliteClients } from 'prismapi/sqlite'"],
    open: 'await sqliteClients((adapter) => new PrismaClient({ adapter }), url)',
    close: 'clients.close()',
    url: 'file:./prisma/dev.db',
  },
  postgresql: postgres,
  cockroachdb: postgres,
  mysql: {
    packages: ['@prisma/adapter-mariadb', 'mariadb'],
    imports: ["import { PrismaMariaDb } from '@prisma/adapter-mariadb'"],
    more: ['wholeTransactions'],
    open: 'new PrismaClient({ adapter: wholeTransactions(new PrismaMariaDb(url)) })',
    close: 'clients.$disconnect()',
    url: 'mysql://user:password@localhost:3306/db',
  },
  sqlserver: null,
}

/** How a database of that kind is opened; null where it was never tried. */
export const openingOf = (provider: Provider): Opening | null => openings[provider]

export interface MainParts {
  readonly opening: Opening
  /** Specifiers, as `src/app/main.ts` imports them. */
  readonly client: string
  readonly resources: string
}

/** A server process for a project that has a Prisma schema and nothing of prismapi yet. */
export function mainTemplate({ opening, client, resources }: MainParts): string {
  const own = opening.imports.filter((line) => line.includes("'prismapi/"))
  const others = opening.imports.filter((line) => !own.includes(line))
  return `import { existsSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
${others.map((line) => `${line}\n`).join('')}import Koa from 'koa'
${importLine(['checkTables', 'createApi', 'discover', 'health', 'serve', 'startProcess', ...(opening.more ?? [])])}
${own.map((line) => `${line}\n`).join('')}
if (existsSync('.env')) process.loadEnvFile('.env')
const { DATABASE_URL: url, HOST: host = '127.0.0.1', PORT: port = '3000', NODE_ENV: mode = 'development' } = process.env

/** A message and what it is about, in one line. pino has the same methods. */
const log = (fields: object, message: string) =>
  console.error(message, inspect(fields, { breakLength: Number.POSITIVE_INFINITY, compact: true }))
const logger = { debug: log, info: log, warn: log, error: log }

/** One line with its URL when it listens, one line and exit code 1 when it cannot. */
await startProcess(async () => {
  if (!url) throw new Error('DATABASE_URL must be set, or be in .env: ${opening.url}')
  if (!/^\\d+$/.test(port)) throw new Error(\`PORT must be a number from 0 to 65535, not "\${port}".\`)
  if (!['production', 'development', 'test'].includes(mode))
    throw new Error(\`NODE_ENV must be one of production, development, test, not "\${mode}".\`)

  // They are not there before \`npx prisma generate\`.
  const { PrismaClient } = await import('${client}')
  const { resources } = await import('${resources}')
  const clients = ${opening.open}
  // Not the end: the migration may come later, and /ready is 503 until then.
  const migrations = () => checkTables(clients, resources)
  await migrations().catch((error: Error) => console.error(error.message))

  const { address } = await serve(
    async ({ baseUrl, draining }) => {
      const root = path.resolve(import.meta.dirname, '../..')
      const api = createApi({
        resources,
        clients,
        ...(await discover({ root, resources })),
        // Who is asking. Without it, everybody is a guest.
        // authenticate: async (ctx) => findUser(ctx.get('Authorization')),
        baseUrl,
        production: mode === 'production',
        logger,
      })
      const app = new Koa().use(api.middleware()).use(health({ checks: { migrations }, draining }))
      return app.use(api.notFound()).callback()
    },
    { host, port: Number(port), logger, close: () => ${opening.close} },
  )
  console.log(\`prismapi listens on \${address}/api/v1\`)
})
`
}
