import { type Condition, type Visitor, visit } from '../condition/condition.ts'
import { parseCondition, UndefinedValue } from '../condition/parse.ts'
import type { ModelMeta, Resources } from '../model/meta.ts'
import type { Where } from '../model/where.ts'

/**
 * What a scope says of rows.
 * @throws {Error} that begins with the scope, for what Prisma would drop in silence, or read wrongly behind a relation.
 */
export function scopeCondition(where: Where | undefined, model: ModelMeta, models: Resources['models']): Condition {
  try {
    if (where === undefined) throw new UndefinedValue('the condition is undefined.')
    const condition = parseCondition(where, model, models)
    refuse(condition)
    return condition
  } catch (error) {
    const cure = error instanceof UndefinedValue ? ' Refuse the request, or hide all rows: { OR: [] }.' : ''
    throw new Error(`scope('${model.name}'): ${(error as Error).message}${cure}`, { cause: error })
  }
}

const refuse = (condition: Condition): void => visit(condition, refuseSearch, null)

// A client may put `not` before a relation. Of a search or an order inside of Json, Prisma then shows rows it should not.
const refuseSearch: Visitor<void, null> = {
  all: ({ conditions }) => conditions.forEach(refuse),
  any: ({ conditions }) => conditions.forEach(refuse),
  not: ({ condition }) => refuse(condition),
  related: ({ condition }) => refuse(condition),
  json({ column, operator }) {
    if (operator === 'equals' || operator === 'not') return
    throw new Error(`${column.name}: ${operator} inside of Json hides too little. Use equals, or a column.`)
  },
  compare() {},
  absent() {},
  constant() {},
}
