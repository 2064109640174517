import type { About, AnyPolicy, AnyRules } from '../auth/policy.ts'
import { type DeclaredRule, declarationOf } from '../auth/rules.ts'
import { ruleText } from './rule-text.ts'

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
