import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkPolicies } from '../../auth/check-policies.ts'
import type { Reader } from '../../database/reader.ts'
import { sqlReader } from '../../database/sql/sql-reader.ts'
import type { ModelMeta, Resources } from '../../model/meta.ts'
import { cursorSeal } from '../../pagination/cursor-seal.ts'
import { postgresConnection, sqliteConnection } from '../../proof/confirm/connections.ts'
import { openScratch, type Scratch, type ScratchConnection } from '../../proof/confirm/scratch.ts'
import { readUserType, type Sources } from '../../proof/model/user-type.ts'
import type { Proved } from '../../proof/prover.ts'
import { compileServer } from '../../server/compile.ts'
import { discover } from '../../server/discover.ts'
import { UsageError } from '../command.ts'
import { loadFramework, messageOf, readTypeScript } from '../load-file.ts'
import { readDatabaseUrl, readResources } from '../prisma-schema.ts'

/** An application as its policies are looked at: its Prisma schema, servers, policies and the user that it declares. */
export async function readApplication(root: string): Promise<Proved> {
  await loadFramework(join(root, 'package.json'))
  return applicationOf(root, withoutDbSchemas(await readResources(root)))
}

/** The same of a Prisma schema that is known. */
export async function applicationOf(root: string, resources: Resources): Promise<Proved> {
  await readTypeScript(root)
  try {
    const { servers: parts, policies: classes } = await discover({ root, resources })
    const policies = new Map([...classes].map(([model, Class]) => [model, new Class()]))
    const environment = { resources, policies, baseUrl: '', production: true, logger, cursorSeal: cursorSeal(null) }
    const servers = parts.map((each) => compileServer(each, environment))
    checkPolicies(policies, ...servers.map(({ schemas }) => schemas))
    return {
      ...{ resources, servers },
      userType: readUserType(sourcesOf(root), resources),
      openScratch: () => openScratchFor(resources),
    }
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error })
  }
}

const silent = () => {}
const logger = { debug: silent, info: silent, warn: silent, error: silent }

// A scratch database has one schema, whatever the tables lie in.
function withoutDbSchemas({ models, ...rest }: Resources): Resources {
  const plain = (model: ModelMeta): ModelMeta => ({ ...model, dbSchema: null })
  return { ...rest, models: Object.fromEntries(Object.entries(models).map(([name, model]) => [name, plain(model)])) }
}

/** The application's own code: where it declares its user. */
export function sourcesOf(root: string): Sources {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return new Map(
    files
      .filter((name) => /(?<!\.d)\.[cm]?ts$/.test(name) && !/(^|[\\/])(generated|node_modules)[\\/]/.test(name))
      .sort()
      .map((name) => [join('src', name), readFileSync(join(root, 'src', name), 'utf8')]),
  )
}

async function openScratchFor(resources: Resources): Promise<Scratch> {
  return openScratch(await connectionFor(resources), resources)
}

async function connectionFor({ provider }: Resources): Promise<ScratchConnection> {
  if (provider === 'sqlite') return sqliteConnection()
  if (provider !== 'postgresql')
    throw new UsageError(
      `A counterexample was found, and cannot be confirmed on ${provider}: SQLite and PostgreSQL alone.`,
    )
  const url = process.env.DATABASE_URL
  if (!url)
    throw new UsageError(
      'A counterexample was found. Set DATABASE_URL, so that PostgreSQL can confirm it: nothing is committed there.',
    )
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const connection = await postgresConnection(pool)
  return {
    ...connection,
    async close() {
      await connection.close()
      await pool.end()
    },
  }
}

/** The application's own database, read only by counting and selecting. */
export async function openReader(root: string, resources: Resources) {
  const url = await readDatabaseUrl(root)
  if (url === null) throw new UsageError('Set DATABASE_URL: it is asked of the database as it is.')
  const { database, close } = await openDatabase(root, url, resources)
  const prisma: Reader = {
    read(): never {
      throw new UsageError('A part of the condition is known to Prisma alone.')
    },
  }
  return { reader: sqlReader({ database, resources, prisma, onUnknown() {} }), close }
}

async function openDatabase(root: string, url: string, { provider }: Resources) {
  if (provider === 'sqlite') {
    const file = resolve(root, url.replace(/^file:/, ''))
    if (!existsSync(file))
      throw new UsageError(`${url}: this database does not exist. Run "npx prisma migrate deploy".`)
    const { sqliteDatabase } = await import('../../database/sql/databases/sqlite-database.ts')
    const database = opened(url, () => sqliteDatabase(file, {}))
    return { database, close: async () => database.close() }
  }
  if (provider !== 'postgresql')
    throw new UsageError(`who is known for SQLite and PostgreSQL, and not for ${provider}.`)
  const { default: pg } = await import('pg')
  const { postgresDatabase } = await import('../../database/sql/databases/postgres-database.ts')
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  const schema = new URL(url).searchParams.get('schema') ?? 'public'
  return { database: postgresDatabase({ pool, schema, onQuery: undefined }), close: () => pool.end() }
}

function opened<T>(url: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw new UsageError(`${url} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}
