import { isExtended } from '@prismapi/core/database/prisma/client'
import { reasonToRetry } from '@prismapi/core/database/prisma/database-errors'
import { prismaReader } from '@prismapi/core/database/prisma/prisma-reader'
import { adapterCause } from '@prismapi/core/database/prisma/refusals'
import { readerWithSessions } from '@prismapi/core/database/prisma/sessions'
import type { Reader } from '@prismapi/core/database/reader'
import type { Replica, ReplicaStores, Store } from '@prismapi/core/database/store'
import type { Reads, StoresParts } from '@prismapi/core/database/stores'
import { tracedDatabase, tracedReader } from '@prismapi/core/database/traced-queries'
import { wrap } from '@prismapi/core/database/wrap'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { sqlReader } from '../sql-reader.ts'

/** The stores that read from replicas, for each kind of server; null where there are no replicas. */
export function openReplicaStores(
  parts: StoresParts,
  primary: Readonly<Record<Reads, Store>>,
): Readonly<Record<Reads, ReplicaStores>> | null {
  const replicas = ('writer' in parts.clients && parts.clients.replicas) || null
  if (replicas === null || replicas.all.length === 0) return null
  const readers = new Map(replicas.all.map((replica) => [replica, readersOf(parts, replica)]))
  const storesOf = (reads: Reads): ReplicaStores => {
    const { [reads]: main } = primary
    const store = (replica: Replica, reader: Reader): Store => ({
      ...main,
      reader: fallingBack(reader, main.reader, () => replicas.suspect(replica)),
    })
    const stores = new Map([...readers].map(([replica, { [reads]: reader }]) => [replica, store(replica, reader)]))
    const { position, lagMilliseconds } = replicas
    return {
      position,
      lagMilliseconds,
      reading(needed) {
        const replica = replicas.choose(needed)
        return replica === null ? main : (stores.get(replica) ?? main)
      },
    }
  }
  return { auto: storesOf('auto'), prisma: storesOf('prisma') }
}

type Readers = Readonly<Record<Reads, Reader>>

function readersOf(parts: StoresParts, { reader, sql }: Replica): Readers {
  const { resources, onFallback, characters, telemetry = null } = parts
  const onUnknown = (model: string, reason: string) => onFallback({ kind: 'read', model, reason })
  const plain = readerWithSessions(reader, (client) => prismaReader(client, resources.models))
  const prisma = telemetry ? tracedReader(plain, telemetry, resources.provider) : plain
  if (isExtended(reader) || sql.provider !== resources.provider) return { auto: prisma, prisma }
  const database = telemetry ? tracedDatabase(sql, telemetry) : sql
  const bound = characters === undefined ? {} : { characters }
  return { auto: sqlReader({ database, resources, prisma, onUnknown, ...bound }), prisma }
}

/** Reads by the replica; what it cannot answer, the primary is asked. */
const fallingBack = (replica: Reader, primary: Reader, onAway: () => void): Reader =>
  wrap(replica, async (plan, read) => {
    try {
      return await read()
    } catch (error) {
      if (!isPassing(error)) throw error
      // A row that it was reading has been removed by the primary: nothing is wrong with it.
      if (reasonToRetry(error) === null) onAway()
      return primary.read(plan)
    }
  })

// A statement that takes too long would do so anywhere.
const isPassing = (error: unknown): error is JsonApiError =>
  error instanceof JsonApiError && error.status === 503 && sqlState(error.cause) !== tookTooLong

const tookTooLong = '57014'

const sqlState = (error: unknown): string | undefined =>
  adapterCause(error)?.originalCode ?? (error as { readonly code?: string } | undefined)?.code
