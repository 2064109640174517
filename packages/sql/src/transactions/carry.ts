import { whileOpen } from '@prismapi/core/database/prisma/client'
import type { TransactionalClient } from '@prismapi/core/database/prisma/committed-client'
import { type Carry, type Inside, serializableWith } from '@prismapi/core/database/prisma/prisma-store'
import type { SqlTransaction } from '@prismapi/core/database/sql-database'
import type { Delegates } from '@prismapi/core/database/store'
import { lateClient } from './late-client.ts'

interface CarryParts {
  readonly begin: () => Promise<SqlTransaction>
  readonly writer: TransactionalClient
  readonly limits: { readonly maxWait: number; readonly timeout: number }
  /** What is done inside with Prisma Client, and with statements. */
  readonly insideOf: (client: Delegates, transaction: SqlTransaction) => Inside
}

/** Prisma keeps the time of its transactions, too: those that are shared are ended by us. */
const untilWeEnd = 2 ** 31 - 1

/**
 * Carries transactions out that are begun and ended here. Prisma
 * Client takes part in one as soon as something is asked of it.
 */
export function carryBy({ begin, writer, limits, insideOf }: CarryParts): Carry {
  let isReady = false
  return async (work) => {
    // To start Prisma Client takes a while, which is no time of a transaction.
    if (!isReady) await (writer as Partial<Connecting>).$connect?.()
    isReady = true
    const transaction = await inTime(begin(), limits.maxWait)
    const timer = setTimeout(() => void undo(transaction), limits.timeout)
    const taking = new TakingPart(writer, transaction)
    try {
      const late = lateClient(writer as unknown as Delegates, () => taking.client())
      const result = await whileOpen(late, (client) => work(insideOf(client, transaction)))
      await transaction.commit()
      return result
    } catch (error) {
      await undo(transaction)
      throw error
    } finally {
      clearTimeout(timer)
      taking.end()
    }
  }
}

/** Why the work failed is told already: nobody is told of an undoing that fails, too. */
const undo = (transaction: SqlTransaction): Promise<void> => transaction.rollback().catch(() => {})

interface Connecting {
  $connect(): Promise<void>
}

/** Prisma Client in a transaction of ours, from the first time that it is asked for. */
class TakingPart {
  private readonly writer: TransactionalClient
  private readonly transaction: SqlTransaction
  private taken: Promise<Delegates> | null = null
  end: () => void = () => {}

  constructor(writer: TransactionalClient, transaction: SqlTransaction) {
    this.writer = writer
    this.transaction = transaction
  }

  client(): Promise<Delegates> {
    this.taken ??= new Promise((resolve, reject) => {
      const ended = new Promise<void>((end) => {
        this.end = end
      })
      const options = serializableWith({ maxWait: untilWeEnd, timeout: untilWeEnd })
      const takePart = (client: Delegates) => {
        resolve(client)
        return ended
      }
      this.transaction.shared(() => this.writer.$transaction(takePart, options)).catch(reject)
    })
    return this.taken
  }
}

/** A transaction that begins too late is undone, and nobody waits for it. */
async function inTime(begun: Promise<SqlTransaction>, milliseconds: number): Promise<SqlTransaction> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds)
  })
  const first = await Promise.race([begun, late]).finally(() => clearTimeout(timer))
  if (first !== null) return first
  begun.then(undo, () => {})
  throw Object.assign(new Error(tooLate), { name: 'DriverAdapterError', cause: { kind: 'SocketTimeout' } })
}

const tooLate = 'Unable to start a transaction in the given time.'
