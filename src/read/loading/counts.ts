import { all, among, columnsOf, isEverything, related, relationOf } from '../../condition/build.ts'
import type { Condition } from '../../condition/condition.ts'
import { scopeOf } from '../../condition/scopes.ts'
import { keyText, rowKey } from '../../database/keys.ts'
import type { Counted } from '../../database/reader.ts'
import type { Awaitable } from '../../model/awaitable.ts'
import type { ModelMeta } from '../../model/meta.ts'
import type { Query } from '../../query/query.ts'
import { hookRequest } from '../../request/hook-request.ts'
import {
  type HasMany,
  isToMany,
  keyColumns,
  type ManyThrough,
  type ManyToMany,
  type ToMany,
} from '../../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../../schema/resource-schema.ts'
import { chunked } from '../chunks.ts'
import type { ReadContext } from '../read-context.ts'
import { groupBySchema, type Resource } from '../resource.ts'
import { membersOf, seenBy } from '../row-conditions.ts'
import { parentKeys } from './loading.ts'

/**
 * In: resources that were read, and the relations that the query wants counted. Out: the same resources with the numbers
 * of what may be seen of those relations, by one query for each relation.
 */
export function loadCounts(ctx: ReadContext, resources: readonly Resource[], query: Query): Awaitable<unknown> {
  const { counts, fields } = query
  if (counts.size === 0) return undefined
  const loads = [...groupBySchema(resources)].flatMap(([schema, members]) =>
    [...schema.relations.values()]
      .filter(isToMany)
      .filter(
        ({ name, isCountable }) => isCountable && counts.has(name) && (fields.get(schema.type)?.has(name) ?? true),
      )
      .map((relation) => countRelation(ctx, relation, members)),
  )
  return Promise.all(loads)
}

/** How many resources of a row's to-many relation may be seen, whatever the query filters. */
export async function countMembers(ctx: ReadContext, relation: ToMany, { schema, row }: Resource): Promise<number> {
  const where = all(membersOf(relation, schema, row, seenBy(ctx)), shownWhere(ctx, relation))
  return ctx.store.reader.read({ kind: 'count', model: relation.model, where })
}

async function countRelation(ctx: ReadContext, relation: ToMany, parents: readonly Resource[]): Promise<void> {
  const [{ schema }] = parents as [Resource]
  const columns = countedBy(relation, schema)
  const keys = parentKeys(parents, columns)
  const found =
    relation.kind !== 'manyToMany'
      ? chunked(keys).map((chunk) => countByParent(ctx, relation, chunk))
      : chunked(keys, 2).map((chunk) => countThrough(ctx, relation, { columns, keys: chunk, model: schema.model }))
  const counts = new Map((await Promise.all(found)).flat().map(({ key, count }) => [keyText(key), count]))
  for (const parent of parents) {
    parent.counts ??= new Map()
    parent.counts.set(relation.name, counts.get(rowKey(parent.row, columns)) ?? 0)
  }
}

type Keys = readonly (readonly unknown[])[]

async function countByParent(
  ctx: ReadContext,
  relation: HasMany | ManyThrough,
  keys: Keys,
): Promise<readonly Counted[]> {
  const shown = shownWhere(ctx, relation)
  const { reader } = ctx.store
  const { models } = ctx.server.resources
  if (relation.kind === 'hasMany') {
    const { columns, model } = relation
    const where = all(among(columnsOf(models[model] as ModelMeta, columns), keys), shown)
    return reader.read({ kind: 'countBy', model, columns, where })
  }
  const { model, from, to } = relation.pivot
  const pivot = models[model] as ModelMeta
  const far = isEverything(shown) ? null : related(relationOf(pivot, to.name), 'is', shown)
  const where = all(among(columnsOf(pivot, from.columns), keys), scopeOf(ctx.served.scopes, model), far)
  return reader.read({ kind: 'countBy', model, columns: from.columns, where })
}

/** The columns by which a row is known to what is counted. */
const countedBy = (relation: ToMany, schema: ResourceSchema): readonly string[] =>
  relation.kind === 'manyToMany' ? schema.id.columns : keyColumns(relation)

interface Parents {
  readonly model: ModelMeta
  readonly columns: readonly string[]
  readonly keys: Keys
}

async function countThrough(
  ctx: ReadContext,
  relation: ManyToMany,
  { model, columns, keys }: Parents,
): Promise<readonly Counted[]> {
  const target = ctx.server.resources.models[relation.model] as ModelMeta
  return ctx.store.reader.read({
    kind: 'countThrough',
    model: model.name,
    columns,
    where: among(columnsOf(model, columns), keys),
    relation: relationOf(model, relation.field),
    inverse: relationOf(target, relation.inverse),
    counted: shownWhere(ctx, relation),
  })
}

/** What a relation's own URL shows of its target, without what else it is asked. */
function shownWhere(ctx: ReadContext, { model }: ToMany): Condition {
  const { hooks } = schemaOf(ctx.server.schemas, model)
  return all(scopeOf(ctx.served.scopes, model), hooks.relatableQuery(hookRequest(ctx)))
}
