import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '../../src/model/meta.ts'

/** A required column without a default; a type that is no scalar is an enum. */
export const columnOf = (name: string, type: string, more: Partial<ColumnMeta> = {}): ColumnMeta => ({
  name,
  column: name,
  type,
  isEnum: !/^(String|Int|BigInt|Float|Decimal|Boolean|DateTime|Json|Bytes)$/.test(type),
  isList: false,
  isNullable: false,
  isForeignKey: false,
  isUpdatedAt: false,
  default: null,
  native: null,
  documentation: null,
  hidden: false,
  readOnly: false,
  writeOnly: false,
  ...more,
})

export const relationOf = (name: string, model: string, more: Partial<RelationMeta> = {}): RelationMeta => ({
  name,
  model,
  isList: false,
  isNullable: false,
  relationName: name,
  foreignKey: null,
  inverse: null,
  join: null,
  onDelete: null,
  documentation: null,
  hidden: false,
  readOnly: false,
  writeOnly: false,
  ...more,
})

const byName = <T extends { readonly name: string }>(parts: readonly T[]) =>
  Object.fromEntries(parts.map((part) => [part.name, part]))

interface Parts {
  readonly columns: readonly ColumnMeta[]
  readonly relations?: readonly RelationMeta[]
  readonly key?: readonly string[]
  readonly operations?: ModelMeta['operations']
}

export const modelOf = (
  name: string,
  { columns, relations = [], key = ['id'], operations = ['read', 'create', 'update', 'delete'] }: Parts,
): ModelMeta => ({
  name,
  table: name,
  dbSchema: null,
  documentation: null,
  operations,
  key,
  keyName: key.length > 1 ? key.join('_') : null,
  uniques: [key],
  constraints: {},
  indexes: [key],
  columns: byName(columns),
  relations: byName(relations),
})

export const resourcesOf = (...models: readonly ModelMeta[]): Resources => ({
  provider: 'postgresql',
  models: byName(models),
  enums: { Color: { name: 'Color', values: ['RED', 'BLUE'], stored: {} } },
})
