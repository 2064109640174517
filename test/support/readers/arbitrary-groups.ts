import type { FigurePlan, GroupsPlan, KeyPlan } from '@prismapi/core/database/reader'
import { columnsOf, everything, relationOf } from '@prismapi/jsonapi/condition/build'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { instantParts } from '@prismapi/jsonapi/schema/statistics'
import fc from 'fast-check'
import { conditionIn } from '../conditions.ts'
import { arbitraryWhere } from './arbitrary-plans.ts'

const exact = new Set(['Int', 'BigInt'])
const keyTypes = new Set(['String', 'Int', 'BigInt', 'Boolean'])
// Their text is not what their values are grouped or ordered by.
const unlike = new Set(['Xml', 'Time', 'Timetz', 'Char', 'Citext', 'Bit', 'VarBit', 'Inet', 'Oid', 'Money'])

/**
 * Groups by any keys. Sums and averages of integers alone: others are added in another order, or by other numbers, by Prisma.
 */
export function arbitraryGroups(model: ModelMeta, resources: Resources): fc.Arbitrary<GroupsPlan> {
  const columns = Object.values(model.columns).filter(({ isList, native }) => !isList && !unlike.has(native?.[0] ?? ''))
  return fc
    .record({
      where: fc.oneof(fc.constant({}), arbitraryWhere(model, resources, 1)),
      keys: subset(keysOf(model, columns, resources), 2),
      figures: subset(figuresOf(columns), 4),
      minimum: fc.constantFrom(1, 1, 2),
      skip: fc.constantFrom(0, 0, 1),
      take: fc.constantFrom(2, 100),
    })
    .map(({ where, figures, keys, ...rest }) => ({
      kind: 'groups',
      model: model.name,
      where: conditionIn(where, model.name, resources),
      keys,
      figures: [{ function: 'count', column: null }, ...figures],
      // By the number of rows, if it is grouped at all; the keys complete it.
      order: keys.length > 0 ? [{ figure: 0, direction: 'desc' }] : [],
      ...rest,
      skip: keys.length > 0 ? rest.skip : 0,
    }))
}

const subset = <T>(items: readonly T[], maxLength: number): fc.Arbitrary<T[]> =>
  fc.subarray([...items], { maxLength: Math.min(maxLength, items.length) })

function keysOf(model: ModelMeta, columns: readonly ColumnMeta[], resources: Resources): readonly KeyPlan[] {
  const own = columns.flatMap((column): KeyPlan[] => {
    if (column.type === 'DateTime') return instantParts.map((part) => ({ kind: 'part', column, part }))
    return keyTypes.has(column.type) ? [{ kind: 'column', column }] : []
  })
  const targets = Object.values(model.relations)
    .filter((relation) => relation.foreignKey !== null && idOf(relation, resources).length > 0)
    .map(
      (relation): KeyPlan => ({
        kind: 'target',
        relation: relationOf(model, relation.name),
        columns: idOf(relation, resources),
        seen: everything,
      }),
    )
  return [...own, ...targets]
}

function idOf(relation: RelationMeta, { models }: Resources): readonly ColumnMeta[] {
  const target = models[relation.model] as ModelMeta
  const columns = columnsOf(target, target.key)
  return columns.every(({ type, native }) => keyTypes.has(type) && !unlike.has(native?.[0] ?? '')) ? columns : []
}

const figuresOf = (columns: readonly ColumnMeta[]): readonly FigurePlan[] =>
  columns.flatMap((column): FigurePlan[] => {
    if (!exact.has(column.type) || column.isEnum) return [{ function: 'count', column }]
    // Prisma's sums of BigInts end where SQLite's do.
    const summed = column.type === 'Int' ? (['sum', 'avg'] as const) : []
    return (['count', 'min', 'max', ...summed] as const).map((name) => ({ function: name, column }))
  })
