import path from 'node:path'
import { discover } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'
import type { CompiledServer } from '../../src/server/compile.ts'
import { serversOf } from '../../src/testing/kit/tested.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The servers of the example as values, without a database. */
export const servers = serversOf({ resources, ...(await discover({ root, resources })) }) as readonly [
  v1: CompiledServer,
  v2: CompiledServer,
]
