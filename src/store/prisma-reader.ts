import { every, type OrderTerm, type Row, type Where } from '../model/where.ts'
import { translated } from './database-errors.ts'
import { delegateOf } from './delegates.ts'
import type { Counted, JoinedRow, JoinPlan, LevelPlan, Reader } from './reader.ts'
import type { Delegates } from './store.ts'

/**
 * Executes plans with Prisma Client: the reference that every other reader is measured against.
 * Arguments come in one order, without empty parts, because Prisma keeps compiled queries by their text.
 */
export function prismaReader(client: Delegates): Reader {
  return {
    rows: (plan) => translated(() => delegateOf(client, plan.model).findMany(findArgs(plan, plan.where, {}))),

    async joined(plan) {
      const { relation, key, parents } = plan.through
      const linked = { [key]: { in: parents } }
      const where = every(plan.where, { [relation]: { some: linked } })
      const rows = await translated(() =>
        delegateOf(client, plan.model).findMany(
          findArgs(plan, where, { [relation]: { select: { [key]: true }, where: linked } }),
        ),
      )
      return rows.map((row) => splitJoined(row, plan.through))
    },

    count: (model, where) => translated(() => delegateOf(client, model).count(isEmpty(where) ? {} : { where })),

    async countBy(model, columns, where) {
      const args = { by: columns, ...(!isEmpty(where) && { where }), _count: { _all: true } }
      const groups = await translated(() => delegateOf(client, model).groupBy(args))
      return groups.map((group) => toCounted(group, columns, '_all'))
    },

    async countThrough({ model, columns, where, relation, counted }) {
      const select = {
        ...Object.fromEntries(columns.map((column) => [column, true])),
        _count: { select: { [relation]: { where: counted } } },
      }
      const rows = await translated(() => delegateOf(client, model).findMany({ where, select }))
      return rows.map((row) => toCounted(row, columns, relation))
    },
  }
}

function findArgs(plan: LevelPlan, where: Where, joins: object): object {
  return {
    ...(!isEmpty(where) && { where }),
    ...(plan.order.length > 0 && { orderBy: plan.order.map(orderBy) }),
    ...(plan.skip > 0 && { skip: plan.skip }),
    ...(plan.take !== null && { take: plan.take }),
    select: { ...Object.fromEntries(plan.columns.map((column) => [column, true])), ...joins },
  }
}

const orderBy = ({ path, direction }: OrderTerm): object =>
  path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), direction) as object

function splitJoined(row: Row, { relation, key }: JoinPlan): JoinedRow {
  const { [relation]: links, ...rest } = row
  return { row: rest, parents: (links as Row[]).map((link) => link[key]) }
}

const toCounted = (row: Row, columns: readonly string[], name: string): Counted => ({
  key: columns.map((column) => row[column]),
  count: (row._count as Readonly<Record<string, number>>)[name] as number,
})

const isEmpty = (where: Where): boolean => Object.keys(where).length === 0
