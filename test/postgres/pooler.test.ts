import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPooler } from '../../scripts/scaling/pooler.ts'
import { hasProgram } from '../../scripts/scaling/programs.ts'
import { freePort } from '../support/npm-start.ts'
import { inPostgres, withDatabase } from '../support/postgres.ts'
import { openThings, type Things } from '../support/postgres-things/things.ts'
import { type PrivatePostgres, postgresPrograms, startPrivatePostgres } from '../support/private-postgres.ts'

// PgBouncer, with two connections for everybody, each of them for one transaction at a time.

const isInstalled = postgresPrograms !== null && hasProgram('pgbouncer')
if (!isInstalled) console.warn('Poolers are not tested: pgbouncer is not installed.')

describe.skipIf(!isInstalled)('behind PgBouncer', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-pooler-'))
  let server: PrivatePostgres
  let pooler: Awaited<ReturnType<typeof startPooler>>
  let things: Things
  let url: string
  beforeAll(async () => {
    server = await startPrivatePostgres()
    things = await openThings(server.url)
    things.fill(() => ({}))
    const port = await freePort()
    pooler = await startPooler({ folder, port, url: server.url, connections: 2 })
    url = withDatabase(`postgresql://postgres@127.0.0.1:${port}`, nameOf(things.url))
    await inZone('UTC')
  })
  afterAll(async () => {
    await things.close()
    await pooler.stop()
    await server.remove()
    rmSync(folder, { recursive: true })
  })

  const nameOf = (at: string) => new URL(at).pathname.slice(1)
  const inZone = (zone: string) => things.execute(`ALTER DATABASE "${nameOf(things.url)}" SET TimeZone TO '${zone}'`)

  test('statements with names are not known where they are run, and settings of sessions are refused', async () => {
    const clients = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = new pg.Client(url)
        await client.connect()
        return client
      }),
    )
    const run = () => Promise.allSettled(clients.map((client) => client.query({ name: 'one', text: 'SELECT 1' })))
    const said = [...(await run()), ...(await run())].flatMap((each) =>
      each.status === 'rejected' ? [each.reason] : [],
    )
    expect(String(said[0])).toMatch(/prepared statement "one" (already exists|does not exist)/)
    await Promise.all(clients.map((client) => client.end()))
    const withOptions = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' })
    await expect(withOptions.connect()).rejects.toThrow('unsupported startup parameter: options')
  })

  test.each([
    ['`pooler: true`', '', { pooler: true }],
    ['`?pgbouncer=true`', '?pgbouncer=true', {}],
  ])('everything works by %s', async (_, query, options) => {
    const served = await things.serve(url + query, options)
    const created = await Promise.all(Array.from({ length: 30 }, () => served.create()))
    expect(created.map(({ status }) => status)).toEqual(Array(30).fill(201))
    const all = Array.from({ length: 90 }, (_, n) =>
      n % 3
        ? served.ask('GET', n % 2 ? '/things?include=box' : '/things/1')
        : served.create({}, n % 2 ? {} : { relationships: { box: { data: null } } }),
    )
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 201 && status !== 503)).toEqual([])
    expect(statuses.filter((status) => status === 503).length).toBeLessThan(10)
  })

  test('a database that is not in UTC is refused, with the cure', async () => {
    await inZone('Europe/Berlin')
    await pooler.stop()
    const port = Number(new URL(url).port)
    pooler = await startPooler({ folder, port, url: server.url, connections: 2 })
    const name = nameOf(url)
    await expect(things.serve(url, { pooler: true })).rejects.toThrow(
      `postgresClients({ pooler }): the sessions of the database ${name} are in Europe/Berlin, and a pooler passes no settings on. Run: ALTER DATABASE "${name}" SET TimeZone TO 'UTC'`,
    )
    expect(await inPostgres(url, async (client) => (await client.query('SHOW TimeZone')).rows)).toHaveLength(1)
  })
})
