import type { Awaitable } from '../model/awaitable.ts'
import { maxNumber } from './page-params.ts'
import type { AskedRows, PageSource } from './paginator.ts'

// How far a page counts the collection: to its end (Infinity), not at all (0), or up to a number.

/** Whoever reads a page knows from here on that there are many. */
export const usualMost = 10_000

/** An end, as `withBoundedTotal` was given it. */
export function checkMost(most: number): number {
  if (Number.isInteger(most) && most >= 1 && most < maxNumber) return most
  throw new Error(`withBoundedTotal(${most}): pass an integer from 1 to ${maxNumber - 1}, or nothing for ${usualMost}.`)
}

/** What that asks for: one row behind the end tells that there are more. */
export const countedTo = (most: number): NonNullable<AskedRows['counted']> =>
  most === Infinity || (most > 0 && most + 1)

export const countTo = (source: PageSource, most: number): Awaitable<number> =>
  most === Infinity ? source.count() : source.count(most + 1)
