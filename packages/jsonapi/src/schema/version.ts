import type { ColumnMeta, ModelMeta, Resources } from '../model/meta.ts'
import type { Attribute, Version } from './resource-schema.ts'
import type { AnySchema } from './schema.ts'

/**
 * The version that the application names: in the schema class, or by `@version` in the Prisma schema.
 * @throws {Error} for a column that cannot be one.
 */
export function declaredVersionOf(model: ModelMeta, { version }: AnySchema): Version | null {
  if (version === null) return null
  const column =
    version === undefined ? Object.values(model.columns).find(({ isVersion }) => isVersion) : model.columns[version]
  if (!column && version === undefined) return null
  if (column?.isUpdatedAt && !column.isNullable) return { kind: 'instant', column: column.name }
  if (column && isCounter(model, column)) return { kind: 'counter', column: column.name }
  throw new Error(
    `version = '${version ?? column?.name}': ${model.name} has no required Int or @updatedAt of that name that is no part of a key. Add it, or remove the line.`,
  )
}

const isCounter = (model: ModelMeta, { name, type, isNullable, isList, isForeignKey }: ColumnMeta): boolean =>
  type === 'Int' && !isNullable && !isList && !isForeignKey && !model.key.includes(name)

interface Inference {
  readonly resources: Resources
  readonly attributes: ReadonlyMap<string, Attribute>
}

/** The `@updatedAt` that clients see as it is: of a hidden one, an ETag would tell. */
export function inferredVersionOf({ version }: AnySchema, { resources, attributes }: Inference): Version | null {
  if (version !== undefined) return null
  const isShown = ({ column, readOnly, isConverted }: Attribute) =>
    column?.isUpdatedAt && !column.isNullable && readOnly && !isConverted && isPrecise(column, resources)
  const shown = [...attributes.values()].find((attribute) => isShown(attribute) && !attribute.writeOnly)
  return shown?.column ? { kind: 'instant', column: shown.column.name } : null
}

/** Does the column keep milliseconds; Prisma's own choice does. */
function isPrecise({ native }: ColumnMeta, { provider }: Resources): boolean {
  if (native === null) return true
  const [type, digits] = native
  if (type !== 'Timestamp' && type !== 'Timestamptz' && type !== 'DateTime') return false
  return digits === undefined ? provider !== 'mysql' && type !== 'DateTime' : Number(digits) >= 3
}

/** @throws {Error} where clients would have to name what there is none of. */
export function checkHasVersion(model: ModelMeta, version: Version | null): void {
  if (version) return
  throw new Error(
    `requiresIfMatch: ${model.name} has no version. Write /// @version above an Int of its own, say "version" in the schema class, or remove the line.`,
  )
}
