import type { Resources } from '../model/meta.ts'
import type { Telemetry } from '../request/telemetry.ts'
import { doLate } from './around/late-work.ts'
import { toldDatabase } from './around/told-queries.ts'
import { prismaStore, type TransactionLimits } from './prisma/prisma-store.ts'
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
  readonly transactions?: TransactionLimits | undefined
  /** Is told of queries; left out, nobody is, and nothing is in their way. */
  readonly telemetry?: Telemetry | null
}

/** The store that each kind of server uses. Transactions, and what is read inside of them, are always Prisma's. */
export function openStores({
  clients,
  resources,
  onLateFailure,
  onUnknown,
  transactions,
  telemetry = null,
}: StoresParts): Readonly<Record<Reads, Store>> {
  const told = telemetry && { telemetry, provider: resources.provider }
  const prisma = prismaStore(clients, onLateFailure, { ...transactions, told })
  if (!('writer' in clients) || !clients.sql || isExtended(clients.reader)) return { auto: prisma, prisma }
  const { sql, writer } = clients
  const database = telemetry ? toldDatabase(sql, telemetry) : sql
  if (database.provider !== resources.provider) return { auto: prisma, prisma }
  const reader = sqlReader({ database, resources, prisma: prisma.reader, onUnknown })
  const finish = (late: readonly AfterCommit[]) => doLate(late, onLateFailure)
  const isShared = database.writer?.client === writer && !isExtended(writer)
  const plain =
    database.writer && isShared ? { ...plainWriter({ database, writer: database.writer, resources }), finish } : null
  return { auto: { ...prisma, reader, plain }, prisma }
}

// What an extension makes of queries and their results, SQL would pass by. Prisma takes `$on` from an extended client.
export const isExtended = (client: object): boolean => typeof (client as { $on?: unknown }).$on !== 'function'
