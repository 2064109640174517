import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { inMaintenance, withDatabase } from './postgres-server.mjs'

/** The driver adapter, with what the schema engine needs changed on it. */
export class PostgresFactory extends PrismaPg {
  #url
  #shadowUrl

  constructor(url, shadowUrl) {
    super(...adapterArguments(url))
    this.#url = url
    this.#shadowUrl = shadowUrl
  }

  async connect() {
    return toConnection(await super.connect())
  }

  // The adapter's own shadow database would take its name from the URL, and so be the database itself.
  async connectToShadowDb() {
    if (this.#shadowUrl) return connectTo(this.#shadowUrl)
    const url = this.#url
    const name = `prisma_migrate_shadow_db_${randomUUID()}`
    await inMaintenance(url, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`))
    const connection = await connectTo(withDatabase(url, name))
    const dispose = connection.dispose.bind(connection)
    return Object.assign(connection, {
      async dispose() {
        await dispose()
        await inMaintenance(url, (client) => client.query(`DROP DATABASE ${pg.escapeIdentifier(name)}`))
      },
    })
  }
}

const connectTo = async (url) => toConnection(await new PrismaPg(...adapterArguments(url)).connect())

// One connection, because the engine's advisory lock belongs to a session. The adapter leaves `?schema=` to the caller:
// without a search path everything would land in "public".
function adapterArguments(url) {
  const schema = new URL(url).searchParams.get('schema')
  if (schema === null) return [{ connectionString: url, max: 1 }]
  const path = pg.escapeIdentifier(schema).replace(/[\\ ]/g, '\\$&')
  return [{ connectionString: url, max: 1, options: `-c search_path=${path}` }, { schema }]
}

async function toConnection(adapter) {
  const connection = patch(adapter)
  const { schemaName } = connection.getConnectionInfo()
  if (schemaName !== undefined) await ensureSchema(connection, schemaName)
  return connection
}

// Asked first: `IF NOT EXISTS` alone wants the right to create schemas even where there is nothing to create.
async function ensureSchema(connection, name) {
  const found = await connection.queryRaw({
    sql: 'SELECT 1 FROM pg_namespace WHERE nspname = $1',
    args: [name],
    argTypes: [{ scalarType: 'string', arity: 'scalar' }],
  })
  if (found.rows.length === 0)
    await connection.executeScript(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(name)}`)
}

function patch(connection) {
  const performIO = connection.performIO.bind(connection)
  const queryRaw = connection.queryRaw.bind(connection)
  const characters = new WeakMap()
  return Object.assign(connection, {
    async performIO(query) {
      const result = await performIO(query)
      characters.set(query, disguiseCharacters(result.fields ?? []))
      return result
    },
    async queryRaw(query) {
      const result = await queryRaw(query)
      for (const index of characters.get(query)) result.columnTypes[index] = ColumnTypeEnum.Character
      return result
    },
    // The adapter's own cuts a script at every semicolon, those in strings and in function bodies too.
    async executeScript(script) {
      await performIO({ sql: script, args: [], argTypes: [] })
    },
  })
}

const oids = { char: 18, charArray: 1002, text: 25, textArray: 1009 }

// PostgreSQL's catalogue has columns of its internal types "char" and "char"[], which the adapter refuses: they pass it as
// text. Gives the indexes of the single ones, which the engine wants back as characters: it panics on a CHECK constraint
// whose type is a text.
function disguiseCharacters(fields) {
  const indexes = []
  for (const [index, field] of fields.entries()) {
    if (field.dataTypeID === oids.char) indexes.push(index)
    if (field.dataTypeID === oids.char) field.dataTypeID = oids.text
    if (field.dataTypeID === oids.charArray) field.dataTypeID = oids.textArray
  }
  return indexes
}
