import { all, among, isEverything } from '@prismapi/jsonapi/condition/build'
import { badParameter } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import type { Row } from '@prismapi/jsonapi/model/where'
import { figureFunctions, type InstantPart } from '@prismapi/jsonapi/schema/statistics'
import {
  type FigurePlan,
  type Group,
  type Groups,
  type GroupsPlan,
  type KeyPlan,
  keysToAskAgain,
  keyText,
  rowKey,
} from '../reader.ts'
import type { Delegates } from '../store.ts'
import { delegateOf } from './client.ts'
import { translated } from './database-errors.ts'
import { toPrismaWhere } from './prisma-condition.ts'

type Models = Resources['models']

/** Prisma sums up columns alone, and not by what counts as null in some rows. */
const tooMuch = () => badParameter('filter', say`Statistics of this type cannot be asked for beside this filter.`)

/**
 * Prisma groups by columns alone. So its groups are put together here where they are of one part of an instant, or of
 * targets that may not be seen; sums and counts say what an average is.
 */
export async function readGroups(client: Delegates, models: Models, plan: GroupsPlan): Promise<Groups> {
  if (![...plan.keys, ...plan.figures].every(({ shown }) => !shown || isEverything(shown))) throw tooMuch()
  const parts = await readParts(client, models, plan)
  const targets = await Promise.all(plan.keys.map((key) => visibleTargets(client, models, { key, parts })))
  const groups = new Map<string, Sums>()
  for (const part of parts) {
    const key = plan.keys.map((each, i) => keyValue(each, part, targets[i] ?? null))
    const text = keyText(key.map((value) => (Array.isArray(value) ? keyText(value) : value)))
    const known = groups.get(text)
    if (known) known.add(part)
    else groups.set(text, new Sums(key, plan.figures, part))
  }
  if (plan.keys.length === 0 && groups.size === 0) groups.set('', new Sums([], plan.figures, null))
  const found = [...groups.values()].filter(({ rows }) => plan.keys.length === 0 || rows >= plan.minimum)
  const ordered = found.map((sums) => sums.group()).sort(compareGroups(plan))
  return { groups: ordered.slice(plan.skip, plan.skip + plan.take), total: found.length }
}

/** The figures of rows with the same values in all columns that the keys read. */
interface Part extends Row {
  readonly _count: Readonly<Record<string, number>>
}

async function readParts(client: Delegates, models: Models, plan: GroupsPlan): Promise<readonly Part[]> {
  const model = models[plan.model] as ModelMeta
  const by = [...new Set(plan.keys.flatMap(columnsOf))]
  const named = (...functions: readonly FigurePlan['function'][]) =>
    Object.fromEntries(
      plan.figures.flatMap(({ function: name, column }) =>
        column && functions.includes(name) ? [[column.name, true]] : [],
      ),
    )
  const families = { _sum: named('sum', 'avg'), _min: named('min'), _max: named('max') }
  const args = {
    ...(isEverything(plan.where) ? {} : { where: toPrismaWhere(plan.where, model) }),
    _count: { _all: true, ...named(...figureFunctions) },
    ...Object.fromEntries(Object.entries(families).filter(([, columns]) => Object.keys(columns).length > 0)),
  }
  const delegate = delegateOf(client, plan.model)
  const ask: AskGroups = async (columns, asked) =>
    columns.length === 0 ? [await delegate.aggregate(asked)] : delegate.groupBy({ by: columns, ...asked })
  const summed = Object.keys(families._sum).map((name) => model.columns[name] as ColumnMeta)
  const integers = summed.filter(isInteger).map(({ name }) => name)
  const floats = summed.filter(({ type }) => type === 'Float').map(({ name }) => name)
  return (await translated(() => groupsWithSums(ask, { by, args, integers, floats }))) as readonly Part[]
}

const isInteger = ({ type }: ColumnMeta): boolean => type === 'Int' || type === 'BigInt'

const columnsOf = (key: KeyPlan): readonly string[] =>
  key.kind === 'target' ? (key.relation.foreignKey?.columns ?? []) : [key.column.name]

interface About {
  readonly key: KeyPlan
  readonly parts: readonly Part[]
}

/** The ids of the targets that may be seen, by the values that name them; null for keys of another kind. */
async function visibleTargets(
  client: Delegates,
  models: Models,
  { key, parts }: About,
): Promise<ReadonlyMap<string, readonly unknown[]> | null> {
  if (key.kind !== 'target') return null
  const { relation, columns, seen } = key
  const target = models[relation.model] as ModelMeta
  const references = relation.foreignKey?.references ?? []
  const named = parts.map((part) => columnsOf(key).map((column) => part[column]))
  const keys = [...new Map(named.filter((each) => !each.includes(null)).map((each) => [keyText(each), each])).values()]
  if (keys.length === 0) return new Map()
  const referred = references.map((name) => target.columns[name] as ColumnMeta)
  const found = new Map<string, readonly unknown[]>()
  const select = Object.fromEntries([...references, ...columns.map(({ name }) => name)].map((name) => [name, true]))
  const read = (some: readonly (readonly unknown[])[]) => {
    const where = toPrismaWhere(all(among(referred, some), seen), target)
    return translated(() => delegateOf(client, target.name).findMany({ where, select }))
  }
  const shown = (row: Row) => columns.map(({ name }) => row[name])
  for (let from = 0; from < keys.length; from += chunk)
    for (const row of await read(keys.slice(from, from + chunk))) found.set(rowKey(row, references), shown(row))
  const byText = new Map(keys.map((each) => [keyText(each), each]))
  for (const text of keysToAskAgain(byText.keys(), found)) {
    const [row] = await read([byText.get(text) as readonly unknown[]])
    if (row) found.set(text, shown(row))
  }
  return found
}

const chunk = 500

function keyValue(key: KeyPlan, part: Part, targets: ReadonlyMap<string, readonly unknown[]> | null): unknown {
  if (key.kind === 'target') return targets?.get(rowKey(part, columnsOf(key))) ?? null
  const value = part[key.column.name] ?? null
  return key.kind === 'part' && value !== null ? instantPart(value as Date, key.part) : value
}

function instantPart(value: Date, part: InstantPart): string {
  if (part === 'week') return isoWeek(value)
  return value.toISOString().slice(0, { year: 4, month: 7, day: 10 }[part])
}

/** The week that has the Thursday of the instant's own week; it belongs to that Thursday's year. */
function isoWeek(value: Date): string {
  const thursday = new Date(value)
  thursday.setUTCHours(0, 0, 0, 0)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const first = new Date(thursday)
  first.setUTCMonth(0, 1)
  const week = 1 + Math.floor((thursday.getTime() - first.getTime()) / 604_800_000)
  return `${thursday.toISOString().slice(0, 4)}-W${String(week).padStart(2, '0')}`
}

/** One group, added up from parts. */
class Sums {
  rows = 0
  private readonly key: readonly unknown[]
  private readonly plans: readonly FigurePlan[]
  private readonly parts: Part[] = []

  constructor(key: readonly unknown[], plans: readonly FigurePlan[], part: Part | null) {
    this.key = key
    this.plans = plans
    if (part) this.add(part)
  }

  add(part: Part): void {
    this.rows += part._count._all ?? 0
    this.parts.push(part)
  }

  group(): Group {
    return { key: this.key, figures: this.plans.map((plan) => this.figure(plan)) }
  }

  private figure({ function: name, column }: FigurePlan): unknown {
    if (!column) return this.rows
    const counted = this.parts.reduce((sum, { _count }) => sum + (_count[column.name] ?? 0), 0)
    if (name === 'count') return counted
    if (counted === 0) return null
    const of = (family: string) =>
      this.parts.map((part) => (part[family] as Row)[column.name] ?? null).filter((each) => each !== null)
    if (name === 'min' || name === 'max') return extremeOf(of(`_${name}`), name)
    const sums = of('_sum')
    const sum = sums.length === 0 ? null : sumOf(sums, column)
    // No number can hold it.
    if (sum === null || (typeof sum === 'number' && !Number.isFinite(sum))) return null
    return name === 'sum' ? sum : averageOf(sum, counted)
  }
}

// Decimals are rounded to twenty digits wherever they are reckoned with, unless told otherwise.
const Exact = Decimal.clone({ precision: 1000 })

function sumOf(sums: readonly unknown[], column: ColumnMeta): bigint | number | Decimal {
  if (isInteger(column)) return sums.reduce<bigint>((sum, each) => sum + BigInt(each as bigint), 0n)
  if (column.type === 'Decimal') return sums.reduce<Decimal>((sum, each) => sum.add(each as Decimal), new Exact(0))
  return sums.reduce<number>((sum, each) => sum + (each as number), 0)
}

function averageOf(sum: bigint | number | Decimal, count: number): number | Decimal {
  if (!Decimal.isDecimal(sum)) return Number(sum) / count
  const average = sum.div(count)
  return average.isFinite() ? average.toSignificantDigits(Math.max(Decimal.precision, sum.precision())) : average
}

const extremeOf = (found: readonly unknown[], name: 'min' | 'max'): unknown =>
  found.reduce((best, each) => (compareValues(each, best) < 0 === (name === 'min') ? each : best))

function compareGroups({ order, keys }: GroupsPlan) {
  return (a: Group, b: Group): number => {
    for (const { figure, direction } of order) {
      const compared = nullsLast(a.figures[figure], b.figures[figure], direction === 'asc' ? 1 : -1)
      if (compared !== 0) return compared
    }
    for (const i of keys.keys()) {
      const compared = nullsLast(a.key[i], b.key[i], 1)
      if (compared !== 0) return compared
    }
    return 0
  }
}

function nullsLast(a: unknown, b: unknown, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return sign * compareValues(a, b)
}

function compareValues(a: unknown, b: unknown): number {
  if (Array.isArray(a) && Array.isArray(b)) {
    const i = a.findIndex((each, place) => compareValues(each, b[place]) !== 0)
    return i < 0 ? 0 : compareValues(a[i], b[i])
  }
  if (Decimal.isDecimal(a)) return a.comparedTo(b as Decimal)
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0
}

/** How a delegate is asked for groups; by no column for one group of all rows. */
type AskGroups = (by: readonly string[], args: object) => Promise<readonly Row[]>

interface SumsQuery {
  readonly by: readonly string[]
  readonly args: { readonly where?: object; readonly _sum?: Readonly<Record<string, true>> }
  /** Columns whose sums the database may refuse. */
  readonly integers: readonly string[]
  readonly floats: readonly string[]
}

/**
 * The groups, whatever their sums are. A sum beyond 64 bits is an error to SQLite, one beyond what a float can hold to
 * PostgreSQL: then it is made here, of each value and of how many rows have it.
 */
async function groupsWithSums(ask: AskGroups, { by, args, integers, floats }: SumsQuery): Promise<readonly Row[]> {
  const summed = [...integers, ...floats]
  try {
    return await ask(by, args)
  } catch (error) {
    if (summed.length === 0 || !isOverflow(error)) throw error
  }
  const { _sum, ...others } = args
  const decimals = Object.keys(_sum ?? {}).filter((column) => !summed.includes(column))
  const sums = decimals.length > 0 && { _sum: Object.fromEntries(decimals.map((column) => [column, true])) }
  const groups = await ask(by, { ...others, ...sums })
  const added = await Promise.all(
    summed.map((column) => readSums(ask, { by, column, where: args.where, isFloat: floats.includes(column) })),
  )
  return groups.map((group) => {
    const key = rowKey(group, by)
    const own = summed.map((column, i) => [column, added[i]?.get(key) ?? null])
    return { ...group, _sum: { ...(group._sum as Row | undefined), ...Object.fromEntries(own) } }
  })
}

const isOverflow = (error: unknown): boolean =>
  error instanceof Error && /integer overflow|out of range: overflow/.test(error.message)

interface Summed {
  readonly isFloat: boolean
  readonly by: readonly string[]
  readonly column: string
  readonly where: object | undefined
}

async function readSums(
  ask: AskGroups,
  { by, column, where, isFloat }: Summed,
): Promise<ReadonlyMap<string, bigint | number>> {
  const values = await ask([...new Set([...by, column])], { ...(where && { where }), _count: { _all: true } })
  const sums = new Map<string, bigint | number>()
  for (const row of values) {
    const value = row[column] as bigint | number | null
    if (value === null) continue
    const key = rowKey(row, by)
    const { _all } = row._count as { readonly _all: number }
    const sum = sums.get(key)
    if (isFloat) sums.set(key, Number(sum ?? 0) + Number(value) * _all)
    else sums.set(key, BigInt(sum ?? 0) + BigInt(value) * BigInt(_all))
  }
  return sums
}
