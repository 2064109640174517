import { all, everything } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { parseCondition } from '../condition/parse.ts'
import { type Scopes, scopeOf } from '../condition/scopes.ts'
import type { Reader } from '../database/reader.ts'
import type { VisibleOptions, VisibleRows } from '../model/visible-rows.ts'
import type { Row } from '../model/where.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import { allColumns } from './columns.ts'
import { planLevel, planLookUp } from './plan.ts'
import type { ReadContext } from './read-context.ts'

/** What rows are looked for with. */
export type VisibleContext = Pick<ReadContext, 'allowedRows'> & {
  readonly server: Pick<ReadContext['server'], 'resources' | 'schemas'>
  readonly served: Pick<ReadContext['served'], 'scopes' | 'scopesById'>
}

/** Looks for rows with this reader: inside of a transaction, or outside of any. */
export function visibleRows(ctx: VisibleContext, reader: () => Reader): VisibleRows {
  const { schemas, resources } = ctx.server
  const conditionOf = (
    call: string,
    model: string,
    where: object,
    options: VisibleOptions,
    scopes: Scopes,
  ): Condition => {
    const { may } = options
    return all(
      given(call, model, where, resources.models),
      scopeOf(scopes, model),
      may === undefined ? null : ctx.allowedRows(model, may),
    )
  }
  return {
    async find(model, id, options = {}) {
      const schema = schemaOf(schemas, model)
      const key = schema.id.parse(String(id))
      if (!key) return null
      const rest = conditionOf('find', model, {}, options, ctx.served.scopesById)
      return (await reader().read(planLookUp(schema, allColumns(schema), { key, rest }))) as never
    },
    async list(model, where, options = {}) {
      const schema = schemaOf(schemas, model)
      const condition = conditionOf('list', model, where ?? {}, options, ctx.served.scopes)
      const plan = { ...planLevel(schema, allColumns(schema), condition), take: options.take ?? null }
      return [...(await reader().read(plan))] as never
    },
    async count(model, where, options = {}) {
      schemaOf(schemas, model)
      const condition = conditionOf('count', model, where ?? {}, options, ctx.served.scopes)
      return reader().read({ kind: 'count', model, where: condition })
    },
  }
}

/** @throws {Error} for a part that says nothing: Prisma would drop it, and the condition would hold for every row. */
function given(
  call: string,
  model: string,
  where: object,
  models: ReadContext['server']['resources']['models'],
): Condition {
  const meta = models[model]
  if (!meta || Object.keys(where as Row).length === 0) return everything
  try {
    return parseCondition(where, meta, models)
  } catch (error) {
    throw new Error(`${call}('${model}'): ${(error as Error).message}`, { cause: error })
  }
}
