import type { Provider } from '../../model/meta.ts'
import { importLine } from '../source.ts'

interface Opening {
  readonly packages: readonly string[]
  readonly imports: readonly string[]
  /** Makes `clients` of `url`. */
  readonly open: string
  readonly close: string
}

const postgres: Opening = {
  packages: ['@prisma/adapter-pg', 'pg'],
  imports: ["import { postgresClients } from 'prismapi/postgres'"],
  open: 'await postgresClients((adapter) => new PrismaClient({ adapter }), url)',
  close: 'clients.close()',
}

const openings: Readonly<Record<Provider, Opening | null>> = {
  sqlite: {
    packages: ['@prisma/adapter-better-sqlite3', 'better-sqlite3'],
    imports: ["import { sqliteClients } from 'prismapi/sqlite'"],
    open: 'await sqliteClients((adapter) => new PrismaClient({ adapter }), url)',
    close: 'clients.close()',
  },
  postgresql: postgres,
  cockroachdb: postgres,
  mysql: {
    packages: ['@prisma/adapter-mariadb', 'mariadb'],
    imports: ["import { PrismaMariaDb } from '@prisma/adapter-mariadb'"],
    open: 'new PrismaClient({ adapter: new PrismaMariaDb(url) })',
    close: 'clients.$disconnect()',
  },
  sqlserver: null,
}

/** How a database of that kind is opened; null where nobody has tried. */
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
${others.map((line) => `${line}\n`).join('')}import Koa from 'koa'
${importLine(['createApi', 'discover', 'serve'])}
${own.map((line) => `${line}\n`).join('')}import { PrismaClient } from '${client}'
import { resources } from '${resources}'

if (existsSync('.env')) process.loadEnvFile('.env')
const { DATABASE_URL: url, HOST: host = '127.0.0.1', PORT = '3000', NODE_ENV: mode = 'development' } = process.env
if (!url) throw new Error('DATABASE_URL must be set.')
if (!['production', 'development', 'test'].includes(mode))
  throw new Error(\`NODE_ENV must be one of production, development, test, not "\${mode}".\`)

const clients = ${opening.open}

const { address } = await serve(
  async ({ baseUrl }) => {
    const root = path.resolve(import.meta.dirname, '../..')
    const api = createApi({
      resources,
      clients,
      ...(await discover({ root, resources })),
      // Who is asking. Without it, everybody is a guest.
      // authenticate: async (ctx) => findUser(ctx.get('Authorization')),
      baseUrl,
      production: mode === 'production',
      logger: console,
    })
    return new Koa().use(api.middleware()).use(api.notFound()).callback()
  },
  { host, port: Number(PORT), logger: console, close: () => ${opening.close} },
)
console.log(\`prismapi listens on \${address}/api/v1\`)
`
}
