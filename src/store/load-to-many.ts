import { every, type OrderTerm, type Row, scopeOf } from '../model/where.ts'
import { toCheckContext } from '../query/check-context.ts'
import { checkIncludedCollection } from '../query/included-collection.ts'
import type { IncludedCollection } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import {
  type HasMany,
  type Link,
  type ManyThrough,
  type ManyToMany,
  type ResourceSchema,
  schemaOf,
  type ToMany,
} from '../schema/resource-schema.ts'
import { chunked } from './chunks.ts'
import { linkMeta } from './link-meta.ts'
import { parentKeys } from './load-to-one.ts'
import { keyOf, type Loading, type Read, toRead } from './loading.ts'
import {
  type CollectionPlan,
  hookRequest,
  noColumns,
  noOrder,
  planCollection,
  planLevel,
  scopesFor,
  shownInstants,
  withColumns,
} from './plan.ts'
import { allColumns, keysWhere, keyText, type Resource, relate } from './resource.ts'
import { shownPage } from './shown-page.ts'

/** The targets whose foreign keys name the resources: for each resource no more of them than it shows. */
export function loadHasMany(
  loading: Loading,
  relation: HasMany,
  resources: readonly Resource[],
): Promise<readonly Resource[]> {
  const { columns, references } = relation
  return loadCollections(loading, relation, resources, {
    keyOf: ({ row }) => keyOf(row, references),
    async read({ schema, order, where, columns: shown }, take) {
      const level = { ...planLevel(schema, withColumns(shown, columns), where, order), shown: shownOnly(schema, order) }
      const chunks = chunked(parentKeys(resources, references))
      const rows = await Promise.all(
        chunks.map((parents) => loading.ctx.store.reader.rows({ ...level, perParent: { columns, parents, take } })),
      )
      return rows.flat().map((row) => ({ parent: keyOf(row, columns), row }))
    },
  })
}

/** The targets of an implicit many-to-many: each row comes with the parents that it belongs to. */
export function loadThrough(
  loading: Loading,
  relation: ManyToMany,
  resources: readonly Resource[],
): Promise<readonly Resource[]> {
  const [key] = (resources[0] as Resource).schema.model.key as [string]
  return loadCollections(loading, relation, resources, {
    keyOf: ({ row }) => keyOf(row, [key]),
    async read({ schema, columns, order, where }, take) {
      const level = { ...planLevel(schema, columns, where, order), shown: shownOnly(schema, order) }
      const chunks = chunked(parentKeys(resources, [key]).flat())
      const joined = await Promise.all(
        chunks.map((parents) =>
          loading.ctx.store.reader.joined({ ...level, through: { relation: relation.inverse, key, parents, take } }),
        ),
      )
      return joined.flat().flatMap(({ row, parents }) => parents.map((parent) => ({ parent: keyText([parent]), row })))
    },
  })
}

/** The targets behind links: one query for the links, in the order of their targets, and one for the targets. */
export function loadLinked(
  loading: Loading,
  relation: ManyThrough,
  resources: readonly Resource[],
): Promise<readonly Resource[]> {
  const { ctx } = loading
  const { link } = relation
  const { from, to } = link
  return loadCollections(loading, relation, resources, {
    keyOf: ({ row }) => keyOf(row, from.references),
    async read(plan, take) {
      const links = await readLinks(ctx, link, { plan, parents: parentKeys(resources, from.references), take })
      const keys = [...new Map(links.map((each) => [keyOf(each, to.columns), to.columns.map((name) => each[name])]))]
      const columns = [...new Set([...plan.columns, ...to.references])]
      const read = chunked(keys.map(([, values]) => values)).map((chunk) =>
        ctx.store.reader.rows(planLevel(plan.schema, columns, keysWhere(to.references, chunk), noOrder)),
      )
      const targets = new Map((await Promise.all(read)).flat().map((row) => [keyOf(row, to.references), row]))
      return links.flatMap((each) => {
        const row = targets.get(keyOf(each, to.columns))
        return row ? [{ parent: keyOf(each, from.columns), row, link: each }] : []
      })
    },
  })
}

function keepLinkMeta(
  { ctx, fields }: Loading,
  { name, link }: ManyThrough,
  parent: Resource,
  rows: readonly ReadChild[],
): void {
  const pairs = rows.map((each) => ({ target: each.resource, link: each.link as Row }))
  const meta = linkMeta(ctx, { link, fields }, pairs)
  if (!meta) return
  parent.linkMeta ??= new Map()
  parent.linkMeta.set(name, meta)
}

interface LinksRead {
  /** The targets that are to be read. */
  readonly plan: CollectionPlan
  readonly parents: readonly (readonly unknown[])[]
  readonly take: number
}

async function readLinks(ctx: RequestContext, link: Link, { plan, parents, take }: LinksRead): Promise<readonly Row[]> {
  const schema = schemaOf(ctx.server.schemas, link.model)
  const far = Object.keys(plan.where).length > 0 ? { [link.to.name]: { is: plan.where } } : null
  const level = {
    ...planLevel(schema, allColumns(schema), every(scopeOf(ctx.served.scopes, link.model), far)),
    order: plan.order.map(({ path, direction }) => ({ path: [link.to.name, ...path], direction })),
  }
  const read = chunked(parents).map((chunk) =>
    ctx.store.reader.rows({ ...level, perParent: { columns: link.from.columns, parents: chunk, take } }),
  )
  return (await Promise.all(read)).flat()
}

interface Child {
  /** The key of the parent, as text. */
  readonly parent: string
  readonly row: Row
  /** What lies between the two, where that is a row of its own. */
  readonly link?: Row
}

interface ReadChild extends Read {
  readonly link: Row | undefined
}

/** How the children of parents are found: no more than `take` of each, in the plan's order. */
interface Children {
  keyOf(parent: Resource): string
  read(plan: CollectionPlan, take: number): Promise<readonly Child[]>
}

async function loadCollections(
  loading: Loading,
  relation: ToMany,
  parents: readonly Resource[],
  children: Children,
): Promise<readonly Resource[]> {
  const { ctx, collections } = loading
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const collection = collections.get(relation) ?? checkIncludedCollection([], schema, toCheckContext(ctx))
  const plan = planIncluded(loading, schema, collection)
  const byParent = new Map<string, ReadChild[]>(parents.map((parent) => [children.keyOf(parent), []]))
  // One more than is shown tells whether there is more.
  for (const { parent, row, link } of await children.read(plan, collection.size + 1))
    byParent.get(parent)?.push({ ...toRead(loading, schema, row), link })
  const shown = new Set<Resource>()
  for (const parent of parents) {
    const found = byParent.get(children.keyOf(parent)) as ReadChild[]
    const rows = found.slice(0, collection.size)
    const resources = rows.map(({ resource }) => resource)
    relate(parent, relation.name, resources)
    if (relation.kind === 'manyThrough') keepLinkMeta(loading, relation, parent, rows)
    const hasMore = found.length > rows.length
    const page = shownPage(ctx, plan, collection, { rows: rows.map(({ row }) => row), hasMore })
    if (page) parent.pages = new Map([...(parent.pages ?? []), [relation.name, page]])
    for (const resource of resources) shown.add(resource)
  }
  return [...shown]
}

/** What the relation's own URL would show, with the columns that its pages go on from. */
function planIncluded(
  { ctx, fields }: Loading,
  schema: ResourceSchema,
  collection: IncludedCollection,
): CollectionPlan {
  const plan = planCollection({
    schema,
    query: { ...collection, fields },
    scopes: scopesFor(ctx, collection),
    where: [schema.hooks.relatableQuery(hookRequest(ctx))],
  })
  const ordering = plan.order.flatMap(({ path }) => (path.length === 1 ? path : []))
  return { ...plan, columns: withColumns(plan.columns, ordering) }
}

/** The columns that the links of a page do not speak of either. */
function shownOnly(schema: ResourceSchema, order: CollectionPlan['order']): ReadonlySet<string> {
  const instants = shownInstants(schema)
  const isOrdered = ({ path: [column = ''] }: OrderTerm) => instants.has(column)
  return order.some(isOrdered) ? noColumns : instants
}
