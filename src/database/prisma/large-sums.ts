import type { Row } from '../../model/where.ts'
import { rowKey } from '../keys.ts'

/** How a delegate is asked for groups; by no column for one group of all rows. */
export type AskGroups = (by: readonly string[], args: object) => Promise<readonly Row[]>

interface Asked {
  readonly by: readonly string[]
  readonly args: { readonly where?: object; readonly _sum?: Readonly<Record<string, true>> }
  /** Columns of integers. */
  readonly integers: readonly string[]
}

/**
 * The groups, whatever their sums are. A sum beyond 64 bits is an error to SQLite: then it is made here, of each value and of how
 * many rows have it.
 */
export async function groupsWithSums(ask: AskGroups, { by, args, integers }: Asked): Promise<readonly Row[]> {
  try {
    return await ask(by, args)
  } catch (error) {
    if (integers.length === 0 || !isOverflow(error)) throw error
  }
  const { _sum, ...others } = args
  const fractions = Object.keys(_sum ?? {}).filter((column) => !integers.includes(column))
  const sums = fractions.length > 0 && { _sum: Object.fromEntries(fractions.map((column) => [column, true])) }
  const groups = await ask(by, { ...others, ...sums })
  const added = await Promise.all(integers.map((column) => sumsOf(ask, { by, column, where: args.where })))
  return groups.map((group) => {
    const key = rowKey(group, by)
    const own = integers.map((column, i) => [column, added[i]?.get(key) ?? null])
    return { ...group, _sum: { ...(group._sum as Row | undefined), ...Object.fromEntries(own) } }
  })
}

const isOverflow = (error: unknown): boolean => error instanceof Error && error.message.includes('integer overflow')

interface Summed {
  readonly by: readonly string[]
  readonly column: string
  readonly where: object | undefined
}

async function sumsOf(ask: AskGroups, { by, column, where }: Summed): Promise<ReadonlyMap<string, bigint>> {
  const values = await ask([...new Set([...by, column])], { ...(where && { where }), _count: { _all: true } })
  const sums = new Map<string, bigint>()
  for (const row of values) {
    const value = row[column] as bigint | number | null
    if (value === null) continue
    const key = rowKey(row, by)
    const { _all } = row._count as { readonly _all: number }
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(value) * BigInt(_all))
  }
  return sums
}
