import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { Attribute, AttributeKind } from '@prismapi/jsonapi/schema/resource-schema'
import { deprecatedPart } from './deprecations.ts'
import { described, type Part } from './described.ts'

/** The JSON Schema of one value of a kind, which is not null: as documents write it, and queries do. */
export function valueSchema(kind: AttributeKind, column: ColumnMeta | null, values: readonly string[] | null): Part {
  switch (kind) {
    case 'string':
      return textSchema(column)
    case 'integer':
      return { type: 'integer', format: 'int32' }
    case 'bigint':
      return { type: 'string', pattern: '^-?\\d+$' }
    case 'float':
      return { type: 'number', format: 'double' }
    case 'decimal':
      return { type: 'string', pattern: '^-?\\d+(?:\\.\\d+)?$' }
    case 'boolean':
      return { type: 'boolean' }
    case 'datetime':
      return { type: 'string', format: 'date-time' }
    case 'date':
      return { type: 'string', format: 'date' }
    // The format `time` wants a zone.
    case 'time':
      return { type: 'string', pattern: '^\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,3})?)?$' }
    case 'json':
      return {}
    case 'bytes':
      return { type: 'string', contentEncoding: 'base64' }
    case 'enum':
      return { type: 'string', enum: values ?? [] }
    default:
      return kind satisfies never
  }
}

function textSchema(column: ColumnMeta | null): Part {
  const [native = '', size] = column?.native ?? []
  const hasSize = /char$/i.test(native) && Number(size) > 0
  return {
    type: 'string',
    ...(native === 'Uuid' && { format: 'uuid' }),
    ...(hasSize && { maxLength: Number(size) }),
  }
}

/** The values that the attribute's column can hold, except null; null where only the application knows its values. */
export function storedSchema({ kind, column, values, isList, isConverted }: Attribute): Part | null {
  if (!column || isConverted) return null
  const value = valueSchema(kind, column, values)
  return isList ? { type: 'array', items: value } : value
}

/** An attribute as resources show it. */
export function shownSchema(attribute: Attribute, readOnly: boolean): Part {
  const { isNullable, column, deprecation } = attribute
  const stored = storedSchema(attribute) ?? {}
  return {
    ...(isNullable ? orNull(stored) : stored),
    ...(readOnly && { readOnly }),
    ...described(column?.documentation),
    ...deprecatedPart(deprecation),
  }
}

/** The same schema, and null. */
export function orNull(schema: Part): Part {
  const { type, enum: values } = schema
  if ('$ref' in schema || 'anyOf' in schema) return { anyOf: [schema, { type: 'null' }] }
  if (typeof type !== 'string') return schema
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
}
