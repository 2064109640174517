import { memo } from '../model/memo.ts'
import type { Where } from '../model/where.ts'
import { documentColumns } from '../read/plan.ts'
import type { ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'

/** A condition as JSON, and whether something of it had to be left out. */
export interface Shown {
  readonly where: object
  /** It compares a column that no document shows, which may be a secret, with a value. */
  readonly isConcealed: boolean
}

/** A condition as it may be shown to a developer: without the values of columns that no document shows. */
export function showWhere(where: unknown, model: string, schemas: SchemaRegistry): Shown {
  let isConcealed = false
  const conceal = () => {
    isConcealed = true
    return concealed
  }
  const shown = shownIn((where ?? {}) as Where, schemas.byModel.get(model), { schemas, conceal })
  return { where: shown as object, isConcealed }
}

export const showValues = (values: readonly unknown[]): readonly unknown[] => listOf(values, plainValue)

const concealed = '(not shown: no document shows the column)'

interface Showing {
  readonly schemas: SchemaRegistry
  conceal(): unknown
}

const operators: ReadonlySet<string> = new Set(['is', 'isNot', 'some', 'every', 'none'])

function shownIn(where: Where, schema: ResourceSchema | undefined, showing: Showing): unknown {
  const entries = Object.entries(where).map(([key, value]) => [key, shownClause(key, value, schema, showing)])
  return Object.fromEntries(entries)
}

function shownClause(key: string, value: unknown, schema: ResourceSchema | undefined, showing: Showing): unknown {
  if (key === 'AND' || key === 'OR' || key === 'NOT')
    return Array.isArray(value)
      ? listOf(value, (each) => shownIn(each as Where, schema, showing))
      : shownIn(value as Where, schema, showing)
  const relation = schema?.model.relations[key]
  if (relation) return shownRelation(value, showing.schemas.byModel.get(relation.model), showing)
  const isVisible = schema !== undefined && visible(schema).has(key)
  return isVisible || saysNothing(value) ? plainValue(value) : showing.conceal()
}

function shownRelation(value: unknown, target: ResourceSchema | undefined, showing: Showing): unknown {
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    operators.has(key) ? shownRelation(each, target, showing) : shownClause(key, each, target, showing),
  ])
  return Object.fromEntries(entries)
}

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
function saysNothing(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true
  return isPlain(value) && Object.values(value).every(saysNothing)
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

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

/** No more of it than somebody reads. */
const listOf = <T>(values: readonly T[], show: (value: T) => unknown): unknown[] => [
  ...values.slice(0, most).map(show),
  ...(values.length > most ? [`… and ${values.length - most} more`] : []),
]
