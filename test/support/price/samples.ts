import type { CompiledServer } from '@prismapi/core/server/compile'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { Samples } from './random-queries.ts'

const ofEach = 40

/** Rows of each type, from all over its table. */
export async function samplesOf({ schemas }: CompiledServer, db: PrismaClient): Promise<Samples> {
  const samples = new Map<string, readonly Readonly<Record<string, unknown>>[]>()
  for (const { type, model } of schemas.byType.values()) {
    const table = tableOf(db, model.name)
    const count = await table.count()
    const places = Array.from({ length: ofEach }, (_, i) => Math.floor((count * (i + 0.5)) / ofEach))
    samples.set(type, await Promise.all(places.map((skip) => table.findFirstOrThrow({ orderBy: { id: 'asc' }, skip }))))
  }
  return samples
}

interface Table {
  count(): Promise<number>
  findFirstOrThrow(args: object): Promise<Readonly<Record<string, unknown>>>
}

const tableOf = (db: PrismaClient, model: string): Table =>
  (db as unknown as Readonly<Record<string, Table>>)[model.charAt(0).toLowerCase() + model.slice(1)] as Table
