import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Row } from '@prismapi/jsonapi/model/where'
import { withParts } from '@prismapi/jsonapi/request/hook-context'
import type { AbilityOf, ModelAbility } from './ability.ts'

/**
 * The same context for questions about many rows. Questions of one turn of the event loop that only the database can
 * answer are one query for each condition, however many rows and actions it decides.
 */
export function askingTogether<Context extends { readonly abilityOf: AbilityOf }>(ctx: Context): Context {
  const built = new Map<string, ModelAbility>()
  const abilityOf: AbilityOf = (model) => {
    const ability = built.get(model) ?? ctx.abilityOf(model).askingTogether()
    built.set(model, ability)
    return ability
  }
  return withParts<{ readonly abilityOf: AbilityOf }>(ctx, { abilityOf }) as Context
}

interface Question {
  readonly rows: Row[]
  readonly answer: Promise<ReadonlySet<Row>>
}

/** Batches: questions with the same condition in one turn of the event loop become one query. */
export function askedTogether(among: ModelAbility['among']): ModelAbility['holds'] {
  const open = new Map<Condition, Question>()
  const questionOf = (condition: Condition): Question => {
    const known = open.get(condition)
    if (known) return known
    const rows: Row[] = []
    const answer = new Promise<ReadonlySet<Row>>((resolve) => {
      setImmediate(() => {
        open.delete(condition)
        resolve(among([...new Set(rows)], condition))
      })
    })
    open.set(condition, { rows, answer })
    return { rows, answer }
  }
  return async (row, condition) => {
    const { rows, answer } = questionOf(condition)
    rows.push(row)
    return (await answer).has(row)
  }
}
