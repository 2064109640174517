import { isObject } from '../../document/members.ts'
import type { ResultObject } from '../../document/types.ts'
import { type AbsentRows, findAbsent, readerWithout } from '../../read/absent-rows.ts'
import type { CollectionOperation } from '../../request/operation.ts'
import { withParts } from '../../request/with-parts.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { resourceWriters } from '../../serialize/resource-text.ts'
import { columnValue } from '../column-value.ts'
import type { RequestContext } from '../context.ts'
import { type Inserted, insert } from '../create.ts'
import { readCreated } from '../read-written.ts'
import { lidKey } from './local-ids.ts'
import { contextOf, schemaOfTarget } from './operation-context.ts'
import { withOperationPointer } from './operation-pointer.ts'
import type { AtomicOperation } from './parse-operations.ts'
import { fieldOf } from './upsert-member.ts'

/** Neighbours, of one type. */
export type Run = readonly [AtomicOperation, ...AtomicOperation[]]

/**
 * Adds resources of one type one by one, each judged by what those before it have written, and reads at the end what
 * became of all of them.
 */
export async function addAll(
  ctx: RequestContext,
  run: Run,
  ids: Map<string, string>,
): Promise<readonly ResultObject[]> {
  const [first, ...others] = run
  const schema = schemaOfTarget(ctx, first.target)
  const wanted: CollectionOperation = { kind: 'create', schema }
  const free = others.length > 0 ? await findFree(ctx, schema, run) : null
  const store = free ? { ...ctx.store, reader: readerWithout(ctx.store.reader, free) } : ctx.store
  const add = async (operation: AtomicOperation): Promise<Inserted> => {
    const context = contextOf(withParts(ctx, { store }), wanted, operation, ids)
    const inserted = await withOperationPointer(operation, () => insert(context, wanted, async (_, each) => each))
    for (const [column, value] of uniqueValues(ctx, schema, operation)) free?.values.get(column)?.delete(value)
    if (operation.lid !== null) ids.set(lidKey(schema.type, operation.lid), schema.id.format(inserted.key))
    return inserted
  }
  const { key, query } = await add(first)
  const keys = [key]
  for (const operation of others) keys.push((await add(operation)).key)
  const resources = await readCreated(ctx, schema, { keys, query })
  const write = resourceWriters(ctx, query.fields)(schema)
  return keys.map((each) => {
    const resource = resources.get(schema.id.format(each))
    return resource ? { data: write(resource) } : {}
  })
}

// Whether its unique values are taken is asked for each resource that is added. For many it is found out at once; should a
// hook take one of them meanwhile, the database says so.
function findFree(ctx: RequestContext, schema: ResourceSchema, run: Run): Promise<AbsentRows> {
  const candidates = new Map<string, unknown[]>()
  for (const operation of run) {
    for (const [column, value] of uniqueValues(ctx, schema, operation)) {
      const values = candidates.get(column)
      if (values) values.push(value)
      else candidates.set(column, [value])
    }
  }
  return findAbsent(ctx.store.reader, schema, candidates)
}

/** The values of columns that are unique by themselves, as far as the document has them. */
function* uniqueValues(
  ctx: RequestContext,
  schema: ResourceSchema,
  { data }: AtomicOperation,
): Generator<readonly [column: string, value: unknown]> {
  if (!isObject(data)) return
  for (const attribute of schema.attributes.values()) {
    const { column, name } = attribute
    const isUnique = schema.model.uniques.some((unique) => unique.length === 1 && unique[0] === column?.name)
    const value = column && isUnique ? columnValue(ctx, schema, attribute, fieldOf(data, name)) : null
    if (column && (typeof value === 'string' || typeof value === 'number')) yield [column.name, value]
  }
}
