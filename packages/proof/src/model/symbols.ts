import { limited } from '@prismapi/core/auth/caller'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import { NotKnown } from '@prismapi/jsonapi/model/register'
import type { Scalar, Term } from '../formula.ts'
import type { ClaimType, Persona, UserType } from './persona.ts'

/**
 * One run of the application's rules. Rules run twice, with other claims and another time in each run, to see which
 * values of a condition come from a claim of the user or from the clock.
 */
export interface Run {
  /** Null for a guest. */
  readonly user: Readonly<Record<string, unknown>> | null
  readonly values: ReadonlyMap<string, unknown>
  readonly now: number
}

/** The two runs for one kind of caller. `termOf` compares what they return. */
export function runsFor(persona: Persona, userType: UserType, now: number): readonly [Run, Run] {
  const { claims } = userType
  const run = (index: 0 | 1): Run => {
    if (persona.kind === 'guest') return { user: null, values: new Map(), now: now + index * clockDifference }
    const values = new Map(
      persona.symbols.map((name, position) => [name, testValue(claims[name] as ClaimType, { name, position, index })]),
    )
    return { user: userOf(persona, userType, values), values, now: now + index * clockDifference }
  }
  return [run(0), run(1)]
}

/** In milliseconds, between the clocks of the two runs: 37 days and some, which no application adds to a date. */
const clockDifference = 3_217_382_011

/** A user as `authenticate` would give it, with these values for the claims that may have any. */
export function userOf(
  persona: Extract<Persona, { kind: 'user' }>,
  userType: UserType,
  values: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  const user = withUnknown({ ...persona.fixed, ...Object.fromEntries(values) }, userType)
  return userType.ceiling ? limited(user, userType.ceiling) : user
}

/** A user with getters that throw a `NotKnown` where code reads a claim that no formula can name. */
export function withUnknown(known: object, { claims, onUnknown }: UserType): Readonly<Record<string, unknown>> {
  const user: Record<string, unknown> = { ...known }
  for (const [name, claim] of Object.entries(claims))
    if (claim.kind === 'unknown')
      Object.defineProperty(user, name, {
        enumerable: true,
        get() {
          onUnknown?.(name)
          throw new NotKnown(`it reads user.${name}, which is ${claim.says}: no formula can name it`)
        },
      })
  return Object.freeze(user)
}

interface ClaimOfRun {
  readonly name: string
  readonly position: number
  /** The first run, or the second. */
  readonly index: 0 | 1
}

/**
 * A value of a claim that no other claim and no application has. It is large in the first run and below zero in the
 * second, so that code which compares it with a number takes another branch.
 */
function testValue(claim: ClaimType, { name, position, index }: ClaimOfRun): unknown {
  if (claim.kind !== 'symbol') throw new Error(`${name} is no symbol.`)
  const number = index === 0 ? 1_618_033_001 + 17 * position : -1_414_213_001 - 23 * position
  switch (claim.type) {
    case 'Int':
      return number
    case 'Float':
      return number + 0.5
    case 'BigInt':
      return BigInt(number)
    case 'DateTime':
      return new Date(1_000_000_000_000 + number)
    case 'String':
      return `${index === 0 ? 'a1618033' : 'z1414213'}${position}@${name}.invalid`
    default:
      return claim.type satisfies never
  }
}

/**
 * The term of a condition's value: the claim that has these values in both runs, a constant that is the same in both,
 * or a time relative to now, if it differs as the clocks do. Null if it is none of them.
 */
export function termOf(values: readonly [unknown, unknown], runs: readonly [Run, Run]): Term | null {
  const [first, second] = values.map(scalarOf)
  if (first === undefined || second === undefined) return null
  for (const name of runs[0].values.keys()) {
    const [one, other] = runs.map(({ values }) => scalarOf(values.get(name)))
    if (isSame(one, first) && isSame(other, second)) return { claim: name }
  }
  if (isSame(first, second)) return { value: first }
  const [a, b] = [instantOf(first), instantOf(second)]
  return a !== null && b !== null && b - a === clockDifference ? { now: a - runs[0].now } : null
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const instantOf = (value: Scalar): number | null =>
  typeof value === 'object' && value !== null && 'instant' in value ? Date.parse(value.instant) : null

/** A value as formulas write it in JSON; undefined for values that they cannot write. */
function scalarOf(value: unknown): Scalar | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value instanceof Date) return { instant: value.toISOString() }
  return Decimal.isDecimal(value) ? { decimal: String(value) } : undefined
}

/** Runs the work with a `Date` that stands still at an instant. */
export async function atTime<T>(now: number, work: () => T | Promise<T>): Promise<T> {
  const Real = globalThis.Date
  class StoppedDate extends Real {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [now] : given) as [number]))
    }
    static override now(): number {
      return now
    }
    /** An instant of before is a `Date` as well, and one of another time that stood still. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Real
    }
  }
  globalThis.Date = StoppedDate as DateConstructor
  try {
    return await work()
  } finally {
    globalThis.Date = Real
  }
}
