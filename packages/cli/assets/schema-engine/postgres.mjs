import pg from 'pg'
import { EngineError } from './errors.mjs'
import { PostgresFactory } from './postgres-adapter.mjs'
import { connect, inMaintenance } from './postgres-server.mjs'

/** PostgreSQL for the engine. */
export function openPostgres(url, shadowUrl) {
  const factory = new PostgresFactory(url, shadowUrl)
  return {
    factory,
    check: () => translated(() => ping(url)),
    create: () => translated(() => createDatabase(url)),
    isView,
    methods: () => ({}),
  }
}

async function ping(url) {
  const client = await connect(url)
  await client.end()
}

async function createDatabase(url) {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  await inMaintenance(url, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`))
  return name
}

async function isView(connection, identifier) {
  const { rows } = await connection.queryRaw({
    sql: "SELECT 1 FROM pg_class WHERE oid = to_regclass($1) AND relkind IN ('v', 'm')",
    args: [identifier],
    argTypes: [{ scalarType: 'string', arity: 'scalar' }],
  })
  return rows.length > 0
}

const codes = {
  '28P01': 'P1000',
  28000: 'P1000',
  '3D000': 'P1003',
  '42P04': 'P1009',
  42501: 'P1010',
}

async function translated(work) {
  try {
    return await work()
  } catch (error) {
    // Refused on IPv4 and IPv6 at once, an AggregateError has an empty message.
    const message = error.message || error.errors?.map((each) => each.message).join('; ') || String(error)
    throw new EngineError(codes[error.code] ?? 'P1001', message, { cause: error })
  }
}
