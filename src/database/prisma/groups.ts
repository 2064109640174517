import { Decimal } from '@prisma/client/runtime/client'
import { all, among, isEverything } from '../../condition/build.ts'
import { badParameter } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import type { ColumnMeta, ModelMeta, Resources } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'
import { figureFunctions, type InstantPart } from '../../schema/statistics.ts'
import { keyText, rowKey } from '../keys.ts'
import type { FigurePlan, Group, Groups, GroupsPlan, KeyPlan } from '../reader.ts'
import type { Delegates } from '../store.ts'
import { translated } from './database-errors.ts'
import { delegateOf } from './delegates.ts'
import { type AskGroups, groupsWithSums } from './large-sums.ts'
import { askedWhere } from './prisma-condition.ts'

type Models = Resources['models']

/** Prisma sums up columns alone, and not by what counts as null in some rows. */
const tooMuch = () => badParameter('filter', say`Statistics of this type cannot be asked for beside this filter.`)

/**
 * Prisma groups by columns alone. So its groups are put together here where they are of one part of an instant, or of targets
 * that may not be seen; sums and counts say what an average is.
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
    ...(isEverything(plan.where) ? {} : { where: askedWhere(plan.where, model) }),
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
  for (let from = 0; from < keys.length; from += chunk) {
    const where = askedWhere(all(among(referred, keys.slice(from, from + chunk)), seen), target)
    const select = Object.fromEntries([...references, ...columns.map(({ name }) => name)].map((name) => [name, true]))
    for (const row of await translated(() => delegateOf(client, target.name).findMany({ where, select })))
      found.set(
        rowKey(row, references),
        columns.map(({ name }) => row[name]),
      )
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
