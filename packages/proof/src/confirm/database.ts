import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Value } from '../solve/domain.ts'
import type { Found } from '../solve/solve.ts'

/** Rows of a few models, whole, as Prisma gives them. */
export interface Database {
  readonly root: Row
  readonly model: ModelMeta
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly joined: readonly Joined[]
}

/** A row of the table of an implicit many-to-many: keys. */
export interface Joined {
  readonly table: string
  readonly a: unknown
  readonly b: unknown
}

/** What was found, with values for all other columns, and the rows that foreign keys have to name. */
export function databaseOf(found: Found, model: ModelMeta, resources: Resources): Database {
  const maker = new RowMaker(resources)
  for (const [name, rows] of found.rows) for (const row of rows) maker.add(resources.models[name] as ModelMeta, row)
  maker.addTargets()
  const rows = maker.rows
  const keyOf = (name: string, at: number) => {
    const { key } = resources.models[name] as ModelMeta
    return rows.get(name)?.[at]?.[key[0] as string]
  }
  const joined = found.joined.map(({ table, a, b }) => {
    const [nameOfA, nameOfB] = endsOf(table, resources)
    return { table, a: keyOf(nameOfA, a), b: keyOf(nameOfB, b) }
  })
  return { root: rows.get(model.name)?.[0] as Row, model, rows, joined }
}

function endsOf(table: string, { models }: Resources): readonly [string, string] {
  for (const { name, relations } of Object.values(models))
    for (const { join, model } of Object.values(relations))
      if (join?.table === table) return join.own === 'A' ? [name, model] : [model, name]
  throw new Error(`No relation uses the table ${table}.`)
}

/** A value as Prisma gives it. */
export function prismaValue({ type }: Pick<ColumnMeta, 'type'>, value: Value): unknown {
  if (value === null) return null
  if (type === 'DateTime') return new Date(Number(value))
  return type === 'Bytes' ? new Uint8Array([1]) : value
}

class RowMaker {
  readonly rows = new Map<string, Row[]>()
  private readonly resources: Resources
  private made = 0

  constructor(resources: Resources) {
    this.resources = resources
  }

  add(model: ModelMeta, values: Readonly<Record<string, Value>>): Row {
    this.made++
    const row: Record<string, unknown> = {}
    for (const column of Object.values(model.columns)) {
      const value = values[column.name]
      row[column.name] = value === undefined ? this.other(column, model) : prismaValue(column, value)
    }
    const of = this.rows.get(model.name)
    if (of) of.push(row)
    else this.rows.set(model.name, [row])
    return row
  }

  /** A value that nothing asks for: null where it may be, another one for each row where it has to be. */
  private other({ name, type, isEnum, isList, isNullable }: ColumnMeta, { key }: ModelMeta): unknown {
    if (isList) return []
    if (isNullable && !key.includes(name)) return null
    if (isEnum) return this.resources.enums[type]?.values[0]
    const number = 1000 + this.made
    switch (type) {
      case 'Boolean':
        return false
      case 'DateTime':
        return new Date(Date.UTC(2020, 0, 1) + this.made * 86_400_000)
      case 'String':
        return `${name} ${number}`
      case 'BigInt':
        return BigInt(number)
      case 'Bytes':
        return new Uint8Array([this.made])
      case 'Json':
        return {}
      default:
        return number
    }
  }

  /** Rows for the foreign keys that name none, and for theirs. */
  addTargets(): void {
    const done = new Set<Row>()
    for (let depth = 0; depth < deepest; depth++)
      for (const [name, rows] of [...this.rows])
        for (const row of [...rows]) {
          if (done.has(row)) continue
          done.add(row)
          const { relations } = this.resources.models[name] as ModelMeta
          for (const relation of Object.values(relations)) this.addTarget(relation, row)
        }
  }

  private addTarget({ foreignKey, model }: RelationMeta, row: Row): void {
    if (!foreignKey || foreignKey.columns.some((column) => row[column] === null)) return
    const pairs = foreignKey.columns.map((column, i) => [foreignKey.references[i] as string, row[column]] as const)
    const isNamed = (each: Row) => pairs.every(([column, value]) => isSame(each[column], value))
    if (this.rows.get(model)?.some(isNamed)) return
    const target = this.resources.models[model]
    if (target) this.add(target, Object.fromEntries(pairs.map(([column, value]) => [column, compared(value)])))
  }
}

/** A chain of required foreign keys that is longer comes back to where it began. */
const deepest = 6

const compared = (value: unknown): Value => (value instanceof Date ? value.getTime() : (value as Value))
const isSame = (a: unknown, b: unknown): boolean => compared(a) === compared(b)
