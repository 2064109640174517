import { documentColumns } from '@prismapi/core/read/plan'
import { all, any, compare, json, not, related } from '@prismapi/jsonapi/condition/build'
import { type Condition, type Visitor, visit } from '@prismapi/jsonapi/condition/condition'
import { prismaWhere } from '@prismapi/jsonapi/condition/prisma'
import { isPlain } from '@prismapi/jsonapi/document/types'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'

/** A condition as JSON, and whether something of it had to be left out. */
export interface ShownCondition {
  readonly where: object
  /** It compares a column that no document shows, which may be a secret, with a value. */
  readonly isConcealed: boolean
}

/** A condition for a developer, as a Prisma `where`, without the values of columns that no document shows. */
export function showWhere(condition: Condition, model: string, schemas: SchemaRegistry): ShownCondition {
  let isConcealed = false
  const conceal = () => {
    isConcealed = true
    return concealed
  }
  const shown = visit(condition, toShown, { schema: schemas.byModel.get(model), schemas, conceal })
  const where = shown.kind === 'constant' && !shown.holds ? { OR: [] } : prismaWhere(shown, { key: [], columns: {} })
  return { where, isConcealed }
}

export const showValues = (values: readonly unknown[]): readonly unknown[] => listOf(values, plainValue)

const concealed = '(not shown: no document shows the column)'

interface Showing {
  /** The type that the columns belong to; undefined for a model that is not served. */
  readonly schema: ResourceSchema | undefined
  readonly schemas: SchemaRegistry
  conceal(): string
}

/** The same condition with values that can be shown. */
const toShown: Visitor<Condition, Showing> = {
  all: ({ conditions }, showing) => all(...conditions.map((each) => visit(each, toShown, showing))),
  any: ({ conditions }, showing) => any(conditions.map((each) => visit(each, toShown, showing))),
  not: ({ condition }, showing) => not(visit(condition, toShown, showing)),
  compare: ({ column, operator, value, mode }, showing) =>
    isVisible(column, showing) || saysNothing(value)
      ? compare(column, operator, plainValue(value), mode)
      : compare(column, 'equals', showing.conceal()),
  json: ({ column, path, operator, value, mode }, showing) =>
    isVisible(column, showing)
      ? json(column, path, { operator, value: plainValue(value), mode })
      : compare(column, 'equals', showing.conceal()),
  related: ({ relation, quantifier, condition }, showing) =>
    related(
      relation,
      quantifier,
      visit(condition, toShown, { ...showing, schema: showing.schemas.byModel.get(relation.model) }),
    ),
  absent: (node) => node,
  constant: (node) => node,
}

const isVisible = ({ name }: ColumnMeta, { schema }: Showing): boolean =>
  schema !== undefined && visible(schema).has(name)

/** What documents show, and the keys. */
const visible = memo(
  (schema: ResourceSchema): ReadonlySet<string> =>
    new Set([
      ...documentColumns(schema),
      ...Object.values(schema.model.columns).flatMap(({ name, isForeignKey, hidden }) =>
        isForeignKey && !hidden ? [name] : [],
      ),
    ]),
)

/** Is it, or not: such a comparison tells no value. */
const saysNothing = (value: unknown): boolean => value === null || typeof value === 'boolean'

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return listOf(value, plainValue)
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  if (isPlain(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainValue(each)]))
  if (typeof value === 'string' && value.length > longest) return `${value.slice(0, longest)}…`
  return typeof value === 'bigint' || (typeof value === 'object' && value !== null && !(value instanceof Date))
    ? String(value)
    : value
}

const longest = 200
const most = 50

/** No more of it than a programmer reads. */
const listOf = <T>(values: readonly T[], show: (value: T) => unknown): unknown[] => [
  ...values.slice(0, most).map(show),
  ...(values.length > most ? [`… and ${values.length - most} more`] : []),
]
