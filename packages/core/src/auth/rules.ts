import type { Ability, Rule } from '@casl/ability'
import { isEverything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { judge, type Verdict } from '@prismapi/jsonapi/condition/memory'
import { parseCondition, UndefinedValue } from '@prismapi/jsonapi/condition/parse'
import type { Provider, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { expandAction, isGroup, isTypeAction } from './actions.ts'
import { policyFault } from './decision.ts'
import { checkFields } from './field-names.ts'
import { type About, type AnyPolicy, type Prohibition, policyFile } from './policy.ts'

/** A rule as CASL takes it; the subject is the model. */
export interface RawRule {
  readonly action: string[]
  readonly subject: string
  readonly inverted: boolean
  readonly fields?: string[]
  readonly conditions?: Condition
  readonly reason?: string
}

type Models = Resources['models']

/** A rule as a policy declares it. */
export interface DeclaredRule {
  readonly inverted: boolean
  readonly actions: string | readonly string[]
  /** Null for all of them. */
  readonly fields: readonly string[] | null
  /** Empty where the rule has no condition: an argument that is there and undefined is one that went missing. */
  readonly where: readonly [object?]
  readonly reason: string | undefined
}

/**
 * What a policy declares for one user, in the order of declaration. `onRule` is called while a rule is declared.
 *
 * @throws Error naming the policy's file, for `abilities` that throws or is async.
 */
export function declaredRules(
  policy: AnyPolicy,
  model: string,
  user: unknown,
  onRule?: () => void,
): readonly DeclaredRule[] {
  const rules: Declaration[] = []
  let isOpen = true
  const add = (inverted: boolean, actions: string | readonly string[], about: About): Declaration => {
    if (!isOpen) throw new Error('a rule was declared after abilities() had returned.')
    if (![actions].flat().every((action) => typeof action === 'string'))
      throw new Error(`${inverted ? 'cannot' : 'can'}() got no action: is the name misspelt? ${groupsCure}`)
    const rule = declarationOf(inverted, actions, about)
    rules.push(rule)
    onRule?.()
    return rule
  }
  const can = (actions: string | readonly string[], ...about: About) => void add(false, actions, about)
  const cannot = (actions: string | readonly string[], ...about: About) => explained(add(true, actions, about))
  try {
    refusePromise(policy.abilities({ can, cannot }, user))
  } catch (error) {
    throw policyFault(policyFile(model, policy), 'abilities', error)
  }
  isOpen = false
  return rules
}

const groupsCure = 'Groups of actions are this.reads, this.rowReads and this.writes.'

interface Declaration extends DeclaredRule {
  reason: string | undefined
}

/** A rule from the arguments of `can` or `cannot`. */
export function declarationOf(inverted: boolean, actions: string | readonly string[], about: About): Declaration {
  const fields = fieldsOf(about[0])
  const where = (fields === null ? about : about.slice(1)) as [object?]
  return { inverted, actions, fields, where, reason: undefined }
}

function fieldsOf(first: About[0]): readonly string[] | null {
  if (typeof first === 'string') return [first]
  return Array.isArray(first) ? first : null
}

/**
 * Declared rules as CASL takes them.
 *
 * @throws Error naming the policy's file, for a rule that cannot mean anything.
 */
export function toRules(
  declared: readonly DeclaredRule[],
  schema: ResourceSchema,
  { models, policy }: { readonly models: Models; readonly policy: AnyPolicy | null },
): readonly RawRule[] {
  try {
    return declared.map((rule) => toRule(rule, schema, models))
  } catch (error) {
    throw policyFault(policyFile(schema.model.name, policy), 'abilities', error)
  }
}

function toRule(declared: DeclaredRule, schema: ResourceSchema, models: Models): RawRule {
  const { inverted, actions, fields, where, reason } = declared
  const action = actionsOf(schema, actions)
  if (fields) checkFields(schema, action, fields)
  const subject = schema.model.name
  const rule = {
    action: action as string[],
    subject,
    inverted,
    ...(fields && { fields: [...fields] }),
    ...(reason !== undefined && { reason }),
  }
  if (where.length === 0) return rule
  const conditions = conditionOf(where[0], { inverted, schema, models })
  if (isEverything(conditions)) return rule
  const unjudged = action.find((name) => isTypeAction(name) || schema.actions.get(name)?.on === 'collection')
  if (unjudged)
    throw new Error(`the rule for ${unjudged} has a condition, but ${unjudged} has no row to hold it against.`)
  return { ...rule, conditions }
}

interface RuleContext {
  readonly inverted: boolean
  readonly schema: ResourceSchema
  readonly models: Models
}

function conditionOf(where: unknown, { inverted, schema, models }: RuleContext): Condition {
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

export type CaslAbility = Ability<[string, string], Condition>
export type CaslRule = Rule<[string, string], Condition>

/** A rule, and whether its condition holds for a row, as far as this can be told in memory. */
export interface AppliedRule {
  readonly rule: CaslRule
  readonly holds: Verdict
}

interface Subject {
  readonly row: Row | null
  readonly schema: ResourceSchema
  readonly provider: Provider
}

export const applyRules = (rules: readonly CaslRule[], subject: Subject): readonly AppliedRule[] =>
  rules.map((rule) => ({ rule, holds: doesHold(rule, subject) }))

function doesHold({ conditions }: CaslRule, { row, schema, provider }: Subject): Verdict {
  if (!conditions) return true
  if (!row) throw new Error(`A rule of ${schema.model.name} has a condition, but no row was given to judge.`)
  return judge(conditions, { row, provider })
}

/** As `conditionFor` combines the rules: some `can` holds, and every stronger `cannot` does certainly not. */
export function combine(applied: readonly AppliedRule[]): true | false | 'ask' {
  let isMaybeForbidden = false
  let isMaybeAllowed = false
  for (const { rule, holds } of applied) {
    if (rule.inverted) {
      if (holds === true || holds === null) break
      isMaybeForbidden ||= holds === 'ask'
    } else if (holds === true && !isMaybeForbidden) {
      return true
    } else {
      isMaybeAllowed ||= holds === true || holds === 'ask'
    }
  }
  return isMaybeAllowed ? 'ask' : false
}

/** Do the rules, the strongest first, allow the action on some row. */
export function allowSome(rules: readonly CaslRule[]): boolean {
  const deciding = rules.find(({ inverted, conditions }) => !inverted || !conditions)
  return deciding !== undefined && !deciding.inverted
}
