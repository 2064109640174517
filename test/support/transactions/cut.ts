import { setTimeout as sleep } from 'node:timers/promises'
import type { SqlDatabase, SqlTransaction } from '@prismapi/core/database/sql-database'
import type { Adapter } from './clients-around.ts'

type DriverAdapter = Awaited<ReturnType<Adapter['connect']>>
type Transaction = Awaited<ReturnType<DriverAdapter['startTransaction']>>

/** Where the time of a transaction passes: at its so-many-th statement, before that is sent, while it runs, or before it is answered. */
export interface Cut {
  readonly at: number
  readonly when: 'before' | 'during' | 'after'
  readonly milliseconds: number
}

/** Clients whose transactions take long at one of their statements, whoever sends it, and the number of statements of the last one. */
export function cutting(cutOf: () => Cut | null) {
  const last = { statements: 0 }
  const counted = async <T>(run: () => T | Promise<T>, sleepBeside: (milliseconds: number) => unknown): Promise<T> => {
    const cut = cutOf()
    const isCut = ++last.statements === cut?.at
    const milliseconds = isCut ? cut.milliseconds : 0
    if (isCut && cut.when === 'before') await sleep(milliseconds)
    // The connection does one after the other.
    if (isCut && cut.when === 'during') sleepBeside(milliseconds)
    const answer = await run()
    if (isCut && cut.when === 'after') await sleep(milliseconds)
    return answer
  }

  /** Statements of Prisma Client, which takes part in a transaction. */
  const around = (factory: Adapter): Adapter => ({
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect()
      const start = adapter.startTransaction.bind(adapter)
      return Object.assign(adapter, {
        startTransaction: async (level?: Parameters<typeof start>[0]) => slowInPrisma(await start(level)),
      })
    },
  })
  const slowInPrisma = (transaction: Transaction): Transaction => {
    for (const verb of ['queryRaw', 'executeRaw'] as const) {
      const run = transaction[verb].bind(transaction) as (query: Query) => Promise<never>
      transaction[verb] = async (query: Query) =>
        /^(BEGIN|COMMIT|ROLLBACK|SET TRANSACTION .*)$/.test(query.sql)
          ? run(query)
          : counted(
              () => run(query),
              (milliseconds) => run({ sql: slept(milliseconds), args: [], argTypes: [] }).catch(() => {}),
            )
    }
    return transaction
  }

  /** The transaction's own statements. */
  const slowDatabase = (database: SqlDatabase): SqlDatabase => {
    const { writer } = database
    const { begin } = writer ?? {}
    if (!writer || !begin) throw new Error('This database begins no transactions.')
    return { ...database, writer: { ...writer, begin: async () => slow(await begin()) } }
  }
  const slow = (transaction: SqlTransaction): SqlTransaction => {
    last.statements = 0
    const beside = (milliseconds: number) =>
      Promise.resolve(transaction.prepare(slept(milliseconds)).all([])).catch(() => {})
    return {
      prepare(sql) {
        const statement = transaction.prepare(sql)
        return {
          all: (values, characters) => counted(() => statement.all(values, characters), beside),
          run: (values) => counted(() => statement.run(values), beside),
        }
      },
      shared: (work) => transaction.shared(work),
      commit: () => transaction.commit(),
      rollback: () => transaction.rollback(),
    }
  }
  return { around, slowDatabase, last }
}

type Query = Parameters<Transaction['queryRaw']>[0]

const slept = (milliseconds: number): string => `SELECT pg_sleep(${milliseconds / 1000})::text`
