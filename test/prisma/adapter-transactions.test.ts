import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { afterAll, afterEach, expect, test } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client/client.ts'

const transactionsFile = 'packages/sql/src/prisma/adapter-transactions.ts'
const caller = new AsyncLocalStorage<string>()
let begun: (string | undefined)[] = []
let asked: string[] = []

/** Writes down what Prisma Client asks of its transactions, and for whom. */
class Recorded extends PrismaBetterSqlite3 {
  override async connect() {
    const adapter = await super.connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (level) => {
      begun.push(caller.getStore())
      const transaction = await start(level)
      const execute = transaction.executeRaw.bind(transaction)
      transaction.executeRaw = (statement) => {
        asked.push(statement.sql)
        return execute(statement)
      }
      for (const end of ['commit', 'rollback'] as const) {
        const release = transaction[end].bind(transaction)
        transaction[end] = () => {
          asked.push(`${end}()`)
          return release()
        }
      }
      return transaction
    }
    return adapter
  }
}

const client = new PrismaClient({ adapter: new Recorded({ url: ':memory:' }) })
afterAll(() => client.$disconnect())
afterEach(() => {
  begun = []
  asked = []
})

test('a transaction is ended by a statement, and gives its connection back by a call', async () => {
  const work = (sql: string) => client.$transaction((inside) => inside.$executeRawUnsafe(sql))
  const otherwise = `Prisma Client ends transactions otherwise: ${transactionsFile} does not notice.`
  await work('PRAGMA user_version = 1')
  expect(asked, otherwise).toEqual(['PRAGMA user_version = 1', 'COMMIT', 'commit()'])
  asked = []
  await expect(work('nonsense')).rejects.toThrow('nonsense')
  expect(asked, otherwise).toEqual(['nonsense', 'ROLLBACK', 'rollback()'])
})

test('a transaction begins for whoever has called $transaction', async () => {
  const work = (name: string) => caller.run(name, () => client.$transaction((inside) => inside.$queryRaw`SELECT 1`))
  await Promise.all(['first', 'second', 'third'].map(work))
  expect(begun, `Prisma Client begins transactions elsewhere: ${transactionsFile} hands over none.`).toEqual([
    'first',
    'second',
    'third',
  ])
})
