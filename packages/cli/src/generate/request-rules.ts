import { hasRule, needsId } from '@prismapi/core/validation/rules/infer-rules'
import { fieldOfColumn, isTakenOver } from '@prismapi/core/validation/rules/unique-rules'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { isKeptByTarget, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { listed } from '../source.ts'

/** The rule of a field as source: `string()`, `required()`, `test(unique())`. */
export interface FieldRule {
  readonly field: string
  readonly calls: readonly string[]
  /** Of an enum: its name and values, which may need lines of their own. */
  readonly values: { readonly name: string; readonly list: readonly string[] } | null
  /** `required()` holds on create only: the rule does not know the current value. */
  readonly isWriteOnly: boolean
  /** The rule of a relationship that has to be there. */
  readonly isRequiredRelation: boolean
}

/** Relations that clients may write and whose links are kept in rows of another type, which a write changes. */
export const keptElsewhere = ({ relations }: ResourceSchema): readonly string[] =>
  [...relations.values()].filter((each) => !each.readOnly && isLeftToTarget(each)).map(({ name }) => name)

const isLeftToTarget = (relation: Relation): boolean => isKeptByTarget(relation) && relation.asksUpdate

/**
 * The inferred rules of each field that clients may write, without those relations
 * (docs/specification.md#inferred-rules).
 */
export function requestRules(type: ResourceSchema): readonly FieldRule[] {
  const rules = [
    ...(type.id.clientGenerated ? [plain('id', needsId(type) ? ['clientId()', 'required()'] : ['clientId()'])] : []),
    ...[...type.attributes.values()].filter((attribute) => hasRule(type, attribute)).map(attributeRule),
    ...[...type.relations.values()].filter((each) => !each.readOnly && !isLeftToTarget(each)).map(relationRule),
  ]
  return rules.map((rule) => ({ ...rule, calls: [...rule.calls, ...uniquesOf(type, rule.field, rules)] }))
}

const plain = (field: string, calls: readonly string[]): FieldRule => ({
  field,
  calls,
  values: null,
  isWriteOnly: false,
  isRequiredRelation: false,
})

function attributeRule(attribute: Attribute): FieldRule {
  const { name, isList, isNullable, isRequired, writeOnly, column, values } = attribute
  const value = valueRule(attribute)
  const calls = [
    ...(isList ? [`array(${value})`] : value.split(/(?<=\))\./)),
    ...(isNullable ? ['nullable()'] : isRequired ? ['required()'] : []),
  ]
  return {
    ...plain(name, calls),
    values: values && { name: column?.type ?? name, list: values },
    isWriteOnly: writeOnly && isRequired && !isNullable,
  }
}

function valueRule({ kind, column, values }: Attribute): string {
  switch (kind) {
    case 'string':
      return stringRule(column)
    case 'decimal':
      return `decimal(${decimalSize(column)})`
    case 'float':
      return 'number()'
    case 'datetime':
      return 'dateTime()'
    case 'enum':
      return `enumOf([${listed(values ?? [])}])`
    case 'integer':
    case 'bigint':
    case 'boolean':
    case 'date':
    case 'time':
    case 'json':
    case 'bytes':
      return `${kind}()`
    default:
      return kind satisfies never
  }
}

function stringRule(column: ColumnMeta | null): string {
  const [native = '', size] = column?.native ?? []
  if (native === 'Uuid') return 'uuid()'
  return /char$/i.test(native) && Number(size) > 0 ? `string().max(${size})` : 'string()'
}

function decimalSize(column: ColumnMeta | null): string {
  const [native, precision, scale = '0'] = column?.native ?? []
  return native === 'Decimal' && precision !== undefined ? `{ precision: ${precision}, scale: ${scale} }` : ''
}

function relationRule(relation: Relation): FieldRule {
  const { name, kind } = relation
  if (kind === 'hasMany' || kind === 'manyToMany' || kind === 'manyThrough') return plain(name, ['toMany()'])
  const isRequiredRelation = relation.isRequired
  const rest = isRequiredRelation ? ['required()'] : relation.isNullable ? ['nullable()'] : []
  return { ...plain(name, ['toOne()', ...rest]), isRequiredRelation }
}

// A unique of several fields is a rule of the last of them that has rules.
function uniquesOf(type: ResourceSchema, field: string, rules: readonly FieldRule[]): readonly string[] {
  const ruled = new Set(rules.map((rule) => rule.field))
  return type.model.uniques.flatMap((columns) => {
    if (columns.every((column) => type.id.columns.includes(column)) || isTakenOver(type, columns)) return []
    const fields = columns.map((column) => fieldOfColumn(type, column))
    if (fields.includes(null) || fields.findLast((name) => ruled.has(name as string)) !== field) return []
    const together = [...new Set(fields as string[])].filter((name) => name !== field)
    return [together.length > 0 ? `test(unique(${listed(together)}))` : 'test(unique())']
  })
}
