import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { Delegates } from '@prismapi/core/database/store'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type HiddenValues, namedIn } from './hidden-values.ts'
import { orderOf } from './keys.ts'

/**
 * Gives hidden columns other values: null, where they may be null. What is hidden of relations stays.
 * @throws {Error} for a foreign key that needs a row.
 */
export async function changeHidden(resources: Resources, client: object, values: HiddenValues): Promise<void> {
  for (const [model, field, where] of namedIn(resources, values)) {
    const column = model.columns[field]
    if (!column) continue
    const delegate = delegateOf(client as Delegates, model.name)
    const rows = await delegate.findMany({ where, orderBy: orderOf(model) })
    for (const [i, row] of rows.entries()) {
      const data = { ...keptOf(model, row), [field]: column.isNullable ? null : otherValue(resources, column, row, i) }
      await delegate.updateMany({ where: Object.fromEntries(model.key.map((name) => [name, row[name]])), data })
    }
  }
}

/** The instant of the last change may be seen, and stays. */
const keptOf = ({ columns }: ModelMeta, row: Row) =>
  Object.fromEntries(
    Object.values(columns).flatMap(({ isUpdatedAt, name }) => (isUpdatedAt ? [[name, row[name]]] : [])),
  )

const day = 86_400_000
const large = 1_000_003

/** Another one for each row, as it may be unique. */
function otherValue({ enums }: Resources, column: ColumnMeta, row: Row, i: number): unknown {
  const { name, type, isEnum, isList, isForeignKey } = column
  const was = row[name]
  if (isForeignKey)
    throw new Error(
      `removeHidden: ${name} leads to a row, and is never null. Hide its relation, and leave the column out.`,
    )
  if (isList) return []
  if (isEnum) {
    const all = enums[type]?.values ?? []
    return all[(all.indexOf(was as string) + 1) % all.length]
  }
  switch (type) {
    case 'Boolean':
      return was !== true
    case 'DateTime':
      return new Date((was as Date).getTime() - day * (i + 1))
    case 'Json':
      return { another: i }
    case 'Bytes':
      return new Uint8Array([i % 256])
    case 'String':
      return `${i} another`
    default:
      return type === 'BigInt' ? BigInt(large + i) : large + i
  }
}
