import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { Scalar, Term } from '../formula.ts'

/**
 * A value of a column in the form in which it is compared: instants as milliseconds, integers of 64 bits as bigints.
 */
export type Value = string | number | bigint | boolean | null

/** What is compared with the columns that share values. */
export interface ComparedValues {
  readonly constants: ReadonlySet<Value>
  /** Parts of texts that are searched for. */
  readonly searched: ReadonlySet<string>
  /** Is anything compared by size. */
  readonly isOrdered: boolean
  /** Letter case is ignored somewhere. */
  readonly ignoresCase: boolean
}

/**
 * Enough values for every question about a column: the constants, and between two of them, below and above them, as
 * many as there are rows that may have to differ. No comparison distinguishes more values than these.
 */
export function domainOf(
  { type, isEnum }: Pick<ColumnMeta, 'type' | 'isEnum'>,
  values: readonly string[],
  compared: ComparedValues,
  others: number,
): readonly Value[] {
  if (isEnum) return values
  const constants = [...compared.constants].filter((value) => value !== null)
  switch (type) {
    case 'Boolean':
      return [true, false]
    case 'Int':
      return numbers(constants as readonly number[], others, (n) => n, 1)
    case 'BigInt':
      return numbers((constants as readonly bigint[]).map(Number), others, BigInt, 1)
    case 'DateTime':
      return numbers(constants as readonly number[], others, (n) => n, day)
    case 'Float':
    case 'Decimal':
      return numbers(constants as readonly number[], others, (n) => n, 0.5)
    case 'String':
      return texts(constants as readonly string[], compared, others)
    default:
      return ['value']
  }
}

const day = 86_400_000

/** The constants, and others around each of them; nearer than `step` only where there is no room. */
function numbers<T extends Value>(
  constants: readonly number[],
  others: number,
  to: (value: number) => T,
  step: number,
): readonly T[] {
  const sorted = [...new Set(constants)].sort((a, b) => a - b)
  const [lowest = step === day ? day * 19_000 : 0] = sorted
  const highest = sorted.at(-1) ?? lowest
  const found = new Set<number>(sorted)
  for (let i = 1; i <= others; i++) {
    found.add(highest + i * step)
    if (sorted.length > 0) found.add(lowest - i * step)
  }
  for (const [i, low] of sorted.slice(0, -1).entries()) {
    const high = sorted[i + 1] as number
    for (let n = 1; n <= others; n++) {
      const between = low + Math.min(step * n, ((high - low) * n) / (others + 1))
      const value = step < 1 ? between : Math.trunc(between)
      if (value > low && value < high) found.add(value)
    }
  }
  return [...found].sort((a, b) => a - b).map(to)
}

function texts(
  constants: readonly string[],
  { searched, isOrdered, ignoresCase }: ComparedValues,
  others: number,
): readonly string[] {
  const found = new Set<string>(constants)
  for (let i = 1; found.size < constants.length + others; i++) found.add(`text ${i}`)
  const parts = [...searched]
  for (const part of parts) for (const text of [part, `${part}x`, `x${part}`, `x${part}x`]) found.add(text)
  if (parts.length > 1)
    for (const a of parts)
      for (const b of parts)
        if (a !== b) for (const text of [a + b, `x${a}${b}`, `${a}${b}x`, `x${a}${b}x`]) found.add(text)
  if (parts.length > 2) for (const text of [parts.join(''), `x${parts.join('')}x`]) found.add(text)
  if (isOrdered) for (const text of ['', ...constants.flatMap((each) => [`${each} `, `${each}  `])]) found.add(text)
  if (ignoresCase || parts.length > 0) for (const text of [...found]) found.add(text.toUpperCase())
  return [...found]
}

/** A constant in the form in which it is compared. */
function toValue(scalar: Scalar): Value {
  if (typeof scalar !== 'object' || scalar === null) return scalar
  if ('instant' in scalar) return Date.parse(scalar.instant)
  return 'bigint' in scalar ? BigInt(scalar.bigint) : Number(scalar.decimal)
}

/** The same for a term; null for a claim, which has no value yet. */
export const constantOf = (term: Term, now: number): { readonly value: Value } | null => {
  if ('claim' in term) return null
  return { value: 'now' in term ? now + term.now : toValue(term.value) }
}
