import type { ColumnMeta, ModelMeta, RelationMeta } from '@prismapi/jsonapi/model/meta'
import Logic, { type Term as Bit } from 'logic-solver'
import type { Value } from './domain.ts'
import { pairsOf } from './places.ts'
import { type Question, shapesOf } from './shapes.ts'

/** A value to be found: one of the bits is true. */
export interface Unknown {
  readonly values: readonly Value[]
  readonly bits: readonly Bit[]
}

/** A row to be found. */
export interface PossibleRow {
  readonly model: ModelMeta
  readonly index: number
  /** Whether there is such a row. */
  readonly isThere: Bit
  readonly columns: ReadonlyMap<string, Unknown>
}

/** All databases of a few rows at once: what may be there, and what has to hold of each database. */
export interface Universe {
  readonly root: PossibleRow
  readonly rows: ReadonlyMap<string, readonly PossibleRow[]>
  readonly claims: ReadonlyMap<string, Unknown>
  readonly rules: readonly Bit[]
  readonly question: Question
  /** Does a relation lead from one row to the other. */
  link(relation: RelationMeta, from: PossibleRow, to: PossibleRow): Bit
}

export function universeOf(question: Question): Universe {
  const { model, resources } = question
  const shapes = shapesOf(question)
  const rules: Bit[] = []
  const unknown = (name: string, values: readonly Value[]): Unknown => {
    const bits = values.map((_, i) => `${question.name} ${name}=${i}`)
    rules.push(Logic.exactlyOne(...bits))
    return { values, bits }
  }
  const rows = new Map(
    [...shapes.rows].map(([name, count]) => [
      name,
      Array.from({ length: count }, (_, index): PossibleRow => {
        const meta = resources.models[name] as ModelMeta
        const of = `${name} ${index}`
        const columns = [...(shapes.columns.get(name) ?? [])].map((column) => {
          const { isNullable } = meta.columns[column] as ColumnMeta
          const values = shapes.valuesOf(`${name}.${column}`)
          return [column, unknown(`${of}.${column}`, isNullable ? [null, ...values] : values)] as const
        })
        const isRoot = name === model.name && index === 0
        return {
          model: meta,
          index,
          isThere: isRoot ? Logic.TRUE : `${question.name} ${of}`,
          columns: new Map(columns),
        }
      }),
    ]),
  )
  const claims = new Map(
    [...shapes.claims].map((name) => [name, unknown(`claim ${name}`, shapes.valuesOf(`claim ${name}`))]),
  )
  const universe: Universe = {
    root: rows.get(model.name)?.[0] as PossibleRow,
    rows,
    claims,
    rules,
    question,
    link: (relation, from, to) => linked(relation, [from, to], question),
  }
  for (const of of rows.values()) rules.push(...uniqueRules(of))
  return universe
}

/** Two values are the same, and there. */
function equal(a: Unknown, b: Unknown): Bit {
  const same = a.values.flatMap((value, i) => {
    const at = value === null ? -1 : b.values.indexOf(value)
    return at < 0 ? [] : [Logic.and(a.bits[i] as Bit, b.bits[at] as Bit)]
  })
  return Logic.or(...same)
}

function linked(
  relation: RelationMeta,
  [from, to]: readonly [PossibleRow, PossibleRow],
  { name, resources }: Question,
): Bit {
  const pairs = pairsOf(relation, resources)
  if (pairs === null) {
    const { table, own } = relation.join as NonNullable<RelationMeta['join']>
    const [a, b] = own === 'A' ? [from, to] : [to, from]
    return Logic.and(`${name} ${table} ${a.index} ${b.index}`, from.isThere, to.isThere)
  }
  const columns = pairs.map(([own, other]) => equal(from.columns.get(own) as Unknown, to.columns.get(other) as Unknown))
  return Logic.and(from.isThere, to.isThere, ...columns)
}

/** No two rows have the same key, or the same of whatever else is unique. */
function uniqueRules(rows: readonly PossibleRow[]): readonly Bit[] {
  return rows.flatMap((row, i) =>
    rows
      .slice(0, i)
      .flatMap((other) =>
        row.model.uniques
          .filter((unique) => unique.every((column) => row.columns.has(column)))
          .map((unique) =>
            Logic.not(
              Logic.and(
                row.isThere,
                other.isThere,
                ...unique.map((column) =>
                  equal(row.columns.get(column) as Unknown, other.columns.get(column) as Unknown),
                ),
              ),
            ),
          ),
      ),
  )
}

/** A foreign key is null in one of its columns. */
export const isNull = ({ foreignKey }: RelationMeta, row: PossibleRow): Bit =>
  Logic.or(
    ...(foreignKey?.columns ?? []).flatMap((column) => {
      const { values, bits } = row.columns.get(column) as Unknown
      const at = values.indexOf(null)
      return at < 0 ? [] : [bits[at] as Bit]
    }),
  )
