import {
  type CountByPlan,
  type Counted,
  type CountThroughPlan,
  type JoinedPlan,
  type JoinedRow,
  keyText,
  type PerParentPlan,
  type Reader,
  type RowsPlan,
  type Through,
} from '@prismapi/core/database/reader'
import { columnOf, columnsOf, everything, relationOf } from '@prismapi/jsonapi/condition/build'
import type { ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'

// What a level of an include asks, made of any plan for the rows at the other end.

/** The first rows of some parents each, or those behind a many-to-many; by parent, because parents come in any order. */
export function readChildren(
  reader: Reader,
  relation: RelationMeta,
  parents: readonly Row[],
  level: RowsPlan,
  resources: Resources,
) {
  const target = resources.models[relation.model] as ModelMeta
  const take = level.take ?? 3
  const { skip, ...whole } = { ...level, take }
  if (relation.join) {
    const through = throughOf(relation, parents, target, resources)
    return byParent(readJoined(reader, { ...whole, kind: 'joined', through }))
  }
  const { columns, references } = foreignKeyOf(relation, target)
  const keys = distinct(parents.map((row) => references.map((name) => row[name])))
  const plan: PerParentPlan = {
    ...whole,
    kind: 'perParent',
    columns: [...new Set([...level.columns, ...columns])],
    parents: { columns: columnsOf(target, columns), keys },
  }
  const rows = Promise.resolve(reader.read(plan)).then((found) =>
    found.map((row) => [keyText(columns.map((name) => row[name])), row] as const),
  )
  return byParent(rows)
}

const foreignKeyOf = ({ inverse }: RelationMeta, target: ModelMeta) =>
  target.relations[inverse as string]?.foreignKey as { columns: readonly string[]; references: readonly string[] }

function throughOf(relation: RelationMeta, parents: readonly Row[], target: ModelMeta, resources: Resources): Through {
  const home = resources.models[(target.relations[relation.inverse as string] as RelationMeta).model] as ModelMeta
  const [key] = home.key as [string]
  const back = { relation: relationOf(target, relation.inverse as string), key: columnOf(home, key) }
  return { ...back, parents: distinct(parents.map((row) => [row[key]])).flat() }
}

async function readJoined(reader: Reader, plan: JoinedPlan) {
  const found = await reader.read(plan)
  return found.flatMap(({ row, parents }: JoinedRow) => parents.map((parent) => [keyText([parent]), row] as const))
}

async function byParent(rows: Promise<readonly (readonly [string, Row])[]>): Promise<Readonly<Record<string, Row[]>>> {
  const groups: Record<string, Row[]> = {}
  for (const [parent, row] of await rows) groups[parent] = [...(groups[parent] ?? []), row]
  return groups
}

const distinct = (keys: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] => [
  ...new Map(keys.filter((key) => key.every((value) => value != null)).map((key) => [keyText(key), key])).values(),
]

/** How many rows some parents have at the other end, in any order. */
export async function countChildren(
  reader: Reader,
  home: ModelMeta,
  relation: RelationMeta,
  { where }: RowsPlan,
  resources: Resources,
) {
  const target = resources.models[relation.model] as ModelMeta
  if (!relation.join) {
    const { columns } = foreignKeyOf(relation, target)
    const plan: CountByPlan = { kind: 'countBy', model: target.name, columns, where }
    return byKey(await reader.read(plan))
  }
  const plan: CountThroughPlan = {
    kind: 'countThrough',
    model: home.name,
    columns: home.key,
    where: everything,
    relation,
    inverse: relationOf(target, relation.inverse as string),
    counted: where,
  }
  return byKey(await reader.read(plan))
}

const byKey = (counted: readonly Counted[]): ReadonlyMap<string, number> =>
  new Map(counted.map(({ key, count }): [string, number] => [keyText(key), count]).sort())
