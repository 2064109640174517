import type { DMMF } from '@prisma/generator-helper'
import type { ColumnMeta } from '../model/meta.ts'
import { parseComment, toAnnotations } from './annotations.ts'

export function toColumn(field: DMMF.Field, isForeignKey: boolean): ColumnMeta {
  const comment = parseComment(field.documentation)
  return {
    name: field.name,
    column: field.dbName ?? field.name,
    type: field.type,
    isEnum: field.kind === 'enum',
    isList: field.isList,
    isNullable: !field.isRequired,
    isForeignKey,
    isUpdatedAt: field.isUpdatedAt === true,
    default: toDefault(field.default),
    native: field.nativeType ? [field.nativeType[0], ...field.nativeType[1]] : null,
    ...toAnnotations(comment),
    documentation: comment.text,
  }
}

function toDefault(value: DMMF.Field['default']): string | null {
  if (value === undefined) return null
  return typeof value === 'object' && 'name' in value ? value.name : 'value'
}
