import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { judge, type Verdict } from '@prismapi/jsonapi/condition/memory'
import type { FieldAccess } from '@prismapi/jsonapi/condition/scopes'
import type { Can } from '@prismapi/jsonapi/document/types'
import { type Awaitable, after } from '@prismapi/jsonapi/model/awaitable'
import { type BoundedCache, boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ConcealedField } from '@prismapi/jsonapi/request/observer'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { readNamedRows } from './find.ts'
import type { ShownPage } from './loading/load-collections.ts'
import type { PivotMeta } from './loading/pivot-meta.ts'
import type { ReadContext } from './read-context.ts'

/**
 * A row that was read, as a node of the graph that a document shows. There is one for each type and id in a request;
 * `related` and `counts` hold what was loaded of its relations.
 */
export interface Resource {
  readonly schema: ResourceSchema
  readonly id: string
  readonly row: Row
  /** By the relation's name. Null, as the members below, while nothing is loaded: most resources are shown so. */
  related: Map<string, Resource | null | readonly Resource[]> | null
  /** How included to-many relations go on, where that is told. */
  pages: Map<string, ShownPage> | null
  /** The numbers of resources in to-many relations, as far as they were asked for. */
  counts: Map<string, number> | null
  /** What the pivots of many-to-many relations say, where they are rows of their own. */
  pivotMeta: Map<string, PivotMeta> | null
  /** What the caller may do with it, where that is told. */
  can: Can | null
  /** The fields that the caller may not see of it; null where it sees all, undefined before that was looked at. */
  hidden: ReadonlySet<string> | null | undefined
}

/** What is hidden of a resource that the caller may not view: all but type and id. */
export const noField: ReadonlySet<string> = Object.freeze(
  new (class extends Set<string> {
    override has(): boolean {
      return true
    }
  })(),
)

export const toResource = (schema: ResourceSchema, row: Row): Resource => ({
  schema,
  id: schema.id.format(row),
  row,
  related: null,
  pages: null,
  counts: null,
  pivotMeta: null,
  can: null,
  hidden: undefined,
})

/** Remembers what was loaded of a relation. */
export function relate(resource: Resource, name: string, targets: Resource | null | readonly Resource[]): void {
  resource.related ??= new Map()
  resource.related.set(name, targets)
}

export const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]))

// Node 20 has no Map.groupBy.
export function groupBySchema(resources: readonly Resource[]): ReadonlyMap<ResourceSchema, readonly Resource[]> {
  const groups = new Map<ResourceSchema, Resource[]>()
  for (const resource of resources) {
    const group = groups.get(resource.schema)
    if (group) group.push(resource)
    else groups.set(resource.schema, [resource])
  }
  return groups
}

interface MarkingContext extends Pick<ReadContext, 'rows' | 'seen' | 'observer'> {
  readonly server: { readonly resources: Pick<Resources, 'provider'> }
}

/**
 * Marks the fields of the resources that their caller may not see, each once. Conditions on columns that were read are
 * judged in memory; each other condition costs one query for all rows of a type.
 */
export function markHiddenFields(ctx: MarkingContext, resources: Iterable<Resource>): Awaitable<unknown> {
  let open: Map<ResourceSchema, Resource[]> | null = null
  for (const resource of resources) {
    const { schema } = resource
    if (resource.hidden !== undefined) continue
    if (ctx.seen(schema.model.name) === null) {
      resource.hidden = null
      continue
    }
    open ??= new Map()
    const same = open.get(schema)
    if (same) same.push(resource)
    else open.set(schema, [resource])
  }
  return open && markEachType(ctx, [...open])
}

function markEachType(
  ctx: MarkingContext,
  open: readonly (readonly [ResourceSchema, readonly Resource[]])[],
): Awaitable<unknown> {
  const [first, ...rest] = open
  if (!first) return undefined
  const [schema, resources] = first
  return after(markOfType(ctx, schema, resources), () => markEachType(ctx, rest))
}

function markOfType(ctx: MarkingContext, schema: ResourceSchema, resources: readonly Resource[]): Awaitable<unknown> {
  const access = ctx.seen(schema.model.name) as FieldAccess
  const masks = masksOf(access)
  const { provider } = ctx.server.resources
  let unjudged: Unjudged[] | null = null
  const verdicts = masks.map(({ condition }) => {
    const judged = resources.map(({ row }) => judge(condition, { row, provider }))
    if (judged.includes('ask')) {
      unjudged ??= []
      unjudged.push({ condition, judged })
    }
    return judged
  })
  const note = () => {
    const setOf = hiddenSets(schema)
    for (const [i, resource] of resources.entries()) {
      let names = ''
      for (const [at, judged] of verdicts.entries()) if (judged[i] !== true) names += masks[at]?.names
      resource.hidden = names === '' ? null : setOf.get(names, () => new Set(names.split(',').filter(Boolean)))
    }
    ctx.observer?.concealed?.({ schema, fields: concealedIn(access, resources) })
  }
  return after(unjudged && askAll(ctx, { schema, resources }, unjudged), note)
}

/** Fields that are seen of the same rows. */
interface Mask {
  readonly condition: Condition
  /** Each followed by a comma. */
  readonly names: string
}

const masksOf = memo(({ fields }: FieldAccess): readonly Mask[] => {
  const names = new Map<Condition, string>()
  for (const [name, condition] of fields) names.set(condition, `${names.get(condition) ?? ''}${name},`)
  return [...names].map(([condition, names]) => ({ condition, names }))
})

const concealedIn = (access: FieldAccess, resources: readonly Resource[]): readonly ConcealedField[] =>
  [...access.fields.keys()].map((name) => {
    const ids = resources.flatMap(({ id, hidden }) => (hidden?.has(name) ? [id] : []))
    return { name, ids, isSeen: ids.length < resources.length, rules: access.ruledBy(name) }
  })

interface Unjudged {
  readonly condition: Condition
  /** What is known of each resource, in their order. */
  readonly judged: Verdict[]
}

interface Judged {
  readonly schema: ResourceSchema
  readonly resources: readonly Resource[]
}

/** Has the database say what memory could not: of each condition by one query. */
const askAll = (ctx: MarkingContext, { schema, resources }: Judged, unjudged: readonly Unjudged[]): Promise<unknown> =>
  Promise.all(
    unjudged.map(async ({ condition, judged }) => {
      const open = resources.filter((_, i) => judged[i] === 'ask')
      const keys = open.map(({ row }) => row)
      const rows = await readNamedRows(ctx.rows.unscoped, schema, {
        keys,
        columns: schema.id.columns,
        where: condition,
      })
      const ids = new Set(rows.map((row) => schema.id.format(row)))
      for (const [i, { id }] of resources.entries()) if (judged[i] === 'ask') judged[i] = ids.has(id)
    }),
  )

/** Sets of names that were met, so that what is made for one of them is found again. */
const hiddenSets = memo((_: ResourceSchema): BoundedCache<ReadonlySet<string>> => boundedCache(100))

/** Does the caller see the field of a resource that was looked at. */
export const isShown = ({ hidden }: Resource, name: string): boolean => !hidden?.has(name)
