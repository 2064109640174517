import { expect } from 'vitest'
import { prismaReader } from '../../../src/database/prisma/prisma-reader.ts'
import type { Reader } from '../../../src/database/reader.ts'
import { sqlReader } from '../../../src/database/sql/sql-reader.ts'
import type { SqlDatabase } from '../../../src/database/sql-database.ts'
import type { Delegates } from '../../../src/database/store.ts'
import type { Resources } from '../../../src/model/meta.ts'

export interface Readers {
  readonly prisma: Reader
  readonly sql: Reader
  /** The parts of plans that were left to Prisma, each with how often. */
  readonly unknown: Map<string, number>
}

export function bothReaders(resources: Resources, client: unknown, database: SqlDatabase): Readers {
  const prisma = prismaReader(client as Delegates, resources.models)
  const unknown = new Map<string, number>()
  const onUnknown = (_model: string, part: string) => void unknown.set(part, (unknown.get(part) ?? 0) + 1)
  return { prisma, sql: sqlReader({ database, resources, prisma, onUnknown }), unknown }
}

/** Both readers give the same rows, or fail alike. */
export async function expectSame<Answer>(
  { prisma, sql }: Readers,
  read: (reader: Reader) => Promise<Answer>,
): Promise<Answer | string> {
  const expected = await outcome(read(prisma))
  expect(await outcome(read(sql))).toStrictEqual(expected)
  return expected
}

async function outcome<Answer>(answer: Promise<Answer>): Promise<Answer | string> {
  try {
    return await answer
  } catch (error) {
    return `failed: ${(error as Error).message.split('\n').at(-1)}`
  }
}
