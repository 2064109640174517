import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { chunked } from '../chunks.ts'
import { noOrder, planLevel } from '../plan.ts'
import type { Reader } from '../reader.ts'

/** Values of unique columns that no row of the model has, as far as the database knows. */
export interface AbsentRows {
  readonly model: string
  readonly values: ReadonlyMap<string, Set<unknown>>
}

/** Which of these values no row has, by their unique columns: one query for each column. */
export async function findAbsent(
  reader: Reader,
  schema: ResourceSchema,
  candidates: ReadonlyMap<string, readonly unknown[]>,
): Promise<AbsentRows> {
  const values = new Map<string, Set<unknown>>()
  for (const [column, all] of candidates) {
    const absent = new Set(all)
    for (const some of chunked([...absent])) {
      const rows = await reader.rows(planLevel(schema, [column], { [column]: { in: some } }, noOrder))
      for (const row of rows) absent.delete(row[column])
    }
    values.set(column, absent)
  }
  return { model: schema.model.name, values }
}

/** A reader that does not ask for a row by one of these values. Whoever writes such a row has to take its values out. */
export const readerWithout = (reader: Reader, { model, values }: AbsentRows): Reader => ({
  ...reader,
  async rows(plan) {
    const [term, ...others] = Object.entries(plan.where)
    const isAbsent = plan.model === model && term && others.length === 0 && values.get(term[0])?.has(term[1])
    return isAbsent ? [] : reader.rows(plan)
  },
})
