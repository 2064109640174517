import { isWriteConflict, translated } from './database-errors.ts'
import { prismaReader } from './prisma-reader.ts'
import type { AfterCommit, Clients, Delegates, Store, Transaction } from './store.ts'

const attempts = 4

/** The store over the application's clients, shared by all requests. `onLateFailure` is told what failed after a commit. */
export function prismaStore(clients: Clients, onLateFailure: (error: unknown) => void): Store {
  const { reader, writer } = 'writer' in clients ? clients : { reader: clients, writer: clients }
  return {
    reader: prismaReader(reader as unknown as Delegates),
    async write(work, onUnique) {
      const { result, late } = await translated(() => inTransaction(writer, work), onUnique)
      for (const each of late) await attempt(each, onLateFailure)
      return result
    },
  }
}

interface Committed<T> {
  readonly result: T
  readonly late: readonly AfterCommit[]
}

// Serializable, because a write is several statements, and those of two writes must not mix. Two transactions that met
// each other are no failure of either: the later one begins anew, as a whole.
async function inTransaction<T>(
  writer: TransactionalClient,
  work: (transaction: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  for (let tried = 1; ; tried++) {
    const late: AfterCommit[] = []
    const once = async (client: Delegates): Promise<T> =>
      work({ client, reader: prismaReader(client), afterCommit: (each) => void late.push(each) })
    try {
      return { result: await writer.$transaction(once, options), late }
    } catch (error) {
      if (tried >= attempts || !isWriteConflict(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tried))
    }
  }
}

const options = { isolationLevel: 'Serializable', maxWait: 10_000, timeout: 10_000 }

// The write is done and acknowledged: what goes wrong behind it is the application's to know, not the client's.
async function attempt(work: AfterCommit, onFailure: (error: unknown) => void): Promise<void> {
  try {
    await work()
  } catch (error) {
    onFailure(error)
  }
}

type TransactionalClient = Extract<Clients, { readonly writer: unknown }>['writer']
