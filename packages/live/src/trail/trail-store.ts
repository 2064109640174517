import type { Answer, Plan, PlanKind, Reader } from '@prismapi/core/database/reader'
import type { Session } from '@prismapi/core/database/session'
import type { Store } from '@prismapi/core/database/store'
import { contextOf } from '@prismapi/core/http/call'
import type { RequestStore, Rows } from '@prismapi/core/read/rows'
import type { IncomingRequest } from '@prismapi/core/server/incoming-request'
import type { ServerContext } from '@prismapi/core/server/serving'
import { all, any, columnOf, compare, equals, equalsEach } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { wellFormedParameters } from '@prismapi/jsonapi/query/parameters'
import { withParts } from '@prismapi/jsonapi/request/hook-context'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { rowOfLoggedKey } from '../row-of-logged-key.ts'
import { linkActions, linkIds, linkKeys, linkSides, overLogged } from './links.ts'
import { ChangeView, keyTexts, type Named, namedResource } from './shown-change.ts'
import { seesAll, seesOne } from './sight.ts'

/** What the caller of a request sees of the log. */
interface Sight {
  readonly where: Condition
  readonly view: ChangeView
  /** Rewrites a condition on shown actions (`attach`) into one on logged actions (`create`). */
  over(where: Condition): Condition
}

/**
 * The store of a request for the trail: it has no changes of rows that the caller may not see, and shows the others as
 * the caller may see them.
 */
export function trailStore(store: Store, request: IncomingRequest, session?: Session): Store {
  const log = shownLog({ context: () => contextOf(request), named: () => namedRows(request, store, session) })
  // No threads: the context reads through this store to find what the caller sees, and would wait for itself.
  return { ...store, reader: log.over(store.reader), threads: null }
}

/**
 * The context in which a page reads the log as its caller may see it; on a resource's page, the resource's own history.
 */
export function trailContext(ctx: ServerContext, named: Named | null): ServerContext {
  const log = shownLog({ context: () => ctx, named: async () => (named ? [named] : []) })
  const around = (rows: Rows): Rows => rows.over(log.over(rows.unscoped))
  const { threads } = ctx.store
  const rows = around(ctx.rows)
  const store: RequestStore = {
    ...ctx.store,
    threads: threads && {
      ...threads,
      async read(work, isWorthTrying) {
        // It asks the database, which no work on a thread should wait for.
        await log.sight()
        return threads.read((within) => work(around(within)), isWorthTrying)
      },
    },
  }
  return withParts(ctx, { rows, store, abilityOf: ctx.abilityOf.over(rows.unscoped) })
}

interface Asked {
  context(): ServerContext
  /** The resources that are asked for: of a change of a link, those at both of its ends. */
  named(): Promise<readonly Named[]>
}

/** The log as a caller sees it. */
interface ShownLog {
  sight(): Promise<Sight>
  over(reader: Reader): Reader
}

function shownLog(asked: Asked): ShownLog {
  let found: Promise<Sight> | null = null
  const sight = () => {
    found ??= readSight(asked)
    return found
  }
  return {
    sight,
    over: (reader) => ({
      read: (plan) => (plan.model === 'Change' ? readLog(plan, reader, sight) : reader.read(plan)),
    }),
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
async function readSight({ context, named: find }: Asked): Promise<Sight> {
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
  // Only for numeric keys: `startsWith` ignores case on some databases and has wildcards.
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
async function namedRows(
  { operation, at, server }: IncomingRequest,
  store: Store,
  session?: Session,
): Promise<readonly Named[]> {
  const { byType, byModel } = server.schemas
  if (operation?.kind !== 'view') {
    const filters = wellFormedParameters(at).filter(({ key }) => key === 'filter[resource]')
    const named = namedResource(byType, filters.map(({ value }) => value).join(','))
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
  const changed = schema && rowOfLoggedKey(schema, String(row.key))
  if (schema) return changed ? [{ schema, id: schema.id.format(changed) }] : []
  const sides = linkSides(server.schemas).filter(({ table }) => table === row.model)
  const ids = sides.length > 0 ? linkIds(String(row.key)) : null
  return ids ? sides.map((side) => ({ schema: side.schema, id: ids[side.own] })) : []
}
