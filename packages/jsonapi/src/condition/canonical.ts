import { isPlain } from '../document/types.ts'
import type { ColumnMeta } from '../model/meta.ts'
import { type All, type Any, type Compare, type Condition, type Visitor, visit } from './condition.ts'

/**
 * A condition as a text: two that say the same in another order, or whose members
 * stand in another order, have the same one. An instant that rows are ordered around
 * (`publishedAt` before now) is left out of it, because it moves with the clock.
 */
export const canonical = (condition: Condition): string => visit(condition, toText, null)

const toText: Visitor<string, null> = {
  all: joinTexts,
  any: joinTexts,
  not: ({ condition }) => `not(${canonical(condition)})`,
  compare: (node) => `${node.column.name} ${node.operator}${node.mode ? ` ${node.mode}` : ''} ${toOperandText(node)}`,
  json: ({ column, path, operator, value, mode }) =>
    `${column.name}${valueText(path)} ${operator}${mode ? ' insensitive' : ''} ${valueText(value)}`,
  related: ({ relation, quantifier, condition }) => `${relation.name} ${quantifier}(${canonical(condition)})`,
  absent: ({ relation }) => `${relation.name} absent`,
  constant: ({ holds }) => String(holds),
}

function joinTexts(node: All | Any): string {
  const texts = [...new Set(partsOf(node).map(canonical))].sort()
  return texts.length === 1 ? (texts[0] as string) : `${node.kind}(${texts.join()})`
}

/** With those of parts that are joined in the same way. */
const partsOf = ({ kind, conditions }: All | Any): readonly Condition[] =>
  conditions.flatMap((each) => (each.kind === kind ? partsOf(each as All | Any) : [each]))

const ordering: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte'])
const ofMembers: ReadonlySet<string> = new Set(['in', 'notIn', 'hasSome', 'hasEvery'])

function toOperandText({ column, operator, value }: Compare): string {
  if (isInstant(column) && ordering.has(operator)) return 'an instant'
  if (ofMembers.has(operator) && Array.isArray(value)) return `[${[...new Set(value.map(valueText))].sort().join()}]`
  return valueText(value)
}

const isInstant = ({ type }: ColumnMeta): boolean => type === 'DateTime'

function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join()}]`
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (isPlain(value)) {
    const members = Object.keys(value).sort()
    return `{${members.map((name) => `${JSON.stringify(name)}:${valueText(value[name])}`).join()}}`
  }
  // Numbers, Decimals, and the nulls that Prisma has for Json.
  return String(value)
}
