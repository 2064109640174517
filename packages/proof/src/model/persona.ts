import type { Ceiling } from '@prismapi/core/auth/caller'
import type { Scalar } from '../formula.ts'

/** What a claim of the signed-in user may be. */
export type ClaimType =
  /** Each of the values is a caller of its own: an enum, a boolean, null. */
  | { readonly kind: 'values'; readonly values: readonly (string | number | boolean | null)[] }
  /** Any value of the type: told by a name in formulas. */
  | {
      readonly kind: 'symbol'
      readonly type: 'Int' | 'BigInt' | 'Float' | 'String' | 'DateTime'
      readonly isNullable: boolean
    }
  /** What no formula can name. */
  | { readonly kind: 'unknown'; readonly says: string }

/** What the application says of its users. */
export interface UserType {
  readonly claims: Readonly<Record<string, ClaimType>>
  /** The model that users are rows of; null where there is none. */
  readonly model: string | null
  /** Called with the name of each claim that code reads and no formula can name. */
  readonly onUnknown?: (claim: string) => void
  /** What each of them may do at most, where a sentence says so: by the scope of a token. */
  readonly ceiling?: Ceiling
}

/**
 * A kind of caller: a guest, or users with the same values of all claims that have few values. A claim that is a symbol
 * here may have any value.
 */
export type Persona =
  | { readonly kind: 'guest' }
  | {
      readonly kind: 'user'
      readonly fixed: Readonly<Record<string, string | number | boolean | null>>
      readonly symbols: readonly string[]
    }

/** The claims of a caller, as a counterexample shows them. */
export type Who = 'guest' | Readonly<Record<string, Scalar>>

const guest: Persona = Object.freeze({ kind: 'guest' })

const mostPersonas = 256

/** Are there so few kinds of callers that each can be looked at? */
export const areFew = ({ claims }: UserType): boolean =>
  Object.values(claims).reduce((count, type) => count * kindsOf(type), 1) <= mostPersonas

function kindsOf(type: ClaimType): number {
  if (type.kind === 'values') return type.values.length
  return type.kind === 'symbol' && type.isNullable ? 2 : 1
}

/**
 * Every kind of caller.
 *
 * @throws {Error} for more than 256 kinds, with the claims that make them
 */
export function personasOf(userType: UserType): readonly Persona[] {
  const { claims } = userType
  if (!areFew(userType)) throw new Error(tooMany(claims))
  let users: readonly Extract<Persona, { kind: 'user' }>[] = [{ kind: 'user', fixed: {}, symbols: [] }]
  for (const [name, type] of Object.entries(claims)) {
    if (type.kind === 'unknown') continue
    const values = type.kind === 'values' ? type.values : type.isNullable ? [null] : []
    users = users.flatMap((user) => [
      ...(type.kind === 'symbol' ? [{ ...user, symbols: [...user.symbols, name] }] : []),
      ...values.map((value) => ({ ...user, fixed: { ...user.fixed, [name]: value } })),
    ])
  }
  return [guest, ...users]
}

function tooMany(claims: UserType['claims']): string {
  const several = Object.entries(claims).flatMap(([name, type]) => (kindsOf(type) > 1 ? [name] : []))
  return `Your rules read ${several.join(', ')} of the user, which makes more than ${mostPersonas} kinds of callers. Read fewer enums, booleans and nullable values, or declare user of Register without the other ones, as Pick<User, 'id' | 'role'>.`
}

/** One kind of caller has one text. */
export const personaKey = (persona: Persona): string =>
  persona.kind === 'guest'
    ? 'guest'
    : JSON.stringify(Object.entries(persona.fixed).sort(([a], [b]) => (a < b ? -1 : 1)))

/** `guest`, or `MEMBER`: the values that tell them from others. */
export function personaName(persona: Persona): string {
  if (persona.kind === 'guest') return 'guest'
  const values = Object.entries(persona.fixed).map(([name, value]) =>
    typeof value === 'string' ? value : `${name} ${value}`,
  )
  return values.length === 0 ? 'user' : values.join(' ')
}
