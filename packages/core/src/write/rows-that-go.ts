import { among, columnsOf, equals, related, relationOf, all as together } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { goesWithTooMuch } from '@prismapi/jsonapi/document/errors'
import { fateOf, type ModelMeta, type RelationMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { pointsOfGone } from '@prismapi/jsonapi/request/write-state'
import type { WriteContext } from './write-context.ts'

/**
 * Counts the links and rows that the database deletes, or sets to null, with a row: by one statement, which SQLite runs
 * in the event loop. All of them count, whether the caller sees them or not.
 *
 * @throws {JsonApiError} 400 where they cost more than a request may
 */
export async function payForRowsThatGo(ctx: WriteContext, model: ModelMeta, row: Row): Promise<void> {
  for (const { model: gone, where } of goingWith(ctx.server.resources.models, model, row)) {
    const take = ctx.spent.left(pointsOfGone) + 1
    const columns = gone.key.length > 0 ? gone.key : Object.keys(gone.columns).slice(0, 1)
    const rows = await ctx.rows.unscoped.read({
      kind: 'rows',
      model: gone.name,
      columns,
      where,
      order: [],
      skip: 0,
      take,
    })
    if (rows.length >= take) throw goesWithTooMuch()
    if (rows.length > 0) ctx.spent.add(rows.length * pointsOfGone)
  }
}

type Models = Readonly<Record<string, ModelMeta>>

/** Rows that go, or whose links go. */
interface Going {
  readonly model: ModelMeta
  readonly where: Condition
}

function* goingWith(models: Models, model: ModelMeta, row: Row): Generator<Going> {
  const itself = together(...model.key.map((column) => equals(model, column, row[column])))
  yield* linksOf(models, model, itself)
  for (const { child, relation } of childrenOf(models, model)) {
    const { columns, references } = relation.foreignKey as NonNullable<RelationMeta['foreignKey']>
    const key = references.map((column) => row[column])
    if (key.some((value) => value === null || value === undefined)) continue
    yield* goingThrough(models, { child, relation, where: among(columnsOf(child, columns), [key]) }, new Set([model]))
  }
}

interface Child {
  readonly child: ModelMeta
  /** By which it names the row. */
  readonly relation: RelationMeta
}

/** Rows of each model once on the way: what goes around in circles is counted once. */
function* goingThrough(
  models: Models,
  { child, relation, where }: Child & { readonly where: Condition },
  above: ReadonlySet<ModelMeta>,
): Generator<Going> {
  yield { model: child, where }
  if (above.has(child) || fateOf(child, relation) !== 'removed') return
  yield* linksOf(models, child, where)
  for (const next of childrenOf(models, child)) {
    const behind = related(relationOf(next.child, next.relation.name), 'is', where)
    yield* goingThrough(models, { ...next, where: behind }, new Set([...above, child]))
  }
}

/** The rows that are linked by join tables: each link is a row that goes. */
function* linksOf(models: Models, model: ModelMeta, where: Condition): Generator<Going> {
  for (const { join, inverse, model: name } of Object.values(model.relations)) {
    const target = models[name]
    if (join && inverse && target) yield { model: target, where: related(relationOf(target, inverse), 'some', where) }
  }
}

/** The relations of other rows, and of its own, that end where a row of the model goes. */
function* childrenOf(models: Models, model: ModelMeta): Generator<Child> {
  for (const child of Object.values(models))
    for (const relation of Object.values(child.relations))
      if (relation.foreignKey && relation.model === model.name && fateOf(child, relation) !== 'kept')
        yield { child, relation }
}
