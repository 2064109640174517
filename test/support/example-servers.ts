import path from 'node:path'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { serversOf } from '@prismapi/testing/internal/kit/tested'
import { discover } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The servers of the example as values, without a database. */
export const servers = serversOf({ resources, ...(await discover({ root, resources })) }) as readonly [
  v1: CompiledServer,
  v2: CompiledServer,
]
