import { mayGet } from '@prismapi/core/actions/reading'
import { askingTogether } from '@prismapi/core/auth/asked-together'
import { checkPrice } from '@prismapi/core/price/check-price'
import { findEach } from '@prismapi/core/read/find'
import { countRelation } from '@prismapi/core/read/loading/load'
import { toResource } from '@prismapi/core/read/resource'
import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { asking, unlessRefused } from '../data/answer-to.ts'
import type { Caller, ShownDocument } from '../data/page-request.ts'

interface Listed {
  readonly type: string
  readonly resources: readonly ResourceObject[]
  /** The columns of the table; null for all. */
  readonly columns: ReadonlySet<string> | null
}

/**
 * How many related resources each row of a table has, where the API itself counts none, as a document tells it: by one
 * query for each column. Nothing is told of a row whose relationship the API would not show the caller.
 */
export async function countRelated(
  { ctx, api }: Caller,
  { type, resources, columns }: Listed,
): Promise<ShownDocument | null> {
  const schema = ctx.server.schemas.byType.get(type)
  const shown = new Set(resources.flatMap(({ relationships = {} }) => Object.keys(relationships)))
  const isCounted = (name: string) =>
    shown.has(name) && (columns?.has(name) ?? true) && api.audience.has(`${type}.${name}.viewRelated`)
  const relations = [...(schema?.relations.values() ?? [])]
    .filter(isToMany)
    .filter(({ name, isCountable }) => !isCountable && isCounted(name))
  if (!schema || relations.length === 0) return null
  const asked = askingTogether(asking(ctx, new URLSearchParams()))
  const counts = new Set(relations.map(({ name }) => name))
  const query = { include: new Map(), collections: new Map(), counts, page: null }
  return unlessRefused(async () => {
    await checkPrice(asked, { query, plan: null, schemas: [schema], parents: resources.length })
    const ids = resources.map(({ id }) => id)
    const found = [...(await findEach(asked, schema, ids)).values()].map((row) => toResource(schema, row))
    for (const relation of relations) {
      const may = await Promise.all(
        found.map(({ id, row }) => mayGet(asked, { kind: 'viewRelationship', schema, id, relation }, row)),
      )
      const seen = found.filter((_, i) => may[i])
      if (seen.length > 0) await countRelation(asked, relation, seen)
    }
    return { data: found.map(({ id, counts }) => ({ type, id, relationships: toldOf(counts ?? []) })) }
  })
}

const toldOf = (counts: Iterable<readonly [string, number]>): NonNullable<ResourceObject['relationships']> =>
  Object.fromEntries([...counts].map(([name, count]) => [name, { meta: { count } }]))
