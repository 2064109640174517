import { all, among, any, compare, not, related } from '@prismapi/jsonapi/condition/build'
import { type Compare, type Condition, type Visitor, visit } from '@prismapi/jsonapi/condition/condition'
import { prismaWhere } from '@prismapi/jsonapi/condition/prisma'
import { tooExpensive } from '@prismapi/jsonapi/document/errors'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { isLacked } from '@prismapi/jsonapi/model/prisma-values'
import type { Where } from '@prismapi/jsonapi/model/where'
import { quoted } from '../tables.ts'
import { translated } from './database-errors.ts'

/**
 * The `where` that Prisma is asked with. A list that is NULL in the database, because another program wrote the row, is
 * shown as an empty one, and so is found as an empty one: to PostgreSQL every condition on it is unknown. A value that
 * Prisma cannot say, `infinity` or NaN, is that of no row.
 */
export const toPrismaWhere = (condition: Condition, model: Pick<ModelMeta, 'key' | 'columns'>): Where =>
  prismaWhere(isUnlike(condition) ? visit(condition, asPrismaHasIt, null) : condition, model)

function isUnlike(condition: Condition): boolean {
  if (condition.kind === 'compare') return condition.column.isList || hasLacked(condition)
  if ('conditions' in condition) return condition.conditions.some(isUnlike)
  return 'condition' in condition && isUnlike(condition.condition)
}

const mayBeLacked: ReadonlySet<string> = new Set(['DateTime', 'Float', 'Decimal'])

const hasLacked = ({ column, value }: Compare): boolean =>
  mayBeLacked.has(column.type) && (Array.isArray(value) ? value.some(isLacked) : isLacked(value))

const partOf = (condition: Condition): Condition => visit(condition, asPrismaHasIt, null)

const asPrismaHasIt: Visitor<Condition, null> = {
  all: ({ conditions }) => all(...conditions.map(partOf)),
  any: ({ conditions }) => any(conditions.map(partOf)),
  not: ({ condition }) => not(partOf(condition)),
  compare(node) {
    if (hasLacked(node)) {
      const { column, operator, value } = node
      return Array.isArray(value)
        ? compare(
            column,
            operator,
            value.filter((each) => !isLacked(each)),
          )
        : compare(column, 'in', [])
    }
    if (!node.column.isList || node.value === null) return node
    const isNull = compare(node.column, 'equals', null)
    return ofEmptyList(node) ? any([node, isNull]) : all(node, not(isNull))
  },
  json: (node) => node,
  related: ({ relation, quantifier, condition }) => related(relation, quantifier, partOf(condition)),
  absent: (node) => node,
  constant: (node) => node,
}

/** Does the condition hold for an empty list. */
function ofEmptyList({ operator, value }: Compare): boolean {
  if (operator === 'isEmpty') return value === true
  return (operator === 'equals' || operator === 'hasEvery') && Array.isArray(value) && value.length === 0
}

/** Runs a statement that is written out. */
export interface RawQueries {
  $queryRawUnsafe(sql: string, ...values: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** Where plain searches are made, and for the rows of which model. */
interface Searching {
  readonly client: RawQueries
  readonly model: ModelMeta
  readonly models: Resources['models']
  /** How many values of keys there is room for. */
  readonly room: { left: number }
}

/** SQLite binds 32,766 values; the other conditions of a query need some of them. */
const mostValues = 30_000
const mostNested = 500

/**
 * The same condition as Prisma can say it: on SQLite its LIKE knows no escape character, so a search for plain `%` and
 * `_` becomes the keys of the rows that it finds, or, where these are too many, of those that it should not.
 */
export const withoutPlain = (condition: Condition, searching: Omit<Searching, 'room'>): Promise<Condition> =>
  withinRoom(condition, { ...searching, room: { left: mostValues } })

const withinRoom = (condition: Condition, searching: Searching): Promise<Condition> =>
  visit(condition, finder, searching)

/** Does Prisma need that. */
export function hasPlain(condition: Condition): boolean {
  switch (condition.kind) {
    case 'compare':
      return condition.mode === 'plain'
    case 'all':
    case 'any':
      return condition.conditions.some(hasPlain)
    case 'not':
    case 'related':
      return hasPlain(condition.condition)
    default:
      return false
  }
}

const eachOf = (conditions: readonly Condition[], searching: Searching): Promise<readonly Condition[]> =>
  Promise.all(conditions.map((each) => withinRoom(each, searching)))

const same = async (condition: Condition): Promise<Condition> => condition

const finder: Visitor<Promise<Condition>, Searching> = {
  all: async ({ conditions }, searching) => all(...(await eachOf(conditions, searching))),
  any: async ({ conditions }, searching) => any(await eachOf(conditions, searching)),
  not: async ({ condition }, searching) => not(await withinRoom(condition, searching)),
  compare: async (node, searching) => (node.mode === 'plain' ? found(node, searching) : node),
  json: same,
  async related({ relation, quantifier, condition }, searching) {
    const model = searching.models[relation.model] as ModelMeta
    return related(relation, quantifier, await withinRoom(condition, { ...searching, model }))
  },
  absent: same,
  constant: same,
}

async function found(node: Compare, searching: Searching): Promise<Condition> {
  const { column, operator, value } = node
  const keys = searching.model.key.map((name) => searching.model.columns[name] as ColumnMeta)
  const search = searches[operator as keyof typeof searches]
  const rows = await keysWhere(search(columnOf(column)), node, { ...searching, keys })
  // Of no value it is unknown whether it holds the text: this is never met, and unknown as well.
  if (rows) return any([among(keys, rows), all(compare(column, 'equals', ''), compare(column, 'not', ''))])
  // So many are found by Prisma's own search, too, with some that it is wrong about.
  const wrong = `${columnOf(column)} like ${patterns[operator as keyof typeof patterns]} and not ${search(columnOf(column))}`
  const others = await keysWhere(wrong, node, { ...searching, keys })
  if (others) return all(compare(column, operator, value), not(among(keys, others)))
  throw tooExpensive('filter', null)
}

/** The keys of the rows that meet a condition; null where they are more than one query can name. */
async function keysWhere(
  condition: string,
  { value }: Compare,
  { client, model, keys, room }: Searching & { readonly keys: readonly ColumnMeta[] },
) {
  const selected = keys.map((key) => columnOf(key)).join()
  const from = `${quoted(model.table)} as "row", (select ? as "text") as "searched"`
  // Keys of several columns are compared one after the other, and SQLite nests no more than a thousand of these.
  const most = keys.length === 1 ? room.left : Math.min(room.left, mostNested)
  const sql = `select ${selected} from ${from} where ${condition} limit ${most + 1}`
  const rows = await translated(() => client.$queryRawUnsafe(sql, value))
  const values = rows.length * keys.length
  if (rows.length > most || values > room.left) return null
  room.left -= values
  return rows.map((row) => keys.map((key) => row[key.column]))
}

const text = '"searched"."text"'
const searches = {
  contains: (column: string) => `instr(lower(${column}), lower(${text})) > 0`,
  startsWith: (column: string) => `lower(substr(${column}, 1, length(${text}))) = lower(${text})`,
  endsWith: (column: string) => `lower(substr(${column}, -length(${text}))) = lower(${text})`,
}

const patterns = {
  contains: `'%' || ${text} || '%'`,
  startsWith: `${text} || '%'`,
  endsWith: `'%' || ${text}`,
}

const columnOf = ({ column }: ColumnMeta): string => `"row".${quoted(column)}`
