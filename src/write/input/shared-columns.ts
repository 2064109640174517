import { keyText } from '../../database/keys.ts'
import type { Row } from '../../model/where.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'

/** Columns that relations are about to set, by Prisma's names of the relations. */
export type Settings = ReadonlyMap<string, Row>

/** Two things that a column cannot serve at once. */
export interface Clash {
  readonly relation: string
  /** The other relation; null where it is the id, which never changes. */
  readonly other: string | null
}

/**
 * A column may belong to several relations, or to the id as well: `tenantId` to a project's tenant and to its lead. What
 * moves one of them must not move the others unasked.
 *
 * @param row as it is now; null on create.
 */
export function findClash(schema: ResourceSchema, row: Row | null, settings: Settings): Clash | null {
  for (const [relation, columns] of settings) {
    for (const [column, value] of Object.entries(columns)) {
      if (value === null) continue
      if (row && schema.id.columns.includes(column) && isOther(row[column], value)) return { relation, other: null }
      const other = relationsWith(schema, column).find(
        (name) => name !== relation && isMoved(holderOf(schema, name, row, settings), column, value),
      )
      if (other !== undefined) return { relation, other }
    }
  }
  return null
}

function relationsWith({ model }: ResourceSchema, column: string): readonly string[] {
  const relations = Object.values(model.relations)
  return relations.filter(({ foreignKey }) => foreignKey?.columns.includes(column)).map(({ name }) => name)
}

/** The columns by which a relation leads somewhere: what is about to be set, else what the row has. */
function holderOf({ model }: ResourceSchema, name: string, row: Row | null, settings: Settings): Row | null {
  const set = settings.get(name)
  if (set || !row) return set ?? null
  const columns = model.relations[name]?.foreignKey?.columns ?? []
  return columns.every((column) => row[column] != null) ? row : null
}

const isMoved = (holder: Row | null, column: string, value: unknown): boolean =>
  holder?.[column] != null && isOther(holder[column], value)

const isOther = (a: unknown, b: unknown): boolean => keyText([a]) !== keyText([b])
