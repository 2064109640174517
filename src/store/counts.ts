import { every, scopeOf, type Where } from '../model/where.ts'
import type { Query } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import { type HasMany, isToMany, type ManyToMany, schemaOf, type ToMany } from '../schema/resource-schema.ts'
import { chunked, groupBySchema } from './chunks.ts'
import { hookRequest, membersOf } from './plan.ts'
import type { Counted } from './reader.ts'
import { keysWhere, keyText, type Resource } from './resource.ts'

/**
 * In: resources that were read, and the relations that the query wants counted. Out: the same resources with the numbers
 * of what may be seen of those relations, by one query for each relation.
 */
export async function loadCounts(ctx: RequestContext, resources: readonly Resource[], query: Query): Promise<void> {
  const { counts, fields } = query
  if (counts.size === 0) return
  const loads = [...groupBySchema(resources)].flatMap(([schema, members]) =>
    [...schema.relations.values()]
      .filter(isToMany)
      .filter(
        ({ name, isCountable }) => isCountable && counts.has(name) && (fields.get(schema.type)?.has(name) ?? true),
      )
      .map((relation) => countRelation(ctx, relation, members)),
  )
  await Promise.all(loads)
}

/** How many resources of a row's to-many relation may be seen, whatever the query filters. */
export function countMembers(ctx: RequestContext, relation: ToMany, { schema, row }: Resource): Promise<number> {
  return ctx.store.reader.count(relation.model, every(membersOf(relation, schema, row), shownWhere(ctx, relation)))
}

async function countRelation(ctx: RequestContext, relation: ToMany, parents: readonly Resource[]): Promise<void> {
  const [{ schema }] = parents as [Resource]
  const columns = relation.kind === 'hasMany' ? relation.references : schema.id.columns
  const keyOf = ({ row }: Resource) => columns.map((column) => row[column])
  const known = parents.map(keyOf).filter((values) => values.every((value) => value !== null))
  const keys = [...new Map(known.map((values) => [keyText(values), values])).values()]
  const found =
    relation.kind === 'hasMany'
      ? chunked(keys).map((chunk) => countByParent(ctx, relation, chunk))
      : chunked(keys, 2).map((chunk) => countThrough(ctx, relation, { columns, keys: chunk, model: schema.model.name }))
  const counts = new Map((await Promise.all(found)).flat().map(({ key, count }) => [keyText(key), count]))
  for (const parent of parents) parent.counts.set(relation.name, counts.get(keyText(keyOf(parent))) ?? 0)
}

type Keys = readonly (readonly unknown[])[]

const countByParent = (ctx: RequestContext, relation: HasMany, keys: Keys): Promise<readonly Counted[]> =>
  ctx.store.reader.countBy(
    relation.model,
    relation.columns,
    every(keysWhere(relation.columns, keys), shownWhere(ctx, relation)),
  )

interface Parents {
  readonly model: string
  readonly columns: readonly string[]
  readonly keys: Keys
}

function countThrough(
  ctx: RequestContext,
  relation: ManyToMany,
  { model, columns, keys }: Parents,
): Promise<readonly Counted[]> {
  const where = keysWhere(columns, keys)
  // Prisma counts apart from the parents, for all there are: without this, every link of the table.
  const counted = every({ [relation.inverse]: { some: where } }, shownWhere(ctx, relation))
  return ctx.store.reader.countThrough({ model, columns, where, relation: relation.field, counted })
}

/** What a relation's own URL shows of its target, without what else it is asked. */
function shownWhere(ctx: RequestContext, { model }: ToMany): Where {
  const { hooks } = schemaOf(ctx.server.schemas, model)
  return every(scopeOf(ctx.served.scopes, model), hooks.relatableQuery(hookRequest(ctx)))
}
