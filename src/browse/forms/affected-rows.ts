import { onThread } from '../../actions/on-thread.ts'
import { viewableOnly } from '../../auth/viewable.ts'
import { all, any, equalsEach, isEverything, related, relationOf } from '../../condition/build.ts'
import type { Condition } from '../../condition/condition.ts'
import type { Reader } from '../../database/reader.ts'
import type { ModelMeta, RelationMeta } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'
import { storedSeenOf } from '../../query/check-context.ts'
import { planCollection, scopesFor } from '../../read/plan.ts'
import { pick } from '../../read/resource.ts'
import { hookRequest } from '../../request/hook-request.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { Caller } from '../data/page-request.ts'

/** What becomes of rows that refer to one that is deleted: they go with it, they lose it, or they keep it from going. */
export type Fate = 'removed' | 'cleared' | 'kept'

export interface AffectedRows {
  readonly schema: ResourceSchema
  readonly fate: Fate
  /** How many of them the caller would be listed. */
  readonly count: number
}

const fates: Readonly<Record<string, Fate>> = { Cascade: 'removed', SetNull: 'cleared', SetDefault: 'cleared' }

/** What is removed with something that is removed with the row, and so on; cycles end here. */
const mostSteps = 3

// Foreign keys may have no index, and the rows that they are counted for no end.
const unpriced = { points: Number.POSITIVE_INFINITY, searched: 0 }

/** The rows that a delete of others is about: those that the caller would be listed, by relations that it sees. */
export async function affectedRows(
  caller: Caller,
  schema: ResourceSchema,
  rows: readonly Row[],
): Promise<readonly AffectedRows[]> {
  const { model } = schema
  const found = new Map<string, Found>()
  const own = any(rows.map((row) => all(...equalsEach(model, pick(row, model.key)))))
  collect(caller, { model, where: own, steps: mostSteps }, found)
  const counted = await onThread(caller.ctx, unpriced, ({ store }) =>
    Promise.all([...found.values()].map((each) => count(caller, each, store.reader))),
  )
  return counted.filter((each) => each.count > 0)
}

interface Found {
  readonly schema: ResourceSchema
  readonly fate: Fate
  readonly conditions: Condition[]
}

interface Removed {
  readonly model: ModelMeta
  /** The rows of the model that go. */
  readonly where: Condition
  readonly steps: number
}

function collect(caller: Caller, { model, where, steps }: Removed, found: Map<string, Found>): void {
  for (const schema of caller.api.schemas.byModel.values())
    for (const relation of Object.values(schema.model.relations)) {
      if (!relation.foreignKey || relation.model !== model.name || !isSeen(caller, schema, relation)) continue
      const fate = fates[relation.onDelete ?? ''] ?? 'kept'
      const key = `${schema.type} ${fate}`
      const { conditions } = found.get(key) ?? { conditions: [] }
      const theirs = related(relationOf(schema.model, relation.name), 'is', where)
      found.set(key, { schema, fate, conditions: [...conditions, theirs] })
      if (fate === 'removed' && steps > 1)
        collect(caller, { model: schema.model, where: theirs, steps: steps - 1 }, found)
    }
}

/** Does the caller see which rows the relation leads to: from one of its ends, and of all rows. */
function isSeen({ ctx, api }: Caller, schema: ResourceSchema, relation: RelationMeta): boolean {
  if (!api.audience.has(`${schema.type}.viewAny`)) return false
  const named = (each: ResourceSchema | undefined, field: string | null) =>
    [...(each?.relations.values() ?? [])].some((shown) => 'field' in shown && shown.field === field)
  const far = api.schemas.byModel.get(relation.model)
  if (!named(schema, relation.name) && !named(far, relation.inverse)) return false
  return isEverything(storedSeenOf(schema.model.name, relation.name, ctx))
}

async function count({ ctx }: Caller, { schema, fate, conditions }: Found, reader: Reader): Promise<AffectedRows> {
  const own = ctx.server.schemas.byModel.get(schema.model.name) as ResourceSchema
  const query = { fields: new Map(), order: [], filter: any(conditions), trashed: 'without' } as const
  const where = [own.hooks.indexQuery(hookRequest(ctx)), viewableOnly(ctx, own)]
  const listed = planCollection({ schema: own, query, scopes: scopesFor(ctx, query), where })
  const plan = { kind: 'count', model: own.model.name, where: listed.where } as const
  return { schema, fate, count: await reader.read(plan) }
}
