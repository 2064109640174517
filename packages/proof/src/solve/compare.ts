import type { Mode, Operator } from '@prismapi/jsonapi/condition/condition'
import type { Provider } from '@prismapi/jsonapi/model/meta'
import type { Value } from './domain.ts'

/** How a value is compared. */
export interface Comparing {
  readonly operator: Operator
  readonly mode: Mode
  readonly provider: Provider
}

/**
 * Whether a comparison holds in the database: null is unknown. Undefined for what only the database knows: an order of
 * texts, which depends on the collation, and searches in which LIKE reads wildcards.
 */
export function compareValues(
  value: Value,
  operand: Value,
  { operator, mode, provider }: Comparing,
): boolean | null | undefined {
  if (operand === null) {
    if (operator === 'equals') return value === null
    return operator === 'not' ? value !== null : undefined
  }
  const isText = typeof operand === 'string'
  switch (operator) {
    case 'equals':
    case 'not': {
      if (value === null) return null
      const isEqual = mode === null ? value === operand : folded(value) === folded(operand)
      return isEqual === (operator === 'equals')
    }
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      if (isText && provider !== 'sqlite') return undefined
      return value === null ? null : ordered(operator, value, operand)
    case 'contains':
    case 'startsWith':
    case 'endsWith': {
      if (!isText || /[%_\\\0]/.test(operand)) return undefined
      if (value === null) return null
      const ignoresCase = mode !== null || provider !== 'postgresql'
      const [text, part] = ignoresCase ? [folded(value), folded(operand)] : [String(value), operand]
      return searches[operator](text, part)
    }
    default:
      return undefined
  }
}

const folded = (value: Value): string => String(value).toLowerCase()

function ordered(
  operator: 'lt' | 'lte' | 'gt' | 'gte',
  value: NonNullable<Value>,
  operand: NonNullable<Value>,
): boolean {
  if (operator === 'lt') return value < operand
  if (operator === 'lte') return value <= operand
  return operator === 'gt' ? value > operand : value >= operand
}

const searches = {
  contains: (text: string, part: string) => text.includes(part),
  startsWith: (text: string, part: string) => text.startsWith(part),
  endsWith: (text: string, part: string) => text.endsWith(part),
}
