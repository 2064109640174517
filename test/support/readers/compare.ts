import { prismaReader } from '@prismapi/core/database/prisma/prisma-reader'
import type { Reader } from '@prismapi/core/database/reader'
import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import type { Delegates } from '@prismapi/core/database/store'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { sqlReader } from '@prismapi/sql/sql-reader'
import { expect } from 'vitest'

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
