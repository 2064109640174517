import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter } from './clients-around.ts'

type DriverAdapter = Awaited<ReturnType<Adapter['connect']>>
type Transaction = Awaited<ReturnType<DriverAdapter['startTransaction']>>

/** Where the time of a transaction passes: at its so-many-th statement, before that is sent, while it runs, or before it is answered. */
export interface Cut {
  readonly at: number
  readonly when: 'before' | 'during' | 'after'
  readonly milliseconds: number
}

/** An adapter whose transactions take long at one of their statements, and the number of statements of the last one. */
export function cutting(cutOf: () => Cut | null) {
  const last = { statements: 0 }
  const around = (factory: Adapter): Adapter => ({
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect()
      const start = adapter.startTransaction.bind(adapter)
      return Object.assign(adapter, {
        startTransaction: async (level?: Parameters<typeof start>[0]) => slow(await start(level), cutOf(), last),
      })
    },
  })
  return { around, last }
}

function slow(transaction: Transaction, cut: Cut | null, last: { statements: number }): Transaction {
  last.statements = 0
  for (const verb of ['queryRaw', 'executeRaw'] as const) {
    const run = transaction[verb].bind(transaction) as (query: Query) => Promise<never>
    transaction[verb] = async (query: Query) => {
      if (/^(COMMIT|ROLLBACK)$/.test(query.sql)) return run(query)
      const isCut = ++last.statements === cut?.at
      const milliseconds = isCut ? cut.milliseconds : 0
      if (isCut && cut.when === 'before') await sleep(milliseconds)
      // The connection does one after the other.
      if (isCut && cut.when === 'during') run(slept(milliseconds)).catch(() => {})
      const answer = await run(query)
      if (isCut && cut.when === 'after') await sleep(milliseconds)
      return answer
    }
  }
  return transaction
}

type Query = Parameters<Transaction['queryRaw']>[0]

const slept = (milliseconds: number): Query => ({
  sql: `SELECT pg_sleep(${milliseconds / 1000})::text`,
  args: [],
  argTypes: [],
})
