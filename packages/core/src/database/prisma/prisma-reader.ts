import { all, among, compare, everything, isEverything, related } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import { badParameter } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import {
  type Answer,
  type Counted,
  type JoinedPlan,
  type JoinedRow,
  keyText,
  lookUpAsRows,
  type PerParentPlan,
  type Plan,
  type PlanKind,
  type Reader,
  type RowsPlan,
  readerOf,
  type Through,
} from '../reader.ts'
import type { Delegates } from '../store.ts'
import { delegateOf } from './client.ts'
import { translated } from './database-errors.ts'
import { readGroups } from './groups.ts'
import { hasPlain, type RawQueries, toPrismaWhere, withoutPlain } from './prisma-condition.ts'

type Models = Resources['models']

/**
 * Executes plans with Prisma Client: the reference that every other reader is measured against. Here conditions become
 * Prisma's `where`, always in one order, without empty parts: Prisma keeps compiled queries by their text.
 */
export function prismaReader(client: Delegates, models: Models): Reader {
  const source: Source = { client, models }
  const reader = readerOf({
    rows: (plan) => findRows(source, plan),

    async lookUp(plan) {
      const [row = null] = await findRows(source, lookUpAsRows(plan))
      return row
    },

    async perParent(plan) {
      const { parents, take } = plan
      const rows = await oneOrEach(parents.keys, plan, (keys, limit) => findChildren(source, plan, { keys, limit }))
      return firstOfEach(rows, parents.columns, take)
    },

    async joined(plan) {
      const { through, take } = plan
      const find = (parents: readonly unknown[], limit: number) =>
        findJoined(source, { ...plan, take: limit, through: { ...through, parents } })
      const rows = await oneOrEach(through.parents, plan, find)
      if (rows.every(({ parents }) => parents.length > 0)) return firstJoined(rows, take)
      // The database has found their parents by keys that it takes for others, which Prisma tells apart.
      const each: JoinedRow[] = []
      for (const parent of through.parents) each.push(...(await find([parent], take)))
      return firstJoined(each, take)
    },

    count({ model, where, most }) {
      const args = { ...whereOf(where, model, models), ...(most !== undefined && { take: most }) }
      return translated(() => delegateOf(client, model).count(args))
    },

    async countBy({ model, columns, where }) {
      const args = { by: columns, ...whereOf(where, model, models), _count: { _all: true } }
      const groups = await translated(() => delegateOf(client, model).groupBy(args))
      return groups.map((group) => toCounted(group, columns, '_all'))
    },

    groups: (plan) => readGroups(client, models, plan),

    async countThrough({ model, columns, where, relation, inverse, counted }) {
      // Prisma counts apart from the parents, for all there are: without `some`, every link of the table.
      const linked = all(related(inverse, 'some', where), counted)
      const select = {
        ...Object.fromEntries(columns.map((column) => [column, true])),
        _count: { select: { [relation.name]: { where: toPrismaWhere(linked, models[relation.model] as ModelMeta) } } },
      }
      const args = { ...whereOf(where, model, models), select }
      const rows = await translated(() => delegateOf(client, model).findMany(args))
      return rows.map((row) => toCounted(row, columns, relation.name))
    },
  })
  return {
    read<Kind extends PlanKind>(plan: Plan<Kind>) {
      const { where = everything, rest = everything }: Narrowed = plan
      if (!hasPlain(where) && !hasPlain(rest)) return reader.read(plan)
      return readWithoutPlain(reader, plan, source)
    },
  }
}

/** What narrows a plan, by the one name or the other. */
interface Narrowed {
  readonly where?: Condition
  readonly rest?: Condition
}

async function readWithoutPlain<Kind extends PlanKind>(
  reader: Reader,
  plan: Plan<Kind>,
  { client, models }: Source,
): Promise<Answer<Kind>> {
  const place = { client: client as object as RawQueries, model: models[plan.model] as ModelMeta, models }
  const { where, rest }: Narrowed = plan
  const narrowed = {
    ...plan,
    ...(where && { where: await withoutPlain(where, place) }),
    ...(rest && { rest: await withoutPlain(rest, place) }),
  }
  return reader.read<Kind>(narrowed as Plan<Kind>)
}

interface Source {
  readonly client: Delegates
  readonly models: Models
}

/** The argument `where`, left out for everything. */
const whereOf = (condition: Condition, model: string, models: Models): object =>
  isEverything(condition) ? {} : { where: toPrismaWhere(condition, models[model] as ModelMeta) }

const maxTake = 2 ** 31 - 1

/**
 * Prisma knows no limit for each parent. One query for all parents has an end at what they may have together; it has
 * found everything when it did not get there, and else there is one query for each parent. No row is read in vain but
 * for those of that first query.
 */
async function oneOrEach<Parent, Found>(
  parents: readonly Parent[],
  { take, most = maxTake }: { readonly take: number; readonly most?: number },
  find: (parents: readonly Parent[], limit: number) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  if (parents.length === 0) return []
  const limit = Math.min(parents.length * take, most)
  const found = await find(parents, limit)
  if (parents.length === 1 || found.length < limit) return found
  const rows: Found[] = []
  for (const parent of parents) {
    if (rows.length >= most) break
    rows.push(...(await find([parent], Math.min(take, most - rows.length))))
  }
  return rows
}

const findRows = ({ client, models }: Source, plan: RowsPlan): Promise<readonly Row[]> =>
  translated(() => delegateOf(client, plan.model).findMany(findArgs(plan, {}, models)))

interface Children {
  readonly keys: readonly (readonly unknown[])[]
  readonly limit: number
}

const findChildren = (source: Source, { parents, ...level }: PerParentPlan, { keys, limit }: Children) =>
  findRows(source, {
    ...level,
    kind: 'rows',
    where: all(level.where, among(parents.columns, keys)),
    skip: 0,
    take: limit,
  })

async function findJoined(
  { client, models }: Source,
  { through, ...level }: JoinedPlan,
): Promise<readonly JoinedRow[]> {
  const { relation, key, parents } = through
  const linked = compare(key, 'in', parents)
  const where = all(level.where, related(relation, 'some', linked))
  const links = { [relation.name]: { select: { [key.name]: true }, ...whereOf(linked, relation.model, models) } }
  const args = findArgs({ ...level, where, skip: 0 }, links, models)
  const rows = await translated(() => delegateOf(client, level.model).findMany(args))
  const [only, ...others] = parents
  return rows.map((row) => {
    const joined = splitJoined(row, through)
    return others.length === 0 ? { ...joined, parents: [only] } : joined
  })
}

type Slice = Omit<RowsPlan, 'kind'>

function findArgs(plan: Slice, joins: object, models: Models): object {
  return {
    ...whereOf(plan.where, plan.model, models),
    ...(plan.order.length > 0 && { orderBy: plan.order.map(orderBy) }),
    ...(plan.skip > 0 && { skip: plan.skip }),
    ...(plan.take !== null && { take: plan.take }),
    select: { ...Object.fromEntries(plan.columns.map((column) => [column, true])), ...joins },
  }
}

/** @throws {JsonApiError} 400 for values that count as null in some rows: Prisma orders by columns alone. */
const orderBy = ({ path, direction, nulls, seen }: OrderTerm): object => {
  if (seen) throw badParameter(seen.parameter, say`Sort parameter ${seen.name} is not allowed.`)
  const order: unknown = nulls ? { sort: direction, nulls } : direction
  return path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), order) as object
}

function splitJoined(row: Row, { relation, key }: Through): JoinedRow {
  const { [relation.name]: links, ...rest } = row
  return { row: rest, parents: (links as Row[]).map((link) => link[key.name]) }
}

const toCounted = (row: Row, columns: readonly string[], name: string): Counted => ({
  key: columns.map((column) => row[column]),
  count: (row._count as Readonly<Record<string, number>>)[name] as number,
})

/** The first rows of each parent, which the columns tell apart. */
export function firstOfEach(rows: readonly Row[], columns: readonly ColumnMeta[], take: number): readonly Row[] {
  const isWanted = countdown(take)
  return rows.filter((row) => isWanted(keyText(columns.map(({ name }) => row[name]))))
}

/** The first rows of each parent; a row that is none for any of its parents is left out. */
export function firstJoined(rows: readonly JoinedRow[], take: number): readonly JoinedRow[] {
  const isWanted = countdown(take)
  return rows
    .map(({ row, parents }) => ({ row, parents: parents.filter((parent) => isWanted(keyText([parent]))) }))
    .filter(({ parents }) => parents.length > 0)
}

/** Is this one of the first `take` calls with that key. */
function countdown(take: number): (key: string) => boolean {
  const taken = new Map<string, number>()
  return (key) => {
    const count = (taken.get(key) ?? 0) + 1
    taken.set(key, count)
    return count <= take
  }
}
