import type { AnyPolicy, AnyRules } from '../auth/policy.ts'
import { type Declaration, ruleText } from './rule-text.ts'

/** Every rule that a policy declares for one of the callers, by its text. */
export function declarationsOf(policy: AnyPolicy, users: readonly unknown[]): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>()
  const declare = (inverted: boolean) =>
    function declared(actions: string | readonly string[], ...where: [object?]) {
      const declaration = { inverted, actions, where }
      const text = ruleText(declaration)
      if (!found.has(text)) found.set(text, declaration)
      return { because() {} }
    }
  for (const user of users) {
    try {
      policy.abilities({ can: declare(false), cannot: declare(true) } as AnyRules, user)
    } catch {
      // It asks for a claim that these callers lack: what it declared before is known.
    }
  }
  return found
}
