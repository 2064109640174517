import { among, columnsOf } from '../../condition/build.ts'
import { rowKey } from '../../database/keys.ts'
import { type Awaitable, after, together } from '../../model/awaitable.ts'
import type { HasOne, Relation } from '../../schema/relation-kinds.ts'
import { schemaOf } from '../../schema/resource-schema.ts'
import { type Resource, relate } from '../resource.ts'
import { type Loading, parentKeys, readByKeys } from './loading.ts'
import { type Target, toOneTargets } from './to-one-targets.ts'

/** The targets that the resources' own columns name: one query for each model they lie in. */
export function loadByKey(
  loading: Loading,
  relation: Extract<Relation, { kind: 'belongsTo' | 'morphTo' }>,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const named = resources.map((resource) => toOneTargets(loading.ctx.server.schemas, relation, resource.row))
  const byBranch = new Map<string, Target[]>()
  for (const target of named) {
    if (!target) continue
    const others = byBranch.get(target.branch)
    if (others) others.push(target)
    else byBranch.set(target.branch, [target])
  }
  const found = new Map<string, Resource>()
  const loads = [...byBranch].map(([branch, targets]) => () => {
    const [{ schema, references }] = targets as [Target]
    const keys = [...new Map(targets.map((target) => [target.key, target.values])).values()]
    const where = (chunk: readonly (readonly unknown[])[]) => among(columnsOf(schema.model, references), chunk)
    return after(readByKeys(loading, schema, { keys, where, columns: references }), (read) => {
      for (const { row, resource } of read) found.set(`${branch} ${rowKey(row, references)}`, resource)
    })
  })
  return after(together(loads), () => {
    resources.forEach((resource, i) => {
      const target = named[i]
      const related = (target && found.get(`${target.branch} ${target.key}`)) ?? null
      if (related) loading.size.add(1)
      relate(resource, relation.name, related)
    })
    return [...new Set(found.values())]
  })
}

/** The one target each whose foreign key names the resource. */
export function loadHasOne(
  loading: Loading,
  relation: HasOne,
  resources: readonly Resource[],
): Awaitable<readonly Resource[]> {
  const { columns, references } = relation
  const schema = schemaOf(loading.ctx.server.schemas, relation.model)
  const reading = readByKeys(loading, schema, {
    keys: parentKeys(resources, references),
    where: (chunk) => among(columnsOf(schema.model, columns), chunk),
    columns,
  })
  return after(reading, (read) => {
    const found = new Map(read.map(({ row, resource }) => [rowKey(row, columns), resource]))
    loading.size.add(found.size)
    for (const resource of resources)
      relate(resource, relation.name, found.get(rowKey(resource.row, references)) ?? null)
    return [...found.values()]
  })
}
