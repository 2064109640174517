import { isWriteConflict, translated } from './database-errors.ts'
import { prismaReader } from './prisma-reader.ts'
import type { Clients, Delegates, Store, Transaction } from './store.ts'

const attempts = 4

/** The store over the application's clients; one for each server, shared by its requests. */
export function prismaStore(clients: Clients): Store {
  const { reader, writer } = 'writer' in clients ? clients : { reader: clients, writer: clients }
  return {
    reader: prismaReader(reader as unknown as Delegates),
    write: (work, onUnique) => translated(() => inTransaction(writer, work), onUnique),
  }
}

// Serializable, because rules and policies looked at rows that the write relies on. Two transactions that met each
// other are no failure of either: the later one begins anew, as a whole.
async function inTransaction<T>(
  writer: TransactionalClient,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writer.$transaction(
        (client) => work({ client: client as Delegates, reader: prismaReader(client as Delegates) }),
        {
          isolationLevel: 'Serializable',
          maxWait: 10_000,
          timeout: 10_000,
        },
      )
    } catch (error) {
      if (attempt >= attempts || !isWriteConflict(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}

type TransactionalClient = Extract<Clients, { readonly writer: unknown }>['writer']
