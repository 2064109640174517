import type { Attribute } from '@prismapi/jsonapi/schema/resource-schema'

interface Order extends Pick<Attribute, 'kind' | 'isConverted'> {
  readonly isUp: boolean
}

/** Do the values ascend, or descend. Where null stands is up to the database, and so is how most texts compare. */
export function isOrdered(values: readonly unknown[], { kind, isConverted, isUp }: Order): boolean {
  const compare = comparisons[kind]
  if (isConverted || !compare) return true
  const present = values.filter((value) => value !== null && value !== undefined).slice(0, 100)
  const inOrder = isUp ? present : present.reverse()
  return inOrder.every((value, i) => inOrder.slice(i + 1).every((later) => compare(value, later) <= 0))
}

type Compare = (a: unknown, b: unknown) => number

const byNumber: Compare = (a, b) => Math.sign(Number(a) - Number(b)) || 0

const comparisons: Partial<Record<Attribute['kind'], Compare>> = {
  integer: byNumber,
  bigint: byNumber,
  float: byNumber,
  decimal: byNumber,
  datetime: (a, b) => byNumber(Date.parse(String(a)), Date.parse(String(b))),
  date: (a, b) => byNumber(Date.parse(String(a)), Date.parse(String(b))),
  string: byText,
}

// Languages in which letters stand elsewhere, or two of them count as one.
const languages = ['en', 'cs', 'cy', 'da', 'et', 'hu', 'lt'].map((name) => new Intl.Collator(name))
const others = [{ numeric: true }, { ignorePunctuation: true }, { caseFirst: 'upper' }] as const
const collators = [...languages, ...others.map((options) => new Intl.Collator('en', options))]

/** 0 where any two databases could differ. */
function byText(first: unknown, second: unknown): number {
  const [a, b] = [String(first), String(second)]
  if (!/^[\x20-\x7e]*$/.test(a + b)) return 0
  const signs = new Set([a < b ? -1 : 1, ...collators.map((each) => Math.sign(each.compare(a, b)))])
  const [sign = 0] = signs
  return signs.size === 1 ? sign : 0
}
