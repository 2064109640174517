import type { ColumnMeta, ModelMeta, RelationMeta } from '@prismapi/jsonapi/model/meta'
import { union } from './literal.ts'

/** How TypeScript calls the values of a column. */
interface ValueTypes {
  /** One that is read. */
  readonly read: string
  /** One that is written, or compared with. */
  readonly written: string
  /** A list of those: of one kind, as Prisma has it. */
  readonly list: string
}

const valueTypes = (read: string, ...written: readonly string[]): ValueTypes => ({
  read,
  written: written.join(' | '),
  list: written.map((type) => `${type}[]`).join(' | '),
})

const scalars: Readonly<Record<string, ValueTypes>> = {
  String: valueTypes('string', 'string'),
  Int: valueTypes('number', 'number'),
  Float: valueTypes('number', 'number'),
  BigInt: valueTypes('bigint', 'bigint', 'number'),
  Decimal: valueTypes('types.Decimal', 'types.DecimalLike', 'number', 'string'),
  Boolean: valueTypes('boolean', 'boolean'),
  DateTime: valueTypes('Date', 'Date', 'string'),
  Json: valueTypes('types.JsonValue', 'types.JsonInput'),
  Bytes: valueTypes('types.Bytes', 'types.Bytes'),
}

const enumName = (name: string): string => `${name}Enum`

const valuesOf = ({ type, isEnum }: ColumnMeta): ValueTypes =>
  isEnum ? valueTypes(enumName(type), enumName(type)) : (scalars[type] as ValueTypes)

export const renderEnum = (name: string, values: readonly string[]): string =>
  `export type ${enumName(name)} = ${union(values)}\n`

/** What is read of a row: its columns. */
export function renderRow({ name, columns }: ModelMeta): string {
  const members = Object.values(columns).map(
    (column) => `${comment(column)}  ${column.name}: ${readType(column)}${column.isNullable ? ' | null' : ''}\n`,
  )
  return `export type ${name}Row = {\n${members.join('')}}\n`
}

const readType = (column: ColumnMeta): string => `${valuesOf(column).read}${column.isList ? '[]' : ''}`

function comment({ documentation }: ColumnMeta): string {
  if (documentation === null) return ''
  const lines = documentation.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `  /** ${lines[0]} */\n`
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd()).join('\n')}\n   */\n`
}

/** What a condition on its rows may say. */
export function renderWhere({ name, columns, relations }: ModelMeta): string {
  const where = `${name}Where`
  const members = [
    `  AND?: ${where} | ${where}[]\n  OR?: ${where}[]\n  NOT?: ${where} | ${where}[]\n`,
    ...Object.values(columns).map((column) => `  ${column.name}?: ${columnTest(name, column)}\n`),
    ...Object.values(relations).map((relation) => `  ${relation.name}?: ${relationTest(relation)}\n`),
  ]
  return `export type ${where} = {\n${members.join('')}}\n`
}

function columnTest(model: string, column: ColumnMeta): string {
  const { type, isEnum, isList, isNullable } = column
  const { written, list } = valuesOf(column)
  if (isList) {
    const values = list === `${written}[]` ? '' : `, ${list}`
    return `types.ListFilter<${quoted(model)}, ${quoted(type)}, ${written}${values}>`
  }
  if (type === 'Json') return `types.JsonFilter<${quoted(model)}>`
  const of = `${quoted(model)}${isNullable ? ' | null' : ''}`
  const filter = isEnum ? `types.EnumFilter<${of}, ${quoted(type)}, ${written}>` : `types.${type}Filter<${of}>`
  return `${written} | ${filter}${isNullable ? ' | null' : ''}`
}

function relationTest({ model, isList, isNullable }: RelationMeta): string {
  if (isList) return `types.ToManyFilter<${model}Where>`
  return `types.ToOneFilter<${model}Where${isNullable ? ' | null' : ''}>`
}

/** What a row can be created from: its columns, relations by their foreign keys. */
export function renderData({ name, columns }: ModelMeta): string {
  const members = Object.values(columns).map((column) => {
    const isOptional = column.isNullable || column.isList || column.isUpdatedAt || column.default !== null
    return `  ${column.name}${isOptional ? '?' : ''}: ${dataType(column)}\n`
  })
  return `export type ${name}Data = {\n${members.join('')}}\n`
}

function dataType(column: ColumnMeta): string {
  const { written, list } = valuesOf(column)
  if (column.isList) return `${list} | { set: ${list} }`
  if (column.type === 'Json')
    return column.isNullable ? 'types.JsonInput | types.JsonNull | types.DbNull' : 'types.JsonInput | types.JsonNull'
  return column.isNullable ? `${written} | null` : written
}

const quoted = (name: string): string => `'${name}'`
