import type { PrismaClient as Client } from '../../../prisma/generated/client/client.ts'
import type { resources as Resources } from '../../../prisma/generated/resources.ts'
import { isPostgres } from './process.ts'

// A Prisma client is generated for one kind of database: that of the example, and the one that its tests run on.

const generated = isPostgres ? '../../../prisma/generated/tests/postgresql' : '../../../prisma/generated'

export const { PrismaClient }: { readonly PrismaClient: typeof Client } = await import(`${generated}/client/client.ts`)
export const { resources }: { readonly resources: typeof Resources } = await import(`${generated}/resources.ts`)
