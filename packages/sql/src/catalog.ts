import type { TableName } from '@prismapi/core/database/sql-database'
import { joinTable } from '@prismapi/core/database/tables'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { type Codec, type CodecOf, NotInSql } from './dialects/codec.ts'

/** What statements are made from: the models, and how the values of their columns are stored. */
export interface Catalog {
  model(name: string): ModelMeta
  column(model: ModelMeta, name: string): ColumnMeta
  codec(column: ColumnMeta): Codec
  /** The schema of tables that name none; null where there are no schemas. */
  readonly schema: string | null
  /** How the rows of a relation are found from those of its model. */
  joinOf(relation: RelationMeta): RelationJoin
}

/** The other end of a relation: rows whose columns equal those of this end, directly or by way of a join table. */
export interface RelationJoin {
  readonly target: ModelMeta
  /** Columns of this end and of the other one that are equal; with a join table, its keys. */
  readonly pairs: readonly (readonly [own: ColumnMeta, other: ColumnMeta])[]
  readonly through: JoinTable | null
}

/** The table of an implicit many-to-many, whose columns have the types of the keys that they hold. */
export interface JoinTable extends TableName {
  readonly own: ColumnMeta
  readonly other: ColumnMeta
}

export function catalogOf({ models }: Resources, codecOf: CodecOf, schema: string | null): Catalog {
  const codecs = memo(codecOf)
  const homes = new Map(
    Object.values(models).flatMap((model) => Object.values(model.relations).map((relation) => [relation, model])),
  )
  const model = (name: string): ModelMeta => own(models, name) ?? unknown(`the model ${name}`)
  const column = (from: ModelMeta, name: string): ColumnMeta =>
    own(from.columns, name) ?? unknown(`${from.name}.${name}`)

  function joinOf(relation: RelationMeta): RelationJoin {
    const home = homes.get(relation) as ModelMeta
    const target = model(relation.model)
    if (relation.join) return throughTable(home, target, relation)
    const inverse = relation.inverse === null ? undefined : target.relations[relation.inverse]
    const [near, far] = relation.foreignKey
      ? [relation.foreignKey.columns, relation.foreignKey.references]
      : [inverse?.foreignKey?.references, inverse?.foreignKey?.columns]
    if (!near || !far) return unknown(`the keys of ${home.name}.${relation.name}`)
    const pairs = near.map((name, i) => [column(home, name), column(target, far[i] as string)] as const)
    return { target, pairs, through: null }
  }

  function throughTable(home: ModelMeta, target: ModelMeta, relation: RelationMeta): RelationJoin {
    const { name, join } = relation
    const table = joinTable(home, relation, models)
    const [near, far] = [home, target].map(({ key }) => key)
    if (!join || !table || near?.length !== 1 || far?.length !== 1) return unknown(`the keys of ${home.name}.${name}`)
    const pair = [column(home, near[0] as string), column(target, far[0] as string)] as const
    const through = {
      ...table,
      own: Object.freeze({ ...pair[0], column: join.own }),
      other: Object.freeze({ ...pair[1], column: join.other }),
    }
    return { target, pairs: [pair], through }
  }

  return { schema, model, column, codec: codecs, joinOf: memo(joinOf) }
}

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

const unknown = (what: string): never => {
  throw new NotInSql(what)
}

/** The columns of one table that name rows of another. */
interface ForeignKey {
  readonly from: TableName
  readonly to: TableName
  readonly pairs: readonly (readonly [own: string, other: string])[]
}

/** The same text for the same foreign key, in whatever order its columns are named. */
export const foreignKeyText = ({ from, to, pairs }: ForeignKey): string =>
  JSON.stringify([from.dbSchema, from.table, to.dbSchema, to.table, pairs.map((pair) => JSON.stringify(pair)).sort()])

/** The text of the foreign key that a relation has, if the database enforces one. */
export function foreignKeyOf(catalog: Catalog, model: string, relation: string): string {
  const from = catalog.model(model)
  const { target, pairs } = catalog.joinOf(from.relations[relation] as RelationMeta)
  const placeOf = ({ table, dbSchema }: TableName) => ({ table, dbSchema: dbSchema ?? catalog.schema })
  return foreignKeyText({
    from: placeOf(from),
    to: placeOf(target),
    pairs: pairs.map(([own, other]) => [own.column, other.column]),
  })
}
