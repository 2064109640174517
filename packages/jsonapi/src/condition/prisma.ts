import { unsearchable } from '../document/errors.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { Where } from '../model/where.ts'
import { type Compare, type Condition, type Json, type Visitor, visit } from './condition.ts'

/**
 * A condition as Prisma's `where`. One condition always has the same text, by which Prisma keeps compiled queries.
 *
 * `everything` is `{}`. `nothing` is `in` with an empty list, on a column of the key:
 * an empty `OR` means "nothing" to Prisma at one place and "everything" at another.
 */
export function prismaWhere(condition: Condition, model: Pick<ModelMeta, 'key' | 'columns'>): Where {
  if (condition.kind === 'constant') return condition.holds ? {} : noRow(model)
  return visit(condition, toPrisma, null)
}

// Prisma has no lists of Booleans: no row has both values.
function noRow({ key, columns }: Pick<ModelMeta, 'key' | 'columns'>): Where {
  const listed = key.find((name) => columns[name]?.type !== 'Boolean')
  if (listed !== undefined) return { [listed]: { in: [] } }
  const [name] = key as readonly [string]
  return { AND: [{ [name]: true }, { [name]: false }] }
}

const toPrisma: Visitor<Where, null> = {
  all: ({ conditions }) => joinWheres(conditions.map(toPart)),
  any: ({ conditions }) => ({ OR: conditions.map(toPart) }),
  not: ({ condition }) => ({ NOT: toPart(condition) }),
  compare: compareColumn,
  json: (node) => ({ [node.column.name]: jsonFilter(node) }),
  related: ({ relation, quantifier, condition }) => ({ [relation.name]: { [quantifier]: toPart(condition) } }),
  absent: ({ relation }) => ({ [relation.name]: null }),
  // Behind a relation: any row.
  constant({ holds }) {
    if (holds === true) return {}
    throw new Error('A condition with an undecided part did not go through decide() before it is asked.')
  },
}

const toPart = (condition: Condition): Where => visit(condition, toPrisma, null)

/** Conditions that all have to hold: side by side in one object where no two of them have the same name. */
function joinWheres(parts: readonly Where[]): Where {
  const names = parts.flatMap(Object.keys)
  const isFlat = new Set(names).size === names.length && !names.some((name) => logical.has(name))
  return isFlat ? Object.assign({}, ...parts) : { AND: parts }
}

const logical: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT'])

function compareColumn({ column: { name, isList }, operator, value, mode, words }: Compare): Where {
  if (words) throw unsearchable()
  // Prisma forgets a mode that stands beside `not`.
  if (operator === 'not' && mode !== null) return { NOT: { [name]: { equals: value, mode } } }
  // The mode `plain` comes here only to be shown:
  // `core/database/prisma/prisma-condition.ts` replaces it before Prisma is asked.
  if (mode !== null && mode !== 'plain') return { [name]: { [operator]: value, mode } }
  return { [name]: operator === 'equals' && isBare(value) && !isList ? value : { [operator]: value } }
}

/** A value that cannot be taken for operators. */
const isBare = (value: unknown): boolean => value === null || typeof value !== 'object' || value instanceof Date

const jsonFilter = ({ path, operator, value, mode }: Json): object => ({
  ...(path !== null && { path }),
  [operator]: value,
  ...(mode !== null && { mode }),
})
