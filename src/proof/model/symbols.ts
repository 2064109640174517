import { Decimal } from '@prisma/client/runtime/client'
import { NotKnown } from '../../model/not-known.ts'
import type { Scalar, Term } from '../formula.ts'
import type { ClaimType, Persona, UserType } from './persona.ts'

/** One run of the application's rules, with values for claims that no other run has, and a clock of its own. */
export interface Run {
  /** Null for a guest. */
  readonly user: Readonly<Record<string, unknown>> | null
  readonly values: ReadonlyMap<string, unknown>
  readonly now: number
}

/**
 * Two runs for one kind of caller. A value that differs between them as a claim does is that claim, and an instant that
 * differs as the clocks do depends on the time.
 */
export function runsFor(persona: Persona, { claims }: UserType, now: number): readonly [Run, Run] {
  const run = (index: 0 | 1): Run => {
    if (persona.kind === 'guest') return { user: null, values: new Map(), now: now + index * shift }
    const values = new Map(
      persona.symbols.map((name, at) => [name, sentinel(claims[name] as ClaimType, { name, at, index })]),
    )
    return { user: userOf(persona, claims, values), values, now: now + index * shift }
  }
  return [run(0), run(1)]
}

/** The clocks of the two runs differ by this: 37 days and some, which no application adds. */
const shift = 3_217_382_011

/** A user as `authenticate` would give it, with these values for the claims that may have any. */
export function userOf(
  persona: Extract<Persona, { kind: 'user' }>,
  claims: UserType['claims'],
  values: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  return withUnknown({ ...persona.fixed, ...Object.fromEntries(values) }, claims)
}

/** A user who throws a `NotKnown` where code reads a claim that no formula can name. */
export function withUnknown(known: object, claims: UserType['claims']): Readonly<Record<string, unknown>> {
  const user: Record<string, unknown> = { ...known }
  for (const [name, claim] of Object.entries(claims))
    if (claim.kind === 'unknown')
      Object.defineProperty(user, name, {
        enumerable: true,
        get() {
          throw new NotKnown(`it reads user.${name}, which is ${claim.says}: no formula can name it`)
        },
      })
  return Object.freeze(user)
}

interface Place {
  readonly name: string
  readonly at: number
  readonly index: 0 | 1
}

// One is large and one is below zero, so that code which compares them takes different ways.
function sentinel(claim: ClaimType, { name, at, index }: Place): unknown {
  if (claim.kind !== 'symbol') throw new Error(`${name} is no symbol.`)
  const number = index === 0 ? 1_618_033_001 + 17 * at : -1_414_213_001 - 23 * at
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
      return `${index === 0 ? 'a1618033' : 'z1414213'}${at}@${name}.invalid`
    default:
      return claim.type satisfies never
  }
}

/** What both runs mean by a value of a condition; null where it follows neither the claims nor the clock. */
export function termOf(values: readonly [unknown, unknown], runs: readonly [Run, Run]): Term | null {
  const [first, second] = values.map(scalarOf)
  if (first === undefined || second === undefined) return null
  for (const name of runs[0].values.keys()) {
    const isThis = (index: 0 | 1) => isSame(scalarOf(runs[index].values.get(name)), index === 0 ? first : second)
    if (isThis(0) && isThis(1)) return { claim: name }
  }
  if (isSame(first, second)) return { value: first }
  const [a, b] = [instantOf(first), instantOf(second)]
  return a !== null && b !== null && b - a === shift ? { now: a - runs[0].now } : null
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const instantOf = (value: Scalar): number | null =>
  typeof value === 'object' && value !== null && 'instant' in value ? Date.parse(value.instant) : null

/** A value as JSON has it; undefined for one that has no such form. */
function scalarOf(value: unknown): Scalar | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value instanceof Date) return { instant: value.toISOString() }
  return Decimal.isDecimal(value) ? { decimal: String(value) } : undefined
}

/** Does the work while the clock stands still at an instant. */
export async function atTime<T>(now: number, work: () => T | Promise<T>): Promise<T> {
  const Real = globalThis.Date
  class Standing extends Real {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [now] : given) as [number]))
    }
    static override now(): number {
      return now
    }
  }
  globalThis.Date = Standing as DateConstructor
  try {
    return await work()
  } finally {
    globalThis.Date = Real
  }
}
