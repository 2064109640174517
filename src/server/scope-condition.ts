import { isPlain, toCondition } from '../auth/conditions.ts'
import type { ModelMeta, Resources } from '../model/meta.ts'
import type { Where } from '../model/where.ts'

type Models = Resources['models']

/**
 * A scope's condition in the one form that hides what it says.
 * @throws {Error} that begins with the scope, for what Prisma would drop in silence, or read wrongly behind a relation.
 */
export function scopeCondition(where: Where, model: ModelMeta, models: Models): Where {
  try {
    const condition = toCondition(where, model, models)
    refuseSearch(condition, model, models)
    return condition
  } catch (error) {
    throw new Error(`scope('${model.name}'): ${(error as Error).message}`, { cause: error })
  }
}

const exact: ReadonlySet<string> = new Set(['path', 'equals', 'not'])

// A client may put `not` before a relation. Of a search or an order inside of Json, Prisma then shows rows it should not.
function refuseSearch(where: unknown, model: ModelMeta, models: Models): void {
  if (Array.isArray(where)) for (const branch of where) refuseSearch(branch, model, models)
  if (!isPlain(where)) return
  for (const [key, value] of Object.entries(where)) {
    const relation = Object.hasOwn(model.relations, key) ? model.relations[key] : undefined
    const column = Object.hasOwn(model.columns, key) ? model.columns[key] : undefined
    if (relation) refuseSearch(value, models[relation.model] as ModelMeta, models)
    else if (!column) refuseSearch(value, model, models)
    else if (column.type === 'Json' && isPlain(value)) {
      const operator = Object.keys(value).find((name) => !exact.has(name))
      if (operator) throw new Error(`${key}: ${operator} inside of Json hides too little. Use equals, or a column.`)
    }
  }
}
