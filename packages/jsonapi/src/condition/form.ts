import type { Compare, Condition, Operator } from './condition.ts'

/** What conditions have in common that differ in the values of comparisons alone. */
export interface ConditionForm {
  /** Two conditions on the rows of one model have the same text exactly where they have the same form. */
  readonly text: string
  /** Those whose values may be others, in the order of the text. */
  readonly comparisons: readonly Compare[]
}

/** The form of a condition; null where more than the values of comparisons decides what is asked. */
export function conditionForm(condition: Condition): ConditionForm | null {
  const comparisons: Compare[] = []
  const text = textOf(condition, comparisons)
  return text === null ? null : { text, comparisons }
}

/** With any value but null, the same is asked. */
const comparing: ReadonlySet<Operator> = new Set(['equals', 'not', 'lt', 'lte', 'gt', 'gte'])

function textOf(condition: Condition, comparisons: Compare[]): string | null {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      let text = ''
      for (const each of condition.conditions) {
        const part = textOf(each, comparisons)
        if (part === null) return null
        text += part
      }
      return `${condition.kind}(${text})`
    }
    case 'not': {
      const text = textOf(condition.condition, comparisons)
      return text && `!${text}`
    }
    case 'compare': {
      const { column, operator, value, mode, words } = condition
      if (!comparing.has(operator) || mode !== null || words) return null
      if (value === null) return `${column.name} ${operator} null;`
      comparisons.push(condition)
      return `${column.name} ${operator};`
    }
    default:
      return null
  }
}
