import { checkMany } from '@prismapi/core/actions/fetch-many'
import type { ServerContext } from '@prismapi/core/server/serving'
import { among, any, columnsOf, isEverything, related } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { type Fate, fateOf, type ModelMeta, type RelationMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { storedSeenOf } from '@prismapi/jsonapi/query/query-context'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { asking, unlessRefused } from '../data/answer-to.ts'
import { countListed, type Pays, purse } from '../data/count-listed.ts'
import type { Caller } from '../data/page-request.ts'

export interface AffectedRows {
  readonly schema: ResourceSchema
  readonly fate: Fate
  /** How many of them the caller would be listed; null where it costs too much to count them. */
  readonly count: number | null
}

/** What is removed with something that is removed with the row, and so on; cycles end here. */
const mostSteps = 3

/** The rows that a delete of others is about: those that the caller would be listed, by relations that it sees. */
export async function affectedRows(
  caller: Caller,
  schema: ResourceSchema,
  rows: readonly Row[],
): Promise<readonly AffectedRows[]> {
  const { ctx } = caller
  const found = new Map<string, Found>()
  collect(caller, { model: schema.model, refersTo: naming(rows), steps: mostSteps }, found)
  await ctx.store.tableSizes.first()
  const pays = purse(ctx.limits.cost)
  const counted: AffectedRows[] = []
  // One after the other: a page takes one connection.
  for (const each of found.values()) counted.push(...((await unlessRefused(() => count(ctx, each, pays))) ?? []))
  return counted
}

interface Found {
  readonly schema: ResourceSchema
  readonly fate: Fate
  readonly conditions: Condition[]
}

interface Removed {
  readonly model: ModelMeta
  /** The condition that a row refers by the relation to one of the rows that go. */
  refersTo(relation: RelationMeta, model: ModelMeta): Condition
  readonly steps: number
}

/** By their foreign keys, whose indexes find them. */
const naming =
  (rows: readonly Row[]): Removed['refersTo'] =>
  ({ foreignKey }, model) => {
    const { columns, references } = foreignKey as NonNullable<RelationMeta['foreignKey']>
    const keys = rows.map((row) => references.map((column) => row[column]))
    return among(
      columnsOf(model, columns),
      keys.filter((values) => !values.includes(null)),
    )
  }

function collect(caller: Caller, { model, refersTo, steps }: Removed, found: Map<string, Found>): void {
  for (const schema of caller.api.schemas.byModel.values())
    for (const relation of Object.values(schema.model.relations)) {
      if (!relation.foreignKey || relation.model !== model.name || !isSeen(caller, schema, relation)) continue
      const fate = fateOf(schema.model, relation)
      const key = `${schema.type} ${fate}`
      const { conditions } = found.get(key) ?? { conditions: [] }
      const theirs = refersTo(relation, schema.model)
      found.set(key, { schema, fate, conditions: [...conditions, theirs] })
      if (fate !== 'removed' || steps === 1) continue
      const behind = (other: RelationMeta) => related(other, 'is', theirs)
      collect(caller, { model: schema.model, refersTo: behind, steps: steps - 1 }, found)
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

/** None of what the caller would not be listed: it may be refused only once it asks. */
async function count(
  ctx: ServerContext,
  { schema, fate, conditions }: Found,
  pays: Pays,
): Promise<readonly AffectedRows[]> {
  const own = schemaOf(ctx.server.schemas, schema.model.name)
  const asked = asking(ctx, new URLSearchParams())
  const checked = await checkMany(asked, { kind: 'viewAny', schema: own })
  const where = [...checked.where, any(conditions)]
  const count = await countListed(asked, { checked: { ...checked, where }, counted: true }, pays)
  return count === 0 ? [] : [{ schema, fate, count }]
}
