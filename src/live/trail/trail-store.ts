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
import { linkActions, linkIds, linkKeys, linkSides, overLogged } from './links.ts'
import { keyTexts, type Named, namedResource } from './named-resource.ts'
import { ChangeView } from './shown-change.ts'
import { seesAll, seesOne } from './sight.ts'

/** What the caller of a request sees of the log. */
interface Sight {
  readonly where: Condition
  readonly view: ChangeView
  /** What a condition about what is shown is about in the log. */
  over(where: Condition): Condition
}

/**
 * The store of a request for the trail: changes of rows that the caller may not see are not there, and the others are as the caller
 * may see them.
 */
export function trailStore(call: Call, session?: Session): Store {
  const { store } = call
  const narrowed = storeFor({ store, context: () => contextOf(call), named: () => namedRows(call, store, session) })
  // The context is over this store: what its caller sees is found out by it, and would wait for itself.
  return { ...narrowed, threads: null }
}

/** Where a page reads the log beside its document: as its caller may see it, where it is about one resource also what became of that. */
export function trailContext(ctx: ServerContext, named: Named | null): ServerContext {
  const store = storeFor({ store: ctx.store, context: () => ctx, named: async () => (named ? [named] : []) })
  return withParts(ctx, { store, abilityOf: ctx.abilityOf.over(store.reader) })
}

interface Asked {
  readonly store: Store
  context(): ServerContext
  /** The resources that are asked for: of a change of a link, those at both of its ends. */
  named(): Promise<readonly Named[]>
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
  const { where, view, over } = await sight()
  return shownIn(plan, await reader.read(narrowed(plan, where, over) as Plan<Kind>), view)
}

function narrowed(plan: Plan, where: Condition, over: Sight['over']): Plan {
  if (plan.kind === 'lookUp') return { ...plan, columns: withKey(plan.columns), rest: all(over(plan.rest), where) }
  if (plan.kind === 'rows') return { ...plan, columns: withKey(plan.columns), where: all(over(plan.where), where) }
  return { ...plan, where: all(over(plan.where), where) }
}

const withKey = (columns: readonly string[]): readonly string[] => [...new Set([...columns, 'model', 'key', 'action'])]

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
  const asked = (await find()).map(async (each) => {
    const isSeen = whole.has(each.schema.model.name) || (await seesOne(ctx, each.schema, each.id))
    return isSeen ? [each] : []
  })
  const seen = (await Promise.all(asked)).flat()
  const named = seen.find(({ schema }) => !whole.has(schema.model.name)) ?? seen[0] ?? null
  const view = new ChangeView(ctx, whole, named)
  const [modelColumn, keyColumn] = [columnOf(model, 'model'), columnOf(model, 'key')]
  const ofType = (schema: ResourceSchema) => all(equals(model, 'model', schema.model.name), view.tells(schema))
  // A table that is emptied names no link.
  const isLinked = compare(columnOf(model, 'action'), 'in', Object.keys(linkActions))
  const linksOfWhole = view.sides.filter(({ schema }) => whole.has(schema.model.name)).map(({ table }) => table)
  const ofWhole = [
    ...others.filter((schema) => whole.has(schema.model.name)).map(ofType),
    all(compare(modelColumn, 'in', linksOfWhole), isLinked),
  ]
  const over = (where: Condition) => overLogged(where, model, [...new Set(view.sides.map(({ table }) => table))])
  if (!named || whole.has(named.schema.model.name)) return { view, over, where: any(ofWhole) }
  const ofNamed = all(ofType(named.schema), compare(keyColumn, 'in', keyTexts(named.schema, named.id)))
  // Searches take no letter by its case on each database, and some signs for any: keys that are numbers have neither.
  const isNumber = named.schema.id.columns.every((column) => columnOf(named.schema.model, column).type !== 'String')
  const links = view.sides
    .filter(({ schema }) => schema === named.schema && isNumber)
    .flatMap((side) =>
      linkKeys(side, named.id).map(([operator, text]) =>
        all(equals(model, 'model', side.table), isLinked, compare(keyColumn, operator, text)),
      ),
    )
  return { view, over, where: any([...ofWhole, ofNamed, ...links]) }
}

const changeModel = ({ server }: ServerContext): ModelMeta => schemaOf(server.schemas, 'Change').model

/** The resources that a request is about: the caller may see them, and not all of their types. */
async function namedRows({ operation, koa, api }: Call, store: Store, session?: Session): Promise<readonly Named[]> {
  const { byType, byModel } = api.server.schemas
  if (operation?.kind !== 'view') {
    const named = namedResource(byType, String(koa.query['filter[resource]'] ?? ''))
    return named ? [named] : []
  }
  const { model, id } = operation.schema
  const key = id.parse(operation.id)
  const columns = ['model', 'key']
  const where = key && all(...equalsEach(model, key))
  const [row] = where
    ? await store.reader.read({
        kind: 'rows',
        model: model.name,
        columns,
        where,
        order: [],
        skip: 0,
        take: 1,
        ...(session && { session }),
      })
    : []
  if (!row) return []
  const schema = byModel.get(String(row.model))
  const changed = schema && keyOf(schema, String(row.key))
  if (schema) return changed ? [{ schema, id: schema.id.format(changed) }] : []
  const sides = linkSides(api.server.schemas).filter(({ table }) => table === row.model)
  const ids = sides.length > 0 ? linkIds(String(row.key)) : null
  return ids ? sides.map((side) => ({ schema: side.schema, id: ids[side.own] })) : []
}
