import type { ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Formula } from '../formula.ts'
import { pairsOf, relationsIn } from '../solve/places.ts'
import type { Database } from './database.ts'

/** The row that an example is about, and within it the rows behind the relations that formulas ask for. */
export function jsonRow(
  database: Database,
  formulas: readonly Formula[],
  resources: Resources,
): Readonly<Record<string, unknown>> {
  const show = (model: ModelMeta, row: Row, given: readonly Formula[]): Record<string, unknown> => {
    const shown: Record<string, unknown> = Object.fromEntries(
      Object.keys(model.columns).map((column) => [column, jsonValue(row[column])]),
    )
    for (const [name, parts] of relationsIn(given)) {
      const relation = model.relations[name] as RelationMeta
      const target = resources.models[relation.model] as ModelMeta
      const rows = rowsBehind(database, { model, relation, row }, resources).map((each) => show(target, each, parts))
      shown[name] = relation.isList ? rows : (rows[0] ?? null)
    }
    return shown
  }
  return show(database.model, database.root, formulas)
}

interface From {
  readonly model: ModelMeta
  readonly relation: RelationMeta
  readonly row: Row
}

function rowsBehind({ rows, joined }: Database, { model, relation, row }: From, resources: Resources): readonly Row[] {
  const targets = rows.get(relation.model) ?? []
  const pairs = pairsOf(relation, resources)
  if (pairs)
    return targets.filter((each) => pairs.every(([own, other]) => row[own] !== null && row[own] === each[other]))
  const { table, own } = relation.join as NonNullable<RelationMeta['join']>
  const key = row[model.key[0] as string]
  const targetKey = resources.models[relation.model]?.key[0] as string
  return targets.filter((each) =>
    joined.some((pair) => {
      const [near, far] = own === 'A' ? [pair.a, pair.b] : [pair.b, pair.a]
      return pair.table === table && near === key && far === each[targetKey]
    }),
  )
}

/** A value as documents show it. */
export function jsonValue(value: unknown): never {
  if (typeof value === 'bigint') return String(value) as never
  if (value instanceof Date) return value.toISOString() as never
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64') as never
  return value as never
}
