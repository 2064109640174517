import type { ColumnMeta, Provider } from '@prismapi/jsonapi/model/meta'
import type { DMMF } from '../prisma/schema-description.ts'
import { parseComment, toAnnotations } from './annotations.ts'

export function toColumn(field: DMMF.Field, provider: Provider, isForeignKey: boolean): ColumnMeta {
  const comment = parseComment(field.documentation)
  const only = (['date', 'time'] as const).find((word) => comment.annotations.has(word))
  return {
    name: field.name,
    column: field.dbName ?? field.name,
    type: field.type,
    isEnum: field.kind === 'enum',
    isList: field.isList,
    isNullable: !field.isRequired,
    isForeignKey,
    isUpdatedAt: field.isUpdatedAt === true,
    ...(comment.annotations.has('version') && { isVersion: true }),
    ...(comment.annotations.has('search') && { isSearched: true }),
    ...(only && { only }),
    ...(comment.annotations.has('untrusted') && { isUntrusted: true as const }),
    default: isCounted(field, provider) ? toDefault(field.default) : null,
    ...defaultValue(field.default),
    native: field.nativeType ? [field.nativeType[0], ...field.nativeType[1]] : null,
    ...toAnnotations(comment),
    documentation: comment.text,
  }
}

// SQLite counts what is an INTEGER to it, and Prisma makes a BigInt a BIGINT: its ids have to be given.
const isCounted = ({ type, default: value }: DMMF.Field, provider: Provider): boolean =>
  provider !== 'sqlite' || type !== 'BigInt' || toDefault(value) !== 'autoincrement'

function toDefault(value: DMMF.Field['default']): string | null {
  if (value === undefined) return null
  return typeof value === 'object' && 'name' in value ? value.name : 'value'
}

function defaultValue(value: DMMF.Field['default']): Pick<ColumnMeta, 'defaultValue'> {
  if (value === undefined || Array.isArray(value)) return {}
  if (typeof value !== 'object') return { defaultValue: value }
  // The argument of `dbgenerated` is the database's to read.
  const [version] = 'name' in value ? value.args : []
  return typeof version === 'number' ? { defaultValue: version } : {}
}
