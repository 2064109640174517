import type { AbilityOf, ModelAbility } from './ability.ts'
import { allow, type Decision, type Denied, deny } from './decision.ts'
import { judgeUnasked } from './judge-rules.ts'

/** Stands for what only the database could say: a denial to whoever goes on with it, as authorizers do. */
export const unasked: Denied = Object.freeze({ allowed: false, message: null, status: null })

/** The same abilities, of which none asks the database. */
export function unaskingAbilities(abilityOf: AbilityOf): AbilityOf {
  return (model) => {
    const ability = abilityOf(model)
    return {
      subject: ability.subject,
      names: (action) => ability.names(action),
      allowsSome: (action) => ability.allowsSome(action),
      whereFor: (action) => ability.whereFor(action),
      rulesFor: (action) => ability.rulesFor(action),
      decide: (action, row) => decisionOf(judgeUnasked(ability, action, row)),
    } satisfies ModelAbility
  }
}

function decisionOf(verdict: boolean | null): Decision {
  if (verdict === null) return unasked
  return verdict ? allow() : deny()
}
