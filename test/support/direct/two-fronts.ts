import { isDeepStrictEqual } from 'node:util'
import { JsonApiError, type Serving, type User } from 'prismapi'
import type { Caller, ListedRows, RowHead } from 'prismapi/types'
import V2 from '../../../src/app/v2/server.ts'
import { openTestDatabase } from '../database.ts'
import { type Database, exampleWith, type Running, startServers, type TextAnswer } from '../servers.ts'
import type { DirectRequest } from './random-requests.ts'

// The example over two databases that are alike: one is asked by HTTP, the other by `api.as`.

/** What a world was told, and what that has done there. */
interface Outcome {
  readonly status: number
  readonly errors?: unknown
  /** Null where there is no document. */
  readonly rows?: unknown
  readonly meta?: unknown
}

interface World {
  readonly database: Database
  readonly running: Running
  /** What hooks were told, in their order. */
  readonly hooks: unknown[]
}

async function openWorld(): Promise<World> {
  const hooks: unknown[] = []
  const note =
    (hook: string) =>
    (row: { readonly id?: unknown }, { action, user }: { action: string; user: User | null }) =>
      void hooks.push({ hook, id: row.id, action, user: user?.id ?? null })
  class Noting extends V2 {
    override serving(phase: Serving): void {
      super.serving(phase)
      for (const model of ['Post', 'Comment', 'Tag', 'Profile', 'User'] as const) {
        for (const hook of ['created', 'updated', 'saved', 'deleted', 'attached', 'detached'] as const)
          phase[hook](model, note(`${hook} ${model}`) as never)
        phase.read(
          model,
          (rows, { user }) =>
            void hooks.push({ hook: `read ${model}`, rows: rows.length, user: (user as User | null)?.id ?? null }),
        )
      }
    }
  }
  const database = await openTestDatabase()
  // A machine that is busy ends no transaction.
  const transactions = { timeout: 60_000, holdMilliseconds: 60_000 }
  const running = await startServers(database, { ...(await exampleWith(Noting)), transactions })
  return { database, running, hooks }
}

/** Two worlds, of which each is asked the same. */
export class TwoFronts {
  readonly byHttp: World
  readonly direct: World
  /** How many requests were answered by each status. */
  readonly statuses = new Map<number, number>()
  private readonly users: ReadonlyMap<number, User>

  private constructor(byHttp: World, direct: World, users: readonly User[]) {
    this.byHttp = byHttp
    this.direct = direct
    this.users = new Map(users.map((user) => [user.id, user]))
  }

  static async open(): Promise<TwoFronts> {
    const [byHttp, direct] = [await openWorld(), await openWorld()]
    const select = { id: true, name: true, email: true, role: true }
    return new TwoFronts(byHttp, direct, await direct.database.reader.user.findMany({ select }))
  }

  async close(): Promise<void> {
    for (const { running, database } of [this.byHttp, this.direct]) {
      await running.close()
      await database.close()
    }
  }

  /** Asks both; null where they have said and done the same. */
  async differenceOf(request: DirectRequest, caller: number | null): Promise<object | null> {
    const answer = await this.send(request, caller)
    const told = fromDocument(answer)
    const called = await this.call(request, caller)
    this.statuses.set(told.status, (this.statuses.get(told.status) ?? 0) + 1)
    const done = await Promise.all([this.byHttp, this.direct].map(takeDone))
    const same = isDeepStrictEqual(told, onlyAsTold(called, told)) && isDeepStrictEqual(done[0], done[1])
    return same ? null : { caller, request, told, called, done }
  }

  private send({ http }: DirectRequest, caller: number | null): Promise<TextAnswer> {
    const { method, path, body } = http
    return this.byHttp.running.as(caller)(method, `/api/v2${path}`, body === undefined ? {} : { body })
  }

  private async call({ call }: DirectRequest, caller: number | null): Promise<Outcome> {
    const user = caller === null ? null : (this.users.get(caller) as User)
    try {
      const result = await call(this.direct.running.api.as(user, { server: 'v2' }) as Caller)
      return { status: 200, ...result }
    } catch (error) {
      if (!(error instanceof JsonApiError)) throw error
      const { status, errors } = error
      return { status, errors: JSON.parse(JSON.stringify(errors)) }
    }
  }
}

/** What has changed since the last request, and which hooks have run. */
async function takeDone({ database, hooks }: World): Promise<object> {
  const ran = hooks.splice(0)
  const changes = await database.writer.change.findMany({ orderBy: [{ transaction: 'asc' }, { id: 'asc' }] })
  await database.writer.change.deleteMany({})
  const trail = changes.map(({ model, key, action, before, after, user }) => ({
    model,
    key,
    action,
    before,
    after,
    user,
  }))
  return { ran, trail }
}

type Members = Readonly<Record<string, unknown>>

/** The rows of a document, and whom they lead to where it says so. */
function fromDocument({ status, body }: TextAnswer): Outcome {
  if (body === undefined) return { status: 200, rows: null }
  if (body.errors) return { status, errors: body.errors }
  const included = new Map<string, Members>(
    (body.included ?? []).map((each: RowHead) => [`${each.type} ${each.id}`, each]),
  )
  const rowOf = (resource: Members, depth: number): Members => ({
    type: resource.type,
    id: resource.id,
    ...(resource.attributes as Members | undefined),
    ...Object.fromEntries(
      Object.entries((resource.relationships ?? {}) as Record<string, Members>).flatMap(([name, { data }]) => {
        if (data === undefined) return []
        const target = (each: RowHead) => {
          const found = depth === 0 ? included.get(`${each.type} ${each.id}`) : undefined
          return found ? rowOf(found, depth + 1) : each
        }
        return [[name, Array.isArray(data) ? data.map(target) : data === null ? null : target(data as RowHead)]]
      }),
    ),
  })
  const { data } = body
  const rows = Array.isArray(data) ? data.map((each) => rowOf(each, 0)) : data && rowOf(data, 0)
  return { status: 200, rows, ...(Array.isArray(data) && { meta: withoutCursors(body.meta ?? {}) }) }
}

const withoutCursors = (meta: object): object => meta

/** Without the identifiers that a call tells of its own accord. */
function onlyAsTold(called: Outcome, told: Outcome): Outcome {
  return 'rows' in called ? { ...called, rows: cut(called.rows, told.rows) } : called
}

function cut(called: unknown, told: unknown): unknown {
  if (Array.isArray(called) && Array.isArray(told)) return called.map((each, i) => cut(each, told[i]))
  if (!isRow(called) || !isRow(told)) return called
  return Object.fromEntries(
    Object.entries(called).flatMap(([name, value]) => {
      if (!(name in told)) return isIdentifierOrNull(value) ? [] : [[name, value]]
      return [[name, cut(value, told[name])]]
    }),
  )
}

const isRow = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && 'type' in value && 'id' in value

const isIdentifierOrNull = (value: unknown): boolean =>
  value === null || (isRow(value) && Object.keys(value).length === 2)

/** A page of rows as an outcome. */
export const ofPage = (rows: ListedRows<RowHead>) => ({ rows: [...rows], meta: rows.meta })
