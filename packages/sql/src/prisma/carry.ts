import { whileOpen } from '@prismapi/core/database/prisma/client'
import type { TransactionalClient } from '@prismapi/core/database/prisma/committed-client'
import { type Carry, type Inside, serializableWith } from '@prismapi/core/database/prisma/prisma-store'
import type { SqlTransaction } from '@prismapi/core/database/sql-database'
import type { Delegates } from '@prismapi/core/database/store'
import { isPromise } from '@prismapi/jsonapi/model/awaitable'
import { transactionTooLate } from './adapter-errors.ts'

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
  throw transactionTooLate()
}

/** What a transaction's client has not. */
const withheld: ReadonlySet<string> = new Set(['$connect', '$disconnect', '$on', '$use', '$extends'])

/**
 * The client of a transaction, which is made for the first operation that somebody waits for. It looks like another
 * client, whose own operations are never begun.
 */
const lateClient = <Client extends object>(like: Client, made: () => Promise<Client>): Client =>
  new Proxy(like, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string') return member
      if (withheld.has(name)) return undefined
      // One within the transaction, with a function: lists are made so.
      if (name === '$transaction') return async (...args: readonly unknown[]) => call(await made(), name, args)
      if (typeof member === 'function') return operationOf(target, name, { owner: (client) => client, made })
      const isDelegate = typeof member === 'object' && member !== null && 'findMany' in member
      return isDelegate ? lateDelegate(member, name, made) : member
    },
  })

const lateDelegate = (delegate: object, model: string, made: () => Promise<object>): object =>
  new Proxy(delegate, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof member !== 'function') return member
      return operationOf(target, name, { owner: (client) => Reflect.get(client, model), made })
    },
  })

interface Owned {
  /** Whose operation it is. */
  readonly owner: (client: object) => object
  readonly made: () => Promise<object>
}

type Member = (...args: unknown[]) => unknown

const operationOf =
  (like: object, name: string, { owner, made }: Owned): Member =>
  (...args) => {
    const example = call(like, name, args)
    return isPromise(example) ? late(example, (client) => call(owner(client), name, args), made) : example
  }

const call = (owner: object, name: string, args: readonly unknown[]): unknown =>
  (Reflect.get(owner, name) as Member).apply(owner, [...args])

/** An operation begins when its caller awaits it, and so does the one behind it (`findUnique(…).author()`). */
function late(example: object, beginBy: (client: object) => unknown, made: () => Promise<object>): unknown {
  let begun: Promise<unknown> | null = null
  const result = (): Promise<unknown> => {
    begun ??= made().then(beginBy)
    return begun
  }
  return new Proxy(example, {
    get(target, name) {
      if (name === 'then' || name === 'catch' || name === 'finally')
        return (...args: readonly never[]) => (result()[name] as (...given: never[]) => unknown)(...args)
      // `$transaction([…])` starts its operations with `requestTransaction`.
      // Hide it, so that Prisma awaits each operation instead.
      if (name === 'requestTransaction') return undefined
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof member !== 'function') return member
      return (...args: readonly unknown[]) => {
        const next = member.apply(target, [...args])
        return isPromise(next) ? late(next, (client) => call(beginBy(client) as object, name, args), made) : next
      }
    },
  })
}
