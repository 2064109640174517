import { all, everything } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import type { Reader } from '../database/reader.ts'
import { inTurns } from '../model/in-turns.ts'
import type { Row } from '../model/where.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { noOrder, planLevel } from './plan.ts'
import { idsWhere } from './row-conditions.ts'

// SQLite binds a limited number of values; a query with more would be split by Prisma, and lose its order and its sums.
const chunkSize = 500

/** A list in parts that are short enough for one query each, which names each value so many times. */
export const chunked = <T>(values: readonly T[], times = 1): readonly (readonly T[])[] =>
  inParts(values, Math.max(1, Math.floor(chunkSize / times)))

/** A list in parts of that many values. */
export function inParts<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: T[][] = []
  for (let i = 0; i < values.length; i += size) chunks.push(values.slice(i, i + size))
  return chunks
}

interface NamedRows {
  /** Rows with the columns of their ids. */
  readonly keys: readonly Row[]
  readonly columns: readonly string[]
  /** What else has to hold. */
  readonly where?: Condition
}

/** Rows that are named by their ids, in no order: those that are there. Of a long list others have their turn meanwhile. */
export async function readNamedRows(
  reader: Reader,
  schema: ResourceSchema,
  { keys, columns, where = everything }: NamedRows,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const some of inTurns(chunked(keys, schema.id.columns.length)))
    rows.push(...(await reader.read(planLevel(schema, columns, all(idsWhere(schema, some), where), noOrder))))
  return rows
}
