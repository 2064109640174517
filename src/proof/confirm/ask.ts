import { all, equalsEach } from '../../condition/build.ts'
import type { Condition } from '../../condition/condition.ts'
import type { Reader } from '../../database/reader.ts'
import type { ModelMeta } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'

/** Does the row meet the condition, as the reader says. */
export async function meets(reader: Reader, model: ModelMeta, row: Row, condition: Condition): Promise<boolean> {
  const id = equalsEach(model, Object.fromEntries(model.key.map((column) => [column, row[column]])))
  return (await reader.read({ kind: 'count', model: model.name, where: all(...id, condition) })) > 0
}

/** All rows that meet the condition. */
export async function rowsThat(
  reader: Reader,
  model: ModelMeta,
  { columns, condition }: { readonly columns: readonly string[]; readonly condition: Condition },
): Promise<readonly Row[]> {
  return reader.read({
    kind: 'rows',
    model: model.name,
    columns,
    where: condition,
    order: [],
    skip: 0,
    take: null,
  })
}
