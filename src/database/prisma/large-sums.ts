import type { Row } from '../../model/where.ts'
import { rowKey } from '../keys.ts'

/** How a delegate is asked for groups; by no column for one group of all rows. */
export type AskGroups = (by: readonly string[], args: object) => Promise<readonly Row[]>

interface Asked {
  readonly by: readonly string[]
  readonly args: { readonly where?: object; readonly _sum?: Readonly<Record<string, true>> }
  /** Columns whose sums the database may refuse. */
  readonly integers: readonly string[]
  readonly floats: readonly string[]
}

/**
 * The groups, whatever their sums are. A sum beyond 64 bits is an error to SQLite, one beyond what a float can hold to PostgreSQL: then it
 * is made here, of each value and of how many rows have it.
 */
export async function groupsWithSums(ask: AskGroups, { by, args, integers, floats }: Asked): Promise<readonly Row[]> {
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
    summed.map((column) => sumsOf(ask, { by, column, where: args.where, isFloat: floats.includes(column) })),
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

async function sumsOf(
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
