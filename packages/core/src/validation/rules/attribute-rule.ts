import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { type DecimalSize, integerRange } from '@prismapi/jsonapi/schema/attributes'
import type { Attribute } from '@prismapi/jsonapi/schema/resource-schema'
import type { Schema } from 'yup'
import {
  array,
  bigint,
  boolean,
  bytes,
  date,
  dateTime,
  decimal,
  enumOf,
  integer,
  json,
  number,
  string,
  time,
  uuid,
} from './rules.ts'

/** The rule that an attribute's column implies: its type, its size, whether it may be null or missing. */
export function attributeRule(attribute: Attribute, asksForRequired: boolean): Schema {
  const value = valueRule(attribute)
  const rule = attribute.isList ? array(value.nonNullable().defined()) : value
  if (attribute.isNullable) return rule.nullable()
  return attribute.isRequired && asksForRequired ? rule.required() : rule
}

function valueRule({ kind, column, values }: Attribute): Schema {
  switch (kind) {
    case 'string':
      return stringRule(column)
    case 'integer':
      return integer().min(integerRange(column).min).max(integerRange(column).max)
    case 'bigint':
      return bigint()
    case 'float':
      return number()
    case 'decimal':
      return decimal(decimalSize(column))
    case 'boolean':
      return boolean()
    case 'datetime':
      return dateTime()
    case 'date':
      return date()
    case 'time':
      return time()
    case 'json':
      return json()
    case 'bytes':
      return bytes()
    case 'enum':
      return enumOf(values ?? [])
    default:
      return kind satisfies never
  }
}

function stringRule(column: ColumnMeta | null): Schema {
  const [native = '', size] = column?.native ?? []
  if (native === 'Uuid') return uuid()
  return /char$/i.test(native) && Number(size) > 0 ? string().max(Number(size)) : string()
}

function decimalSize(column: ColumnMeta | null): DecimalSize | undefined {
  const [native, precision, scale] = column?.native ?? []
  return native === 'Decimal' && precision !== undefined
    ? { precision: Number(precision), scale: Number(scale ?? 0) }
    : undefined
}
