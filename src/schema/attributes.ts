import type { ColumnMeta, ModelMeta, Resources } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import { checkDeprecation, type Deprecation } from './deprecation.ts'
import type { AttributeOverride } from './fields.ts'
import type { Attribute } from './resource-schema.ts'
import { isSecret } from './secrets.ts'
import { deserializer, kindOf, serializer } from './values.ts'

/** Columns that no client sets: the database or Prisma keeps them (docs/specification.md#inferred-rules). */
const isKeptByPrisma = (column: ColumnMeta): boolean =>
  column.isUpdatedAt || column.default === 'now' || column.default === 'autoincrement'

/** Is the column shown as an attribute unless the application says otherwise. */
export function isAttribute(model: ModelMeta, column: ColumnMeta): boolean {
  const isOnlyId = model.key.length === 1 && model.key[0] === column.name
  return (!column.isForeignKey || standsAlone(model, column)) && !isOnlyId
}

/** Part of a foreign key, and needed where none of its relations is there: `programId` beside an optional `[programId, partnerId]`. */
function standsAlone({ relations }: ModelMeta, { name, isNullable }: ColumnMeta): boolean {
  const own = Object.values(relations).filter(({ foreignKey }) => foreignKey?.columns.includes(name))
  if (isNullable || own.length === 0) return false
  return own.every((relation) => relation.isNullable && (relation.foreignKey?.columns.length ?? 0) > 1)
}

/** What is not said of a column that holds a secret: it is hidden, or accepted and never shown where rows need it. */
export type SecretAccess = 'hidden' | 'writeOnly'

/** How clients meet a column whose name says that it holds a secret; null for all others, and where a comment says it. */
export function secretAccess(model: ModelMeta, column: ColumnMeta): SecretAccess | null {
  if (column.hidden || column.writeOnly || !isSecret(model.name, column)) return null
  return isNeeded(column) && !column.readOnly && model.operations.includes('create') ? 'writeOnly' : 'hidden'
}

/** Has a value to be given for every row. */
const isNeeded = ({ isNullable, isList, isUpdatedAt, default: value }: ColumnMeta): boolean =>
  !isNullable && value === null && !isList && !isUpdatedAt

interface ColumnParts {
  readonly resources: Resources
  readonly override: AttributeOverride | null
  /** The server sets it, whatever the application says. */
  readonly isKept?: boolean
  /** It holds a secret, and the application says nothing of it. */
  readonly isSecret?: boolean
}

/** The attribute of a column, with the application's override over what the Prisma schema says. */
export function columnAttribute(
  name: string,
  column: ColumnMeta,
  { resources, override, isKept = false, isSecret = false }: ColumnParts,
): Attribute {
  const kind = kindOf(column)
  const show = serializer(column)
  const custom = override?.toDocument
  const writeOnly = override?.isWriteOnly ?? (column.writeOnly || isSecret)
  const isComparable = !writeOnly && !column.isList && kind !== 'json' && kind !== 'bytes'
  return Object.freeze({
    name,
    kind,
    isList: column.isList,
    isNullable: column.isNullable,
    isRequired: isNeeded(column),
    readOnly: isKept || (override?.readOnly ?? (column.readOnly || isKeptByPrisma(column))),
    writeOnly,
    // PostgreSQL has no order of its `xml`.
    isSortable: (override?.isSortable ?? true) && isComparable && column.native?.[0] !== 'Xml',
    isFilterable: !writeOnly && (kind === 'json' ? filtersByPath(override) : (override?.isFilterable ?? true)),
    values: column.isEnum ? (resources.enums[column.type]?.values ?? []) : null,
    column,
    isConverted: Boolean(custom ?? override?.toColumn),
    deprecation: deprecationOf(override),
    reads: [column.name],
    serialize: custom ? (row: Row) => custom(row[column.name] as never) ?? null : (row: Row) => show(row[column.name]),
    deserialize: override?.toColumn ?? deserializer(column),
  } satisfies Attribute)
}

const deprecationOf = (override: AttributeOverride | null): Deprecation | null =>
  checkDeprecation(`attribute('${override?.field}').deprecated`, override?.deprecation)

const filtersByPath = (override: AttributeOverride | null): boolean => override?.isFilterableByPath ?? false

/** An attribute without a column: computed from others, or accepted only (`virtual`). */
export function ownAttribute(name: string, override: AttributeOverride): Attribute {
  const { source } = override
  return Object.freeze({
    name,
    kind: source ? 'json' : 'string',
    isList: false,
    isNullable: true,
    isRequired: false,
    readOnly: override.readOnly ?? source !== null,
    writeOnly: source === null,
    isSortable: false,
    isFilterable: false,
    values: null,
    column: null,
    isConverted: true,
    deprecation: deprecationOf(override),
    reads: source?.columns ?? [],
    serialize: source ? (row: Row) => source.value(only(row, source.columns) as never) ?? null : () => null,
    deserialize: override.toColumn ?? ((value: unknown) => value),
  } satisfies Attribute)
}

// A row may have more columns, which are not there on every URL: what is computed must not come to depend on them.
const only = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]))
