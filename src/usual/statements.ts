import type { Feature } from '../api/feature.ts'
import { openReplicaStores } from '../database/replicas/replica-stores.ts'
import { sqlStores } from '../database/sql-stores.ts'

/** Prepared statements, where the clients bring a connection for them, and replicas. */
export const statements: Feature = { openStores: sqlStores, openReplicas: openReplicaStores }
