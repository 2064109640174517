import type { RowsPlan } from '@prismapi/core/database/reader'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Where } from '@prismapi/jsonapi/model/where'
import fc from 'fast-check'
import { conditionIn } from '../conditions.ts'
import { poolOf } from './value-pools.ts'

const orders = ['lt', 'lte', 'gt', 'gte']
const searches = ['contains', 'startsWith', 'endsWith']
const ordered = new Set(['Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'String'])
const opaque = new Set(['Json', 'Bytes'])

/** Conditions of Prisma's vocabulary on one model, with all that is odd about it: empty branches, nulls, mixed operators. */
export function arbitraryWhere(model: ModelMeta, resources: Resources, depth: number): fc.Arbitrary<Where> {
  const columns = Object.values(model.columns).filter(
    ({ type, isList, native }) => !isList && type !== 'Json' && native?.[0] !== 'Xml',
  )
  const clauses: fc.Arbitrary<Where>[] = [
    fc
      .constantFrom(...columns)
      .chain((column) => arbitraryFilter(column, resources).map((filter) => ({ [column.name]: filter }))),
  ]
  if (depth > 0) {
    const inner = arbitraryWhere(model, resources, depth - 1)
    const branches = fc.array(fc.oneof({ arbitrary: inner, weight: 9 }, fc.constant({})), { maxLength: 3 })
    clauses.push(
      branches.map((AND) => ({ AND })),
      branches.map((OR) => ({ OR })),
      branches.map((NOT) => ({ NOT })),
      inner.map((NOT) => ({ NOT })),
    )
    const relations = Object.values(model.relations)
    if (relations.length > 0)
      clauses.push(fc.constantFrom(...relations).chain((relation) => arbitraryTest(relation, resources, depth - 1)))
  }
  return fc.array(fc.oneof(...clauses), { minLength: 1, maxLength: 3 }).map((parts) => Object.assign({}, ...parts))
}

function arbitraryTest(relation: RelationMeta, resources: Resources, depth: number): fc.Arbitrary<Where> {
  const target = resources.models[relation.model] as ModelMeta
  const where = fc.oneof({ arbitrary: arbitraryWhere(target, resources, depth), weight: 6 }, fc.constant({}))
  const tests = relation.isList
    ? fc.tuple(fc.constantFrom('some', 'every', 'none'), where)
    : fc.oneof(
        { arbitrary: fc.tuple(fc.constantFrom('is', 'isNot'), where), weight: 4 },
        ...(relation.isNullable ? [fc.tuple(fc.constantFrom('is', 'isNot'), fc.constant(null))] : []),
      )
  const asTest = tests.map(([test, inner]) => ({ [relation.name]: { [test as string]: inner } }))
  return relation.isList
    ? asTest
    : fc.oneof(
        asTest,
        where.map((inner) => ({ [relation.name]: inner })),
      )
}

function arbitraryFilter(column: ColumnMeta, resources: Resources): fc.Arbitrary<unknown> {
  const pool = poolOf(column, resources)
  const value = pool.length > 0 ? fc.constantFrom(...pool) : fc.constant(undefined)
  const orNull = column.isNullable ? fc.oneof({ arbitrary: value, weight: 4 }, fc.constant(null)) : value
  const operators = operatorsOf(column, value, orNull)
  const filterOf = (names: readonly string[]) =>
    fc
      .subarray([...names], { minLength: 1, maxLength: Math.min(2, names.length) })
      .chain((some) =>
        fc.record(Object.fromEntries(some.map((name) => [name, operators[name] as fc.Arbitrary<unknown>]))),
      )
  const names = Object.keys(operators)
  const denied = filterOf(names.filter((name) => name !== 'not')).map((not) => ({ not }))
  if (!isText(column) || resources.provider !== 'postgresql') return fc.oneof(orNull, filterOf(names), denied)
  const insensitive = filterOf(['equals', ...searches]).map((filter) => ({ ...filter, mode: 'insensitive' }))
  return fc.oneof(orNull, filterOf(names), denied, insensitive)
}

const isText = ({ type, native }: ColumnMeta): boolean => type === 'String' && (!native || native[0] === 'VarChar')

function operatorsOf(
  column: ColumnMeta,
  value: fc.Arbitrary<unknown>,
  orNull: fc.Arbitrary<unknown>,
): Record<string, fc.Arbitrary<unknown>> {
  const list = fc.array(value, { maxLength: 4 })
  return {
    equals: orNull,
    not: orNull,
    ...(column.type !== 'Boolean' && { in: list, notIn: list }),
    ...(ordered.has(column.type) && !column.isEnum && Object.fromEntries(orders.map((name) => [name, value]))),
    ...(isText(column) && Object.fromEntries(searches.map((name) => [name, value]))),
  }
}

/** Levels: any columns, conditions and slices, and a total order. */
export function arbitraryPlan(model: ModelMeta, resources: Resources): fc.Arbitrary<RowsPlan> {
  const columns = Object.values(model.columns)
  const term = fc
    .record({
      path: fc.constantFrom(...pathsOf(model, resources)),
      direction,
      nulls: fc.constantFrom(undefined, 'first' as const, 'last' as const),
    })
    // Prisma places nulls of columns that may be null, and MariaDB of none.
    .map(({ nulls, ...order }): OrderTerm => {
      const isPlaced = nulls && resources.provider !== 'mysql' && isNullable(order.path, model, resources)
      return isPlaced ? { ...order, nulls } : order
    })
  return fc
    .record({
      columns: fc.subarray(columns.map(({ name }) => name)),
      where: fc.oneof(fc.constant({}), ...[0, 1, 2].map((depth) => arbitraryWhere(model, resources, depth))),
      order: fc.array(term, { maxLength: 2 }),
      last: direction,
      skip: fc.constantFrom(0, 0, 1, 3),
      take: fc.constantFrom(null, 1, 2, 5, 100),
    })
    .map(({ columns: some, order, last, skip, take, where }) => ({
      kind: 'rows',
      model: model.name,
      columns: [...new Set([...some, ...model.key])],
      where: conditionIn(where, model.name, resources),
      order: totalOrder(order, model, last),
      skip: take === null ? 0 : skip,
      take,
    }))
}

const direction = fc.constantFrom<'asc' | 'desc'>('asc', 'desc')

function isNullable([name = '', ...rest]: OrderTerm['path'], model: ModelMeta, resources: Resources): boolean {
  const target = resources.models[model.relations[name]?.model ?? '']
  return target ? isNullable(rest, target, resources) : model.columns[name]?.isNullable === true
}

function pathsOf(model: ModelMeta, resources: Resources): readonly (readonly string[])[] {
  const sortable = (each: ModelMeta) =>
    Object.values(each.columns).filter(
      ({ type, isList, native }) => !opaque.has(type) && !isList && native?.[0] !== 'Xml',
    )
  const own = sortable(model).map(({ name }) => [name])
  const related = Object.values(model.relations)
    .filter(({ isList }) => !isList)
    .flatMap(({ name, model: target }) =>
      sortable(resources.models[target] as ModelMeta).map((column) => [name, column.name]),
    )
  const counts = Object.values(model.relations).flatMap(({ name, isList }) => (isList ? [[name, '_count']] : []))
  return [...own, ...related, ...counts]
}

function totalOrder(order: readonly OrderTerm[], { key }: ModelMeta, last: 'asc' | 'desc'): readonly OrderTerm[] {
  const own = new Set(order.filter(({ path }) => path.length === 1).map(({ path }) => path[0]))
  return [...order, ...key.filter((column) => !own.has(column)).map((column) => ({ path: [column], direction: last }))]
}
