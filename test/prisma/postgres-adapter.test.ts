import { lentConnections, postgresAdapter } from '@prismapi/sql/prisma/postgres-adapter'
import pg from 'pg'
import { expect, test } from 'vitest'

const adapterFile = 'packages/sql/src/prisma/postgres-adapter.ts'
const never = new Promise<never>(() => {})
const statement = (sql: string) => ({ sql, args: [], argTypes: [] })

/** A pool that never connects: it gives one connection, which answers all but a statement that sleeps. */
function poolOf() {
  const asked: string[] = []
  const query = ({ text }: { readonly text: string }) => {
    asked.push(text)
    return text.includes('pg_sleep') ? never : Promise.resolve({ rows: [], fields: [], rowCount: 0 })
  }
  const connection = { query, on() {}, removeListener() {}, release() {} } as unknown as pg.PoolClient
  const taken: unknown[][] = []
  const pool = new pg.Pool()
  pool.connect = ((...args: unknown[]) => {
    taken.push(args)
    return Promise.resolve(connection)
  }) as typeof pool.connect
  return { pool, connection, asked, taken }
}

test('a transaction takes the connection that is lent, and asks it for all but its begin and end', async () => {
  const { pool, taken } = poolOf()
  const lent = lentConnections(pool)
  const adapter = await postgresAdapter(pool, { schema: 'public', cancel() {} }).connect()
  const asked: string[] = []
  const run = async ({ text }: pg.QueryConfig) => {
    asked.push(text)
    return { rows: [], fields: [], rowCount: 3 }
  }
  const changed = await lent.lend(run, async () => {
    const transaction = await adapter.startTransaction('SERIALIZABLE')
    const count = await transaction.executeRaw(statement('DELETE FROM "Tag"'))
    await transaction.executeRaw(statement('COMMIT'))
    await transaction.commit()
    return count
  })
  expect(taken, `The adapter takes connections otherwise: ${adapterFile} lends it none.`).toEqual([])
  expect(asked, `The adapter begins or ends transactions otherwise: ${adapterFile} lets it through.`).toEqual([
    'DELETE FROM "Tag"',
  ])
  expect(changed).toBe(3)
})

test('a transaction of its own has the connection that the pool gave, so that it can be ended', async () => {
  const { pool, connection, asked, taken } = poolOf()
  const ended: pg.PoolClient[] = []
  const adapter = await postgresAdapter(pool, { schema: 'public', cancel: (each) => void ended.push(each) }).connect()
  const transaction = await adapter.startTransaction('SERIALIZABLE')
  void transaction.executeRaw(statement('SELECT pg_sleep(60)'))
  await transaction.executeRaw(statement('ROLLBACK'))
  expect(taken).toEqual([[]])
  expect(ended, `Transactions keep their connection elsewhere: ${adapterFile} cannot end it.`).toEqual([connection])
  expect(asked).toEqual(['BEGIN', 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'SELECT pg_sleep(60)'])
})
