import { setTimeout as sleep } from 'node:timers/promises'
import { postgresDatabase, postgresVersion } from '@prismapi/sql/databases/postgres-database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresPrograms, startPrivatePostgres, startPrivateReplica } from '../support/private-postgres.ts'

if (postgresPrograms === null)
  console.warn('The version of PostgreSQL is not tested: initdb and pg_ctl are not installed.')

const versionOf = (pool: pg.Pool) =>
  postgresVersion(pool, postgresDatabase({ pool, schema: 'public', onQuery: undefined }).prepare)

describe.skipIf(postgresPrograms === null)('the version of a PostgreSQL server of its own', () => {
  let server: Awaited<ReturnType<typeof startPrivatePostgres>>
  let reading: pg.Pool
  let writing: pg.Pool
  let version: ReturnType<typeof versionOf>
  beforeAll(async () => {
    server = await startPrivatePostgres({ max_connections: 30, wal_level: 'replica' })
    reading = new pg.Pool({ connectionString: server.url, max: 1 })
    writing = new pg.Pool({ connectionString: server.url })
    for (const pool of [reading, writing]) pool.on('error', () => {})
    version = versionOf(reading)
    await writing.query('CREATE TABLE things (name text)')
  })
  afterAll(async () => {
    await reading.end()
    await writing.end()
    await server.remove()
  })

  const count = async () => Number((await reading.query('SELECT count(*) FROM things')).rows[0].count)

  test('is the same while nobody commits, whoever reads and whatever is begun', async () => {
    const before = await version()
    await writing.query('SELECT count(*) FROM things')
    const client = await writing.connect()
    await client.query('BEGIN')
    await client.query("INSERT INTO things VALUES ('undecided')")
    expect(await version()).toBe(before)
    await client.query('COMMIT')
    expect(await version()).not.toBe(before)
    client.release()
  })

  test('is asked once in a turn, and in each turn', async () => {
    const [one, other] = [version(), version()]
    expect(one).toBe(other)
    await one
    expect(version()).not.toBe(one)
  })

  test('is never the same for two different numbers of rows, while others commit, undo and delete', async () => {
    let isDone = false
    const write = async (writer: number) => {
      const client = await writing.connect()
      for (let n = 0; !isDone; n++) {
        await client.query('BEGIN')
        await client.query(n % 5 === 4 ? 'DELETE FROM things' : `INSERT INTO things VALUES ('${writer}')`)
        if (n % 3 === 0) await sleep(Math.random() * 3)
        await client.query(n % 4 === 3 ? 'ROLLBACK' : 'COMMIT')
        if (n % 7 === 0) await sleep(Math.random() * 20)
      }
      client.release()
    }
    const writers = [1, 2, 3].map(write)
    const counted = new Map<unknown, Set<number>>()
    let same = 0
    for (let n = 0; n < 3_000; n++) {
      const before = await version()
      const counts = counted.get(before) ?? new Set()
      counted.set(before, counts)
      const number = await count()
      if ((await version()) !== before) continue
      same++
      counts.add(number)
    }
    isDone = true
    await Promise.all(writers)
    expect([...counted.values()].filter((counts) => counts.size > 1)).toEqual([])
    expect(counted.size).toBeGreaterThan(20)
    expect(same).toBeGreaterThan(20)
  }, 60_000)

  test('is another one on another connection, which may be to another server', async () => {
    const before = await version()
    expect(await version()).toBe(before)
    await writing.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    await expect.poll(() => reading.totalCount).toBe(0)
    expect(await version()).not.toBe(before)
  })

  test('is another one each time where it cannot be said: on a standby; without an answer there is none', async () => {
    const standby = await startPrivateReplica(server)
    const pool = new pg.Pool({ connectionString: standby.url, max: 1 })
    pool.on('error', () => {})
    const onStandby = versionOf(pool)
    const first = await onStandby()
    expect(await onStandby()).not.toBe(first)
    await standby.remove()
    await expect(onStandby()).rejects.toThrow()
    await pool.end()
  }, 60_000)

  test('is not asked again of a server that does not know the function', async () => {
    let asked = 0
    const unknown = postgresVersion(reading, () => ({
      all: async () => {
        asked++
        throw Object.assign(new Error('function pg_current_snapshot() does not exist'), { code: '42883' })
      },
    }))
    const versions: unknown[] = []
    for (let turn = 0; turn < 3; turn++) {
      versions.push(await unknown())
      await new Promise(setImmediate)
    }
    expect(new Set(versions).size).toBe(3)
    expect(asked).toBe(1)
  })
})
