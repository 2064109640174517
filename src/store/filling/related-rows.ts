import type { Identifier } from '../../document/types.ts'
import { every, type Row, scopeOf } from '../../model/where.ts'
import type { RequestContext } from '../../request/context.ts'
import { planLevel } from '../plan.ts'
import { allColumns, idsWhere } from '../resource.ts'

/**
 * The rows that a document's identifiers name, seen through the scopes: loaded when they are first asked for, once per
 * request, one query for each type. What a policy read through its lazy relation, validation and the write find here.
 */
export interface RelatedRows {
  /** In the order of the identifiers; null for one that does not exist, is hidden, or is of a type that is not served. */
  find(identifiers: readonly Identifier[]): Promise<readonly (Row | null)[]>
}

export function relatedRows(ctx: RequestContext): RelatedRows {
  const known = new Map<string, Promise<Row | null>>()
  const keyOf = ({ type, id }: Identifier): string => `${type}:${id}`
  return {
    find(identifiers) {
      const fresh = identifiers.filter((identifier) => !known.has(keyOf(identifier)))
      for (const type of new Set(fresh.map((identifier) => identifier.type))) {
        const ids = [...new Set(fresh.filter((identifier) => identifier.type === type).map(({ id }) => id))]
        const rows = load(ctx, type, ids)
        // Whoever asks for one of them waits for the query of all, and sees its failure.
        for (const id of ids)
          known.set(
            keyOf({ type, id }),
            rows.then((found) => found.get(id) ?? null),
          )
      }
      return Promise.all(identifiers.map((identifier) => known.get(keyOf(identifier)) ?? null))
    },
  }
}

async function load(ctx: RequestContext, type: string, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  const schema = ctx.server.schemas.byType.get(type)
  const keys = schema ? ids.map((id) => schema.id.parse(id)).filter((key) => key !== null) : []
  if (!schema || keys.length === 0) return new Map()
  const where = every(idsWhere(schema, keys), scopeOf(ctx.served.scopes, schema.model.name))
  const rows = await ctx.store.reader.rows(planLevel(schema, allColumns(schema), where))
  return new Map(rows.map((row) => [schema.id.format(row), row]))
}
