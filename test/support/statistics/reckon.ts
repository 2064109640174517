import { expect } from 'vitest'

// Figures and groups of resources, as a client would reckon them that has fetched all of them.

export interface Resource {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<
    Record<string, { readonly data: { readonly type: string; readonly id: string } | null }>
  >
}

/** Functions by the attribute that they are asked of, and of `*`. */
export type Figures = Readonly<Record<string, readonly string[]>>

/** The resources by their keys, each as the text of a list. */
export function groupsOf(rows: readonly Resource[], keys: readonly string[]): Map<string, Resource[]> {
  const groups = new Map<string, Resource[]>()
  for (const row of rows) {
    const key = JSON.stringify(keys.map((each) => keyOf(row, each)))
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return groups
}

/** A field that is not there counts as null. */
function keyOf({ attributes, relationships }: Resource, key: string): unknown {
  const relationship = relationships?.[key]
  if (relationship) return relationship.data
  const [name = '', part] = key.split(':')
  const value = attributes[name] ?? null
  if (part === undefined || value === null) return value
  if (part === 'week') return isoWeek(new Date(value as string))
  return (value as string).slice(0, { year: 4, month: 7, day: 10 }[part])
}

function isoWeek(date: Date): string {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * 86_400_000)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const day = Date.UTC(thursday.getUTCFullYear(), thursday.getUTCMonth(), thursday.getUTCDate())
  const week = Math.floor((day - first) / 604_800_000) + 1
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}

/** All figures, as `meta.stats` has them; databases add floats in an order of their own. */
export const figuresOf = (rows: readonly Resource[], figures: Figures): object =>
  Object.fromEntries(
    Object.entries(figures).map(([name, functions]) => [
      name,
      Object.fromEntries(functions.map((each) => [each, about(each, figureOf(rows, name, each))])),
    ]),
  )

const about = (name: string, value: unknown): unknown =>
  typeof value === 'number' && (name === 'sum' || name === 'avg') ? expect.closeTo(value, 6) : value

/** One figure: null of no value; the least and the greatest of instants are their texts. */
export function figureOf(rows: readonly Resource[], name: string, each: string): number | string | null {
  const values = name === '*' ? rows : rows.flatMap(({ attributes }) => attributes[name] ?? [])
  if (each === 'count') return values.length
  if (values.length === 0) return null
  if (each === 'min' || each === 'max')
    return (values as (number | string)[]).reduce((a, b) => ((each === 'min') === a < b ? a : b))
  const sum = (values as number[]).reduce((total, value) => total + value, 0)
  return each === 'sum' ? sum : sum / values.length
}
