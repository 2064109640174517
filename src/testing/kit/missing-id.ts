import type { ColumnMeta } from '../../model/meta.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'

const uuid = '00000000-0000-4000-8000-00000000dead'
const number = 2_000_000_011

/** An id in the form of the type's ids that no row should have. */
export function missingId({ id, model }: ResourceSchema): string {
  const row = Object.fromEntries(id.columns.map((name) => [name, missingValue(model.columns[name] as ColumnMeta)]))
  return id.format(row)
}

function missingValue({ type, native, default: made }: ColumnMeta): unknown {
  if (type === 'Int' || type === 'Float' || type === 'Decimal') return number
  if (type === 'BigInt') return BigInt(number)
  if (type === 'DateTime') return new Date('1971-02-03T04:05:06Z')
  return made === 'uuid' || native?.[0] === 'Uuid' ? uuid : 'no-such-row'
}
