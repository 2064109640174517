import {
  among,
  columnOf,
  columnsOf,
  everything,
  isEverything,
  related,
  relationOf,
} from '@prismapi/jsonapi/condition/build'
import { type Awaitable, after, together } from '@prismapi/jsonapi/model/awaitable'
import { type BoundedCache, boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { Row } from '@prismapi/jsonapi/model/where'
import type {
  BelongsTo,
  HasMany,
  HasOne,
  ManyThrough,
  ManyToMany,
  MorphTo,
  Pivot,
  Relation,
} from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import {
  columnValues,
  type JoinedPlan,
  keysToAskAgain,
  keyText,
  listParameter,
  ofParents,
  type PerParentPlan,
  rowKey,
  share,
} from '../../database/reader.ts'
import { chunked } from '../find.ts'
import { allColumns, type CollectionPlan, noOrder, planLevel, withColumns } from '../plan.ts'
import type { ReadContext } from '../read-context.ts'
import { type Resource, relate, toResource } from '../resource.ts'
import { type Child, loadCollections, shownOnly } from './load-collections.ts'
import { findByKeys, type Loading, parentKeys, type Read } from './loading.ts'

/** Does the row itself say whom it leads to. */
export const isKeptInRow = ({ kind }: Relation): boolean => kind === 'belongsTo' || kind === 'morphTo'

/** Relates resources to targets by the ids in their own rows; false where only the database knows which are seen. */
export function nameTargets({ ctx, size }: Loading, relation: Relation, resources: readonly Resource[]): boolean {
  if (relation.kind !== 'belongsTo' || ctx.rows.hides('related', relation.model)) return false
  const { columns, references } = relation
  const schema = schemaOf(ctx.server.schemas, relation.model)
  if (references.length !== schema.id.columns.length || !schema.id.columns.every((each) => references.includes(each)))
    return false
  for (const resource of resources) {
    const key = Object.fromEntries(references.map((column, i) => [column, resource.row[columns[i] as string]]))
    const isLinked = Object.values(key).every((value) => value != null)
    if (isLinked) size.add(1)
    relate(resource, relation.name, isLinked ? toResource(schema, key) : null)
  }
  return true
}

/** The targets that the resources' own columns name: one query for each model they lie in. */
export function loadByKey(
  loading: Loading,
  relation: Extract<Relation, { kind: 'belongsTo' | 'morphTo' }>,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const named = resources.map((resource) => toOneTargets(loading.ctx.server.schemas, relation, resource.row))
  const branches = new Map<string, Branch>()
  for (const target of named) {
    if (!target) continue
    const { branch, schema, references, key, values } = target
    const known = branches.get(branch)
    if (known) known.keys.set(key, values)
    else branches.set(branch, { schema, references, keys: new Map([[key, values]]), found: new Map() })
  }
  const loads = [...branches.values()].map((branch) => () => {
    const { schema, references, keys } = branch
    const columns = columnsOf(schema.model, references)
    const where = (chunk: readonly (readonly unknown[])[]) => among(columns, chunk)
    return after(findByKeys(loading, schema, { keys, where, columns: references }), (read) => {
      branch.found = read
    })
  })
  return after(together(loads), () => {
    const found = new Set<Resource>()
    for (const [i, resource] of resources.entries()) {
      const target = named[i]
      const related = (target && branches.get(target.branch)?.found.get(target.key)?.resource) ?? null
      if (related) {
        loading.size.add(1)
        found.add(related)
      }
      relate(resource, relation.name, related)
    }
    return [...found]
  })
}

/** The targets in one model that are to be read, and those that were found. */
interface Branch extends Pick<Target, 'schema' | 'references'> {
  readonly keys: Map<string, readonly unknown[]>
  found: ReadonlyMap<string, Read>
}

/** The one target each whose foreign key names the resource. */
export function loadHasOne(
  loading: Loading,
  relation: HasOne,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const { columns, references } = relation
  const schema = schemaOf(loading.ctx.server.schemas, relation.model)
  const reading = findByKeys(loading, schema, {
    keys: parentKeys(resources, references),
    where: (chunk) => among(columnsOf(schema.model, columns), chunk),
    columns,
  })
  return after(reading, (read) => {
    const found = new Set([...read.values()].map(({ resource }) => resource))
    loading.size.add(found.size)
    for (const resource of resources)
      relate(resource, relation.name, read.get(rowKey(resource.row, references))?.resource ?? null)
    return [...found]
  })
}

/** The target that a row's own columns name; whether it exists and may be seen is the database's answer. */
export interface Target {
  /** The field or stored type that names it: targets of one branch lie in one model. */
  readonly branch: string
  readonly schema: ResourceSchema
  readonly references: readonly string[]
  readonly values: readonly unknown[]
  /** The values as one string. */
  readonly key: string
}

export function toOneTargets(registry: SchemaRegistry, relation: BelongsTo | MorphTo, row: Row): Target | null {
  if (relation.kind === 'belongsTo') return target(registry, relation.field, relation, row)
  if (relation.form.kind === 'columns') return morphTarget(registry, relation.form, row)
  for (const branch of relation.form.branches) {
    const found = target(registry, branch.field, branch, row)
    if (found) return found
  }
  return null
}

interface Key {
  readonly model: string
  readonly columns: readonly string[]
  readonly references: readonly string[]
}

function target(registry: SchemaRegistry, branch: string, key: Key, row: Row): Target | null {
  const values = key.columns.map((column) => row[column])
  if (values.some((value) => value == null)) return null
  return { branch, schema: schemaOf(registry, key.model), references: key.references, values, key: keyText(values) }
}

function morphTarget(
  registry: SchemaRegistry,
  form: Extract<MorphTo['form'], { kind: 'columns' }>,
  row: Row,
): Target | null {
  const branch = row[form.typeColumn]
  const model = form.models.get(String(branch))
  if (!model) return null
  const schema = schemaOf(registry, model)
  const key = schema.id.parse(String(row[form.idColumn]))
  if (!key) return null
  const values = schema.id.columns.map((column) => key[column])
  return { branch: String(branch), schema, references: schema.id.columns, values, key: keyText(values) }
}

/** The targets whose foreign keys name the resources: for each resource no more of them than it shows. */
export function loadHasMany(
  loading: Loading,
  relation: HasMany,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const { columns, references } = relation
  return loadCollections(loading, relation, resources, {
    references,
    read(plan, take) {
      const { schema, order, visibility, where } = plan
      const level = { shown: shownOnly(plan), ...planLevel(schema, withColumns(plan.columns, columns), where, order) }
      const named = columnsOf(schema.model, columns)
      const rows = readInParts(loading.ctx, [...parentKeys(resources, references).values()], (keys, most) => {
        const parents = { columns: named, keys }
        const read: PerParentPlan = { parents, most, ...level, kind: 'perParent', take }
        const list = listParameter(ofParents(parents))
        if (list === null) return loading.ctx.rows.read(visibility, read)
        const form = formOf(plan, `${columns} ${keys.length} ${take} ${most}`)
        return loading.ctx.rows.read(visibility, share(read, { form, parameters: [list] }))
      })
      return after(rows, (found) => found.map((row) => ({ parent: columnValues(row, columns), row })))
    },
  })
}

/** The targets of an implicit many-to-many: each row comes with the parents that it belongs to. */
export function loadManyToMany(
  loading: Loading,
  relation: ManyToMany,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const { model } = (resources[0] as Resource).schema
  const [key] = model.key as [string]
  return loadCollections(loading, relation, resources, {
    references: [key],
    read(plan, take) {
      const { schema, columns, order, visibility, where } = plan
      const level = { shown: shownOnly(plan), ...planLevel(schema, columns, where, order) }
      const back = { relation: relationOf(schema.model, relation.inverse), key: columnOf(model, key) }
      const keys = [...parentKeys(resources, [key]).values()].flat()
      const joined = readInParts(loading.ctx, keys, (parents, most) => {
        const read: JoinedPlan = { through: { parents, ...back }, most, ...level, kind: 'joined', take }
        const form = formOf(plan, `${relation.name} ${model.name} ${parents.length} ${take} ${most}`)
        return loading.ctx.rows.read(visibility, share(read, { form, parameters: [parents] }))
      })
      return after(joined, (found) => {
        const children: Child[] = []
        for (const { row, parents } of found) for (const parent of parents) children.push({ parent: [parent], row })
        return children
      })
    },
  })
}

/** Of reads for several parents by one plan, which most requests share: by what they ask beside it. */
const formOf = (plan: CollectionPlan, asked: string): object => formsOf(plan).get(asked, () => ({}))

const formsOf = memo((_: CollectionPlan): BoundedCache<object> => boundedCache(100))

/** The targets behind pivots: one query for the pivots, in the order of their targets, and one for the targets. */
export function loadManyThrough(
  loading: Loading,
  relation: ManyThrough,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const { ctx } = loading
  const { pivot } = relation
  const { from, to } = pivot
  return loadCollections(loading, relation, resources, {
    references: from.references,
    async read(plan, take) {
      const pivots = await readPivots(ctx, pivot, {
        plan,
        parents: [...parentKeys(resources, from.references).values()],
        take,
      })
      const keys = new Map(pivots.map((each) => [rowKey(each, to.columns), columnValues(each, to.columns)]))
      const columns = [...new Set([...plan.columns, ...to.references])]
      const read = (some: readonly (readonly unknown[])[]) =>
        ctx.rows.unscoped.read(
          planLevel(plan.schema, columns, among(columnsOf(plan.schema.model, to.references), some), noOrder),
        )
      const rows = (await Promise.all(chunked([...keys.values()]).map(read))).flat()
      const targets = new Map(rows.map((row) => [rowKey(row, to.references), row]))
      for (const key of keysToAskAgain(keys.keys(), targets)) {
        const [row] = await read([keys.get(key) as readonly unknown[]])
        if (row) targets.set(key, row)
      }
      return pivots.flatMap((each) => {
        const row = targets.get(rowKey(each, to.columns))
        return row ? [{ parent: columnValues(each, from.columns), row, pivot: each }] : []
      })
    },
  })
}

interface PivotsRead {
  /** The targets that are to be read. */
  readonly plan: CollectionPlan
  readonly parents: readonly (readonly unknown[])[]
  readonly take: number
}

function readPivots(ctx: ReadContext, pivot: Pivot, { plan, parents, take }: PivotsRead): Awaitable<readonly Row[]> {
  const schema = schemaOf(ctx.server.schemas, pivot.model)
  const targets = ctx.rows.where(plan.visibility, plan.schema.model.name, plan.where)
  const far = isEverything(targets) ? everything : related(relationOf(schema.model, pivot.to.name), 'is', targets)
  const level = {
    ...planLevel(schema, allColumns(schema), far),
    order: plan.order.map(({ seen, ...term }) => ({
      ...term,
      path: [pivot.to.name, ...term.path],
      ...(seen && { seen: { ...seen, where: related(relationOf(schema.model, pivot.to.name), 'is', seen.where) } }),
    })),
  }
  const columns = columnsOf(schema.model, pivot.from.columns)
  return readInParts(ctx, parents, (keys, most) =>
    ctx.rows.read('related', { ...level, kind: 'perParent', parents: { columns, keys }, take, most }),
  )
}

const maxMost = 2 ** 31 - 1

/**
 * Reads the rows of some parents at a time, and stops once they are certain to be too many for the document. For each
 * parent, it may read one row more than is shown: that row says that there are more.
 */
function readInParts<Parent, Found>(
  { limits }: Pick<ReadContext, 'limits'>,
  parents: readonly Parent[],
  read: (parents: readonly Parent[], most: number) => Awaitable<readonly Found[]>,
): Awaitable<readonly Found[]> {
  const most = Math.min(limits.resources + 1 + parents.length, maxMost)
  const goOn = (parts: readonly (readonly Parent[])[], found: readonly Found[]): Awaitable<readonly Found[]> => {
    const [part, ...rest] = parts
    if (!part || found.length >= most) return found
    return after(read(part, most - found.length), (more) => goOn(rest, found.concat(more)))
  }
  return goOn(chunked(parents), [])
}
