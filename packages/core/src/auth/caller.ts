import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Message } from '@prismapi/jsonapi/document/text'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { actionsOfType } from './actions.ts'
import type { DeclaredRule } from './rules.ts'

// What is known of a caller beside the user: what they may do at most, and who acts in their name. It travels with the
// user, so that nothing which looks at a user can lose it.

/** What a caller may do at most, whoever it is: by the scopes of a token, or as an agent. It gives nothing. */
export interface Ceiling {
  /** What assertions and explanations call it: `scope read`. The same name means the same ceiling. */
  readonly name: string
  /** Why what is above it is denied. */
  readonly reason: Message
  /** May the policies allow the action on the type. */
  allows(schema: ResourceSchema, action: string): boolean
  /** The answer to a request that is above it. */
  refusal(schema: ResourceSchema, action: string): JsonApiError
}

const ceilingKey = Symbol.for('prismapi.ceiling')
const actorKey = Symbol.for('prismapi.actor')

/** The same user, who may do no more than the ceiling lets them. One that they have already stays. */
export function limited<U extends object>(user: U, ceiling: Ceiling): U {
  const had = ceilingOf(user)
  return marked(user, ceilingKey, had ? both(had, ceiling) : ceiling)
}

/** Null for a guest, and for a user who may do all that the policies allow. */
export const ceilingOf = (user: unknown): Ceiling | null => markOf(user, ceilingKey) as Ceiling | null

/** The same user, in whose name somebody else acts. */
export const onBehalf = <U extends object>(user: U, actor: object): U => marked(user, actorKey, actor)

/** Who acts in the name of a user; null where it is the user. */
export const actorOf = (user: unknown): object | null => markOf(user, actorKey) as object | null

/** Is the action above what the user may do at most. */
export function isAboveCeiling(user: unknown, schema: ResourceSchema, action: string): boolean {
  const ceiling = ceilingOf(user)
  return ceiling !== null && !ceiling.allows(schema, action)
}

/** The rules of a policy for a user, and after them one that takes away what is above the ceiling. */
export function belowCeiling(
  rules: readonly DeclaredRule[],
  schema: ResourceSchema,
  user: unknown,
): readonly DeclaredRule[] {
  const ceiling = ceilingOf(user)
  if (ceiling === null) return rules
  const denied = actionsOfType(schema).filter((action) => !ceiling.allows(schema, action))
  if (denied.length === 0) return rules
  return [...rules, { inverted: true, actions: denied, fields: null, where: [], reason: String(ceiling.reason) }]
}

const both = (one: Ceiling, other: Ceiling): Ceiling => ({
  name: `${one.name}, ${other.name}`,
  reason: one.reason,
  allows: (schema, action) => one.allows(schema, action) && other.allows(schema, action),
  refusal: (schema, action) => (one.allows(schema, action) ? other : one).refusal(schema, action),
})

// A symbol that is enumerable goes along where an application spreads the user. Members of a user may be getters.
function marked<U extends object>(user: U, key: symbol, value: object): U {
  // One that is marked already is frozen.
  const { [key]: _, ...own } = Object.getOwnPropertyDescriptors(user) as PropertyDescriptorMap
  const mark = { value, enumerable: true, configurable: true }
  return Object.freeze(Object.create(Object.getPrototypeOf(user), { ...own, [key]: mark }))
}

const markOf = (user: unknown, key: symbol): unknown =>
  typeof user === 'object' && user !== null ? (Reflect.get(user, key) ?? null) : null
