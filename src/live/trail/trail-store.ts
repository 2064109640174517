import { all, any, columnOf, compare, equals, equalsEach } from '../../condition/build.ts'
import type { Condition } from '../../condition/condition.ts'
import type { Answer, Plan, PlanKind, Reader } from '../../database/reader.ts'
import type { Session } from '../../database/session.ts'
import type { Store } from '../../database/store.ts'
import { type Call, contextOf } from '../../http/call.ts'
import type { ModelMeta } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'
import { withParts } from '../../request/with-parts.ts'
import { type ResourceSchema, schemaOf } from '../../schema/resource-schema.ts'
import type { ServerContext } from '../../server/server-context.ts'
import { keyOf } from '../key-of.ts'
import { keyTexts, namedResource } from './named-resource.ts'
import { ChangeView } from './shown-change.ts'
import { seesAll, seesOne } from './sight.ts'

/** What the caller of a request sees of the log. */
interface Sight {
  readonly where: Condition
  readonly view: ChangeView
}

/**
 * The store of a request for the trail: changes of rows that the caller may not see are not there, and the others are as the caller
 * may see them.
 */
export function trailStore(call: Call, session?: Session): Store {
  const { store } = call
  const narrowed = storeFor({ store, context: () => contextOf(call), named: () => namedRow(call, store, session) })
  // The context is over this store: what its caller sees is found out by it, and would wait for itself.
  return { ...narrowed, threads: null }
}

/** Where a page reads the log beside its document: as its caller may see it, where it is about one resource also what became of that. */
export function trailContext(ctx: ServerContext, named: Named | null): ServerContext {
  const store = storeFor({ store: ctx.store, context: () => ctx, named: async () => named })
  return withParts(ctx, { store, abilityOf: ctx.abilityOf.over(store.reader) })
}

interface Asked {
  readonly store: Store
  context(): ServerContext
  /** The one resource that is asked for; null for none. */
  named(): Promise<Named | null>
}

function storeFor(asked: Asked): Store {
  const { store } = asked
  const { threads } = store
  let found: Promise<Sight> | null = null
  const sight = () => {
    found ??= sightOf(asked)
    return found
  }
  const over = (reader: Reader): Reader => ({
    read: (plan) => (plan.model === 'Change' ? readLog(plan, reader, sight) : reader.read(plan)),
  })
  return {
    ...store,
    reader: over(store.reader),
    threads: threads && {
      ...threads,
      async read(work, isWorthTrying) {
        // It asks the database, which no work on a thread should wait for.
        await sight()
        return threads.read((reader) => work(over(reader)), isWorthTrying)
      },
    },
  }
}

async function readLog<Kind extends PlanKind>(
  plan: Plan<Kind>,
  reader: Reader,
  sight: () => Promise<Sight>,
): Promise<Answer<Kind>> {
  const { where, view } = await sight()
  return shownIn(plan, await reader.read(narrowed(plan, where) as Plan<Kind>), view)
}

function narrowed(plan: Plan, where: Condition): Plan {
  if (plan.kind === 'lookUp') return { ...plan, columns: withKey(plan.columns), rest: all(plan.rest, where) }
  if (plan.kind === 'rows') return { ...plan, columns: withKey(plan.columns), where: all(plan.where, where) }
  return { ...plan, where: all(plan.where, where) }
}

const withKey = (columns: readonly string[]): readonly string[] => [...new Set([...columns, 'model', 'key'])]

function shownIn<Kind extends PlanKind>(plan: Plan<Kind>, answer: Answer<Kind>, view: ChangeView): Answer<Kind> {
  if (plan.kind === 'lookUp') return (answer && view.show(answer as Row)) as Answer<Kind>
  if (plan.kind === 'rows') return (answer as readonly Row[]).map((row) => view.show(row)) as unknown as Answer<Kind>
  return answer
}

/** Found out once for a request. */
async function sightOf({ context, named: find }: Asked): Promise<Sight> {
  const ctx = context()
  const model = changeModel(ctx)
  const others = [...ctx.server.schemas.byModel.values()].filter((schema) => schema.model !== model)
  const whole = new Set(others.filter((schema) => seesAll(ctx, schema)).map((schema) => schema.model.name))
  const named = await find()
  const view = new ChangeView(ctx, whole)
  const ofType = (schema: ResourceSchema) => all(equals(model, 'model', schema.model.name), view.tells(schema))
  const ofWhole = any(others.filter((schema) => whole.has(schema.model.name)).map(ofType))
  if (!named || whole.has(named.schema.model.name) || !(await seesOne(ctx, named.schema, named.id)))
    return { view, where: ofWhole }
  const ofNamed = all(ofType(named.schema), compare(columnOf(model, 'key'), 'in', keyTexts(named.schema, named.id)))
  return { view, where: any([ofWhole, ofNamed]) }
}

const changeModel = ({ server }: ServerContext): ModelMeta => schemaOf(server.schemas, 'Change').model

/** A resource that a log is asked about. */
interface Named {
  readonly schema: ResourceSchema
  readonly id: string
}

/** The one resource that a request is about: the caller may see it, and not all of its type. */
async function namedRow({ operation, koa, api }: Call, store: Store, session?: Session): Promise<Named | null> {
  const { byType, byModel } = api.server.schemas
  if (operation?.kind !== 'view') return namedResource(byType, String(koa.query['filter[resource]'] ?? ''))
  const { model, id } = operation.schema
  const key = id.parse(operation.id)
  const columns = ['model', 'key']
  const where = key && all(...equalsEach(model, key))
  const one = {
    kind: 'rows',
    model: model.name,
    columns,
    order: [],
    skip: 0,
    take: 1,
    ...(session && { session }),
  } as const
  // Nobody is shown it: what the caller may see is asked of the row that it is about.
  const [row] = where ? await store.reader.read({ ...one, where }) : []
  const schema = byModel.get(String(row?.model))
  const changed = row && schema && keyOf(schema, String(row.key))
  return schema && changed ? { schema, id: schema.id.format(changed) } : null
}
