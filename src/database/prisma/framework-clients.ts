import { frameworkSession } from '../session.ts'
import type { Clients, PrismaClientLike, Store } from '../store.ts'
import { tell } from './in-session.ts'

/** The clients by which the framework reads and prunes the log of changes of a guarded database: its own, whoever is asking. */
export function frameworkClients(clients: Clients, store: Store): Clients {
  const own = store.committed((client) => tell({ client }, frameworkSession)) as PrismaClientLike
  return { ...clients, reader: own, writer: own }
}
