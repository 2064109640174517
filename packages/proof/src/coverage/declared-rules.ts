import type { About, AnyPolicy, AnyRules } from '@prismapi/core/auth/policy'
import { type DeclaredRule, declarationOf } from '@prismapi/core/auth/rules'
import { isPlain } from '@prismapi/jsonapi/document/types'

/** What a policy declares for some callers. */
interface Declared<User> {
  /** Every rule that one of them has, by its text. */
  readonly rules: ReadonlyMap<string, DeclaredRule>
  /** For whom `abilities` threw: only what it declared before is known. */
  readonly thrown: readonly { readonly user: User; readonly error: unknown }[]
}

/** Runs the abilities of a policy for each of these callers. */
export function declarationsOf<User>(policy: AnyPolicy, users: readonly User[]): Declared<User> {
  const rules = new Map<string, DeclaredRule>()
  const declare = (inverted: boolean) =>
    function declared(actions: string | readonly string[], ...about: About) {
      const declaration = declarationOf(inverted, actions, about)
      const text = ruleText(declaration)
      if (!rules.has(text)) rules.set(text, declaration)
      return { because() {} }
    }
  const thrown = users.flatMap((user) => {
    try {
      policy.abilities({ can: declare(false), cannot: declare(true) } as AnyRules, user)
      return []
    } catch (error) {
      return [{ user, error }]
    }
  })
  return { rules, thrown }
}

/**
 * The identity of a rule in its policy: its effect, its actions, its fields, and the members of its condition. Their
 * values are left out, because they differ from caller to caller.
 */
export function ruleText({ inverted, actions, fields, where: [where] }: Omit<DeclaredRule, 'reason'>): string {
  const named = typeof actions === 'string' ? actions : `[${actions.join(', ')}]`
  const condition = isPlain(where) && Object.keys(where).length > 0 ? `, ${shapeOf(where)}` : ''
  const about = fields ? `, [${fields.join(', ')}]` : ''
  return `${inverted ? 'cannot' : 'can'}(${named}${about}${condition})`
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shapeOf).join(', ')}]`
  if (!isPlain(value)) return '…'
  const members = Object.entries(value).map(([name, member]) => `${name}: ${shapeOf(member)}`)
  return `{ ${members.join(', ')} }`
}
