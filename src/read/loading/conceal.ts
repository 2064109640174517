import type { Condition } from '../../condition/condition.ts'
import type { FieldAccess } from '../../condition/field-access.ts'
import { judge, type Verdict } from '../../condition/memory.ts'
import { type Awaitable, after } from '../../model/awaitable.ts'
import { memo } from '../../model/memo.ts'
import type { Resources } from '../../model/meta.ts'
import { type BoundedCache, boundedCache } from '../../request/bounded-cache.ts'
import type { ConcealedField } from '../../request/observer.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { readNamedRows } from '../chunks.ts'
import type { ReadContext } from '../read-context.ts'
import type { Resource } from '../resource.ts'

interface ConcealContext extends Pick<ReadContext, 'store' | 'seen' | 'observer'> {
  readonly server: { readonly resources: Pick<Resources, 'provider'> }
}

/**
 * Notes which fields of the resources their caller may not see, each of them once. Conditions on the columns that were read are
 * judged in memory; each other one costs one query for all rows of a type.
 */
export function conceal(ctx: ConcealContext, resources: Iterable<Resource>): Awaitable<unknown> {
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
  return open && concealEach(ctx, [...open])
}

function concealEach(
  ctx: ConcealContext,
  open: readonly (readonly [ResourceSchema, readonly Resource[]])[],
): Awaitable<unknown> {
  const [first, ...rest] = open
  if (!first) return undefined
  const [schema, resources] = first
  return after(concealType(ctx, schema, resources), () => concealEach(ctx, rest))
}

function concealType(ctx: ConcealContext, schema: ResourceSchema, resources: readonly Resource[]): Awaitable<unknown> {
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
const askAll = (ctx: ConcealContext, { schema, resources }: Judged, unjudged: readonly Unjudged[]): Promise<unknown> =>
  Promise.all(
    unjudged.map(async ({ condition, judged }) => {
      const open = resources.filter((_, i) => judged[i] === 'ask')
      const keys = open.map(({ row }) => row)
      const rows = await readNamedRows(ctx.store.reader, schema, { keys, columns: schema.id.columns, where: condition })
      const ids = new Set(rows.map((row) => schema.id.format(row)))
      for (const [i, { id }] of resources.entries()) if (judged[i] === 'ask') judged[i] = ids.has(id)
    }),
  )

/** Sets of names that were met, so that what is made for one of them is found again. */
const hiddenSets = memo((_: ResourceSchema): BoundedCache<ReadonlySet<string>> => boundedCache(100))

/** Does the caller see the field of a resource that was looked at. */
export const isShown = ({ hidden }: Resource, name: string): boolean => !hidden?.has(name)
