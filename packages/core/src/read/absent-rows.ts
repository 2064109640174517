import { columnOf, compare } from '@prismapi/jsonapi/condition/build'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Plan, Reader } from '../database/reader.ts'
import { wrap } from '../database/wrap.ts'
import { chunked } from './find.ts'
import { noOrder, planLevel } from './plan.ts'

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
      const rows = await reader.read(
        planLevel(schema, [column], compare(columnOf(schema.model, column), 'in', some), noOrder),
      )
      for (const row of rows) absent.delete(row[column])
    }
    values.set(column, absent)
  }
  return { model: schema.model.name, values }
}

/** A reader that does not ask for a row by one of these values. A writer of such a row has to take its values out. */
export function readerWithout(reader: Reader, { model, values }: AbsentRows): Reader {
  const isAbsent = (plan: Plan): boolean => {
    if (plan.kind !== 'lookUp' || plan.model !== model) return false
    return plan.key.some(({ column, value }) => values.get(column.name)?.has(value))
  }
  // The answer to a look-up of no row; the compiler does not follow that only look-ups come here.
  const none = null as never
  return wrap(reader, (plan, read) => (isAbsent(plan) ? none : read()))
}
