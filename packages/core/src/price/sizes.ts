import { memo } from '@prismapi/jsonapi/model/memo'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { joinTable, type TableSizes } from '../database/tables.ts'
import { describeRules } from '../validation/request/describe-rules.ts'

/** What prices are made of: how many rows there are, and how long their texts may be. */
export interface Sizes {
  readonly models: Resources['models']
  rows(model: ModelMeta): number
  /** How many rows a to-many relation leads to from one of its own, in the mean. */
  fanOut(model: ModelMeta, relation: RelationMeta): number
  /** How many it leads to from the one that has most of them; 0 where that are few. */
  most(model: ModelMeta, relation: RelationMeta): number
  /** The rows that have one of so many values of the foreign key, or of another column with an index. */
  rowsOf(model: ModelMeta, column: ColumnMeta, values: number): number
  /** How many characters the column may hold, or else holds in the mean. */
  characters(model: ModelMeta, column: ColumnMeta): number
  /** Is it said how long the texts of the column may be. */
  hasEnd(model: ModelMeta, column: ColumnMeta): boolean
}

/** How many characters the column may hold; null where nothing says so. */
export type EndOf = (model: ModelMeta, column: ColumnMeta) => number | null

/** Of a table with few rows, one row may lead to all the others. */
const leastFanOut = 2
/** An index that is no key narrows a table down by so much. */
const indexed = 100

export function sizesOf(tableSizes: TableSizes, models: Resources['models'], endOf: EndOf): Sizes {
  const rows = (model: ModelMeta) => tableSizes.rows(model)
  const ratio = (many: number, one: number) => Math.max(leastFanOut, many / one)
  return {
    models,
    characters: (model, column) => endOf(model, column) ?? tableSizes.octets(model, column.column),
    hasEnd: (model, column) => endOf(model, column) !== null,
    rows,
    fanOut(model, relation) {
      const join = joinTable(model, relation, models)
      const target = models[relation.model] as ModelMeta
      return ratio(join ? tableSizes.rows(join) : rows(target), rows(model))
    },
    most(model, relation) {
      const join = joinTable(model, relation, models)
      if (join) return tableSizes.most(join, relation.join?.own ?? '')
      const target = models[relation.model] as ModelMeta
      const [key] = target.relations[relation.inverse ?? '']?.foreignKey?.columns ?? []
      const column = key === undefined ? undefined : target.columns[key]
      return column ? tableSizes.most(target, column.column) : 0
    },
    rowsOf(model, column, values) {
      const relation = Object.values(model.relations).find(({ foreignKey }) => foreignKey?.columns[0] === column.name)
      const target = relation && models[relation.model]
      const mean = target ? ratio(rows(model), rows(target)) : rows(model) / indexed
      // One of them may be the most frequent value.
      return values * mean + tableSizes.most(model, column.column)
    },
  }
}

/** Types with the rules of their attributes. */
export interface DescribedTypes extends Rules {
  readonly schemas: SchemaRegistry
}

type Rules = Parameters<typeof describeRules>[0]

/** How long texts may be: as their type says, or else the rule of their attribute. */
export const endsFor = memo((server: DescribedTypes): EndOf => {
  const ends = memo((schema: ResourceSchema) => endsOf(schema, server))
  return (model: ModelMeta, column: ColumnMeta) => {
    const [type = '', size] = column.native ?? []
    if (/char$/i.test(type) && Number(size) > 0) return Number(size)
    const schema = server.schemas.byModel.get(model.name)
    return (schema && ends(schema).get(column.name)) ?? null
  }
})

function endsOf(schema: ResourceSchema, server: Rules): ReadonlyMap<string, number> {
  const described = describeRules(server, { kind: 'create', schema })
  const ends = new Map<string, number>()
  for (const { name, column } of schema.attributes.values()) {
    const rule = described?.rules.fields.get(name)?.describe()
    if (!rule || !column || !('tests' in rule)) continue
    const max = rule.tests.find(({ name: test }) => test === 'max' || test === 'length')?.params
    const end = max?.max ?? max?.length
    if (typeof end === 'number') ends.set(column.name, end)
  }
  return ends
}
