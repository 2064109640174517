import { isWriteConflict, translated } from './database-errors.ts'
import { doLate } from './late-work.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { prismaReader } from './prisma-reader.ts'
import type { AfterCommit, Clients, Delegates, Store, Transaction } from './store.ts'

const attempts = 8

/** The store over the application's clients, shared by all requests. `onLateFailure` is told what failed after a commit. */
export function prismaStore(clients: Clients, onLateFailure: (error: unknown) => void): Store {
  const retries = oneAtATime()
  const { reader, writer } = 'writer' in clients ? clients : { reader: clients, writer: clients }
  return {
    reader: prismaReader(reader as unknown as Delegates),
    async write(work, onUnique) {
      const { result, late } = await translated(() => inTransaction(writer, work, retries), onUnique)
      await doLate(late, onLateFailure)
      return result
    },
    inTurn: oneAtATime(),
    plain: null,
  }
}

interface Committed<T> {
  readonly result: T
  readonly late: readonly AfterCommit[]
}

// Serializable, because a write is several statements, and those of two writes must not mix. Two transactions that met
// each other are no failure of either: the later one begins anew, as a whole. Those that do take turns, or many writes of
// one row would go on meeting each other.
async function inTransaction<T>(
  writer: TransactionalClient,
  work: (transaction: Transaction) => Promise<T>,
  retries: Store['inTurn'],
): Promise<Committed<T>> {
  for (let tried = 1; ; tried++) {
    const late: AfterCommit[] = []
    const once = async (client: Delegates): Promise<T> =>
      work({ client, reader: prismaReader(client), afterCommit: (each) => void late.push(each) })
    const run = () => writer.$transaction(once, options)
    try {
      return { result: await (tried === 1 ? run() : retries(run)), late }
    } catch (error) {
      if (tried >= attempts || !isWriteConflict(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tried))
    }
  }
}

const options = { isolationLevel: 'Serializable', maxWait: 10_000, timeout: 10_000 }

type TransactionalClient = Extract<Clients, { readonly writer: unknown }>['writer']
