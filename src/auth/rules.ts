import { isEverything } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { parseCondition, UndefinedValue } from '../condition/parse.ts'
import type { Resources } from '../model/meta.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { expandAction, isGroup, isTypeAction } from './actions.ts'
import { policyFault } from './decision.ts'
import { type AnyPolicy, type Prohibition, policyFile } from './policy.ts'

/** A rule as CASL takes it; the subject is the model. */
export interface RawRule {
  readonly action: string[]
  readonly subject: string
  readonly inverted: boolean
  readonly conditions?: Condition
  readonly reason?: string
}

type Models = Resources['models']

/** A rule as a policy declares it. */
export interface DeclaredRule {
  readonly inverted: boolean
  readonly actions: string | readonly string[]
  /** Empty where the rule has no condition: an argument that is there and undefined is one that went missing. */
  readonly where: readonly [object?]
  readonly reason: string | undefined
}

/**
 * What a policy declares for one user, in the order of declaration.
 *
 * @throws Error naming the policy's file, for `abilities` that throws or is async.
 */
export function declaredRules(policy: AnyPolicy, model: string, user: unknown): readonly DeclaredRule[] {
  const rules: Declaration[] = []
  let isOpen = true
  const add = (inverted: boolean, actions: string | readonly string[], where: [object?]): Declaration => {
    if (!isOpen) throw new Error('a rule was declared after abilities() had returned.')
    const rule = { inverted, actions, where, reason: undefined }
    rules.push(rule)
    return rule
  }
  const can = (actions: string | readonly string[], ...where: [object?]) => void add(false, actions, where)
  const cannot = (actions: string | readonly string[], ...where: [object?]) => explained(add(true, actions, where))
  try {
    refusePromise(policy.abilities({ can, cannot }, user))
  } catch (error) {
    throw policyFault(policyFile(model), 'abilities', error)
  }
  isOpen = false
  return rules
}

interface Declaration extends DeclaredRule {
  reason: string | undefined
}

/**
 * Declared rules as CASL takes them.
 *
 * @throws Error naming the policy's file, for a rule that cannot mean anything.
 */
export function toRules(declared: readonly DeclaredRule[], schema: ResourceSchema, models: Models): readonly RawRule[] {
  try {
    return declared.map((rule) => toRule(rule, schema, models))
  } catch (error) {
    throw policyFault(policyFile(schema.model.name), 'abilities', error)
  }
}

function toRule({ inverted, actions, where, reason }: DeclaredRule, schema: ResourceSchema, models: Models): RawRule {
  const action = actionsOf(schema, actions)
  const subject = schema.model.name
  const rule = { action: action as string[], subject, inverted, ...(reason !== undefined && { reason }) }
  if (where.length === 0) return rule
  const conditions = conditionOf(where[0], { inverted, schema, models })
  if (isEverything(conditions)) return rule
  const unjudged = action.find((name) => isTypeAction(name) || schema.actions.get(name)?.on === 'collection')
  if (unjudged)
    throw new Error(`the rule for ${unjudged} has a condition, but ${unjudged} has no row to hold it against.`)
  return { ...rule, conditions }
}

interface Place {
  readonly inverted: boolean
  readonly schema: ResourceSchema
  readonly models: Models
}

function conditionOf(where: unknown, { inverted, schema, models }: Place): Condition {
  try {
    return parseCondition(where, schema.model, models)
  } catch (error) {
    if (!(error instanceof UndefinedValue)) throw error
    const cure = inverted
      ? 'Write this cannot() without a condition: left out, it would deny nothing.'
      : 'Leave this can() out when there is nothing to compare with: what no rule allows is denied.'
    throw new Error(`${error.message} ${cure}`, { cause: error })
  }
}

function actionsOf(schema: ResourceSchema, actions: string | readonly string[]): readonly string[] {
  if (typeof actions === 'string') return expandAction(schema, actions)
  return actions.some(isGroup) ? actions.flatMap((name) => expandAction(schema, name)) : actions
}

const explained = (rule: Declaration): Prohibition => ({
  because(message) {
    rule.reason = message
  },
})

function refusePromise(returned: unknown): void {
  if (!(returned instanceof Promise)) return
  // Without a handler its rejection would end the process.
  returned.catch(() => {})
  throw new Error('it is async, so rules could come too late. Read what it needs where the user is signed in.')
}
