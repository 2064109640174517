import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadApplication } from '@prismapi/cli/policies/application'
import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { Delegates } from '@prismapi/core/database/store'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { isOwn } from '@prismapi/live/triggers/logged-tables'
import { Prover } from '@prismapi/proof/prover'
import Sqlite from 'better-sqlite3'
import Koa from 'koa'
import { createApi, discover, type Resources } from 'prismapi'
import type { Clients } from 'prismapi/types'
import { mediaType, origin } from '../../api.ts'
import { type Snapshot, type Walkable, type WalkTally, type WorldRow, walk } from './walk.ts'

type Caller = object | null

/** An application in a folder, over a SQLite database that has rows. */
export interface Written {
  readonly folder: string
  readonly resources: Resources
  readonly clients: Clients
  /** Who signs in: as `authenticate` gives them, with these members. */
  readonly members: (claims: readonly string[]) => Promise<readonly object[]>
}

/** Its servers, each to be walked. */
export interface Served {
  readonly servers: readonly Walkable<Caller>[]
  close(): Promise<void>
}

/** Walks each server of an application: random writes of guests and members. */
export async function walkServed(
  written: Written,
  { seed, requests, tally }: { readonly seed: number; readonly requests: number; readonly tally: WalkTally },
): Promise<void> {
  const { servers, close } = await serve(written)
  try {
    for (const server of servers) {
      await walk(server, { seed, requests, tally, policies: await server.prover.model() })
      await server.reset()
    }
  } finally {
    await close()
  }
}

export async function serve({ folder, resources, clients, members }: Written): Promise<Served> {
  const app = await loadApplication(folder, resources)
  const failed: unknown[] = []
  const error = (fields: object) => void failed.push((fields as { err?: unknown }).err)
  const callers: readonly Caller[] = [null, ...(await members(Object.keys(app.userType.claims)))]
  const api = createApi({
    ...(await discover({ root: folder, resources })),
    ...{ resources, clients, baseUrl: origin, production: false },
    // What else an application hands in sends mails, or does other things outside.
    services: new Proxy({}, { get: () => async () => {} }) as never,
    logger: { debug() {}, info() {}, warn() {}, error },
    // Of the row that a caller is, a request may make another one: who asks stays who it was.
    authenticate: ((ctx: Koa.Context) => callers[Number(ctx.get('X-Caller'))] ?? null) as never,
  })
  const listener = createServer(new Koa().use(api.middleware()).use(api.notFound()).callback())
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as AddressInfo
  const { writer } = clients as unknown as {
    readonly writer: Delegates & { $queryRawUnsafe(sql: string): Promise<unknown> }
  }
  const kept = keepTables(await fileOf(writer))
  const provers: Prover[] = []

  const walkable = (server: CompiledServer): Walkable<Caller> => {
    const prover = new Prover({ ...app, servers: [server] })
    provers.push(prover)
    return {
      ...{ prover, server, callers },
      async ask({ method, path, body, ext }, caller) {
        const type = ext === undefined ? mediaType : `${mediaType};ext="${ext}"`
        const headers = { Accept: type, 'Content-Type': type, 'X-Caller': String(callers.indexOf(caller)) }
        const sent = body === undefined ? {} : { body: JSON.stringify(body, told) }
        const { status } = await fetch(`http://127.0.0.1:${port}${server.basePath}${path}`, {
          method,
          headers,
          ...sent,
        })
        if (status === 429) throw new Error(`${server.name} limits how often it is asked.`)
        if (status < 500) return status
        throw new Error(`${method} ${path} ${sent.body} answered ${status}`, { cause: failed.splice(0)[0] })
      },
      async rows(): Promise<Snapshot> {
        const found = new Map<string, readonly WorldRow[]>()
        // Triggers write the log of changes, and callers don't.
        for (const { name } of Object.values(resources.models).filter((model) => !isOwn(model)))
          found.set(name, (await delegateOf(writer, name).findMany({})) as readonly WorldRow[])
        return found
      },
      reset: async () => kept.putBack(),
    }
  }

  return {
    servers: app.servers.map(walkable),
    async close() {
      for (const prover of provers) await prover.close()
      kept.close()
      listener.closeAllConnections()
      await new Promise((done) => listener.close(done))
    },
  }
}

const told = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** The file of a database, by its client. */
async function fileOf(client: { $queryRawUnsafe(sql: string): Promise<unknown> }): Promise<string> {
  const [main] = (await client.$queryRawUnsafe('PRAGMA database_list')) as readonly { readonly file: string }[]
  return (main as { readonly file: string }).file
}

/** All rows as they are now, to be put back. */
function keepTables(file: string) {
  const beside = new Sqlite(file)
  beside.pragma('foreign_keys = OFF')
  // An index of texts follows its table by triggers, and has tables of its own.
  const names = beside.prepare(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'`)
  const tables = (names.pluck().all() as readonly string[])
    .filter((name) => !name.startsWith('sqlite_'))
    .map((name) => ({ name, rows: beside.prepare(`SELECT * FROM "${name}"`).raw().all() as readonly unknown[][] }))
  const putBack = beside.transaction(() => {
    for (const { name, rows } of tables) {
      beside.prepare(`DELETE FROM "${name}"`).run()
      for (const row of rows) beside.prepare(`INSERT INTO "${name}" VALUES (${row.map(() => '?')})`).run(row)
    }
  })
  return { putBack: () => putBack.immediate(), close: () => beside.close() }
}
