import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Fallback, Telemetry } from '@prismapi/jsonapi/request/telemetry'
import { type Carry, prismaStore, type TransactionLimits } from './prisma/prisma-store.ts'
import type { Clients, Store } from './store.ts'

/** What executes the reads of a server: prepared statements where they are known, else Prisma; or Prisma alone. */
export type Reads = 'auto' | 'prisma'

/**
 * What stores are opened with.
 *
 * @internal
 */
export interface StoresParts {
  readonly clients: Clients
  readonly resources: Resources
  /** Is told what failed after a commit. */
  readonly onLateFailure: (error: unknown) => void
  /** Is told of reads and writes that statements would not do. */
  readonly onFallback: (fallback: Fallback) => void
  /** The function that is told why the database does not say how large its tables are; left out, none is. */
  readonly onUnsized?: (error: unknown) => void
  readonly transactions?: TransactionLimits | undefined
  /** How many characters of text one statement may bring into memory; left out, any number. */
  readonly characters?: number
  /** Is told of queries. */
  readonly telemetry?: Telemetry | null
}

/**
 * The store that each kind of server uses.
 *
 * @internal
 */
export type Stores = Readonly<Record<Reads, Store>>

/** Prisma reads and writes everything. */
export function prismaStores(parts: StoresParts): Stores {
  const prisma = storeOf(parts)
  return { auto: prisma, prisma }
}

/** Prisma's store; or one that reads by Prisma, and has its transactions carried out otherwise. */
export const storeOf = (
  { clients, resources, onLateFailure, transactions, telemetry = null }: StoresParts,
  carry?: Carry,
): Store => prismaStore(clients, onLateFailure, { ...transactions, resources, telemetry, carry })
