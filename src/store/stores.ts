import type { Resources } from '../model/meta.ts'
import { doLate } from './late-work.ts'
import { prismaStore } from './prisma-store.ts'
import { plainWriter } from './sql/plain-writer.ts'
import { sqlReader } from './sql/sql-reader.ts'
import type { AfterCommit, Clients, Store } from './store.ts'

/** What executes the reads of a server: prepared statements where they are known, else Prisma; or Prisma alone. */
export type Reads = 'auto' | 'prisma'

export interface StoresParts {
  readonly clients: Clients
  readonly resources: Resources
  /** Is told what failed after a commit. */
  readonly onLateFailure: (error: unknown) => void
  /** Is told of reads that SQL is not known for: the model, and the part of the plan. */
  readonly onUnknown: (model: string, part: string) => void
}

/** The store that each kind of server uses. Transactions, and what is read inside of them, are always Prisma's. */
export function openStores({
  clients,
  resources,
  onLateFailure,
  onUnknown,
}: StoresParts): Readonly<Record<Reads, Store>> {
  const prisma = prismaStore(clients, onLateFailure)
  if (!('writer' in clients) || !clients.sql || isExtended(clients.reader)) return { auto: prisma, prisma }
  const { sql: database, writer } = clients
  if (database.provider !== resources.provider) return { auto: prisma, prisma }
  const reader = sqlReader({ database, resources, prisma: prisma.reader, onUnknown })
  const finish = (late: readonly AfterCommit[]) => doLate(late, onLateFailure)
  const isShared = database.writer?.client === writer && !isExtended(writer)
  const plain =
    database.writer && isShared ? { ...plainWriter({ database, writer: database.writer, resources }), finish } : null
  return { auto: { ...prisma, reader, plain }, prisma }
}

// What an extension makes of queries and their results, SQL would pass by. Prisma takes `$on` from an extended client.
const isExtended = (client: object): boolean => typeof (client as { $on?: unknown }).$on !== 'function'
