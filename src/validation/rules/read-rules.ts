import { type ISchema, isSchema, type Schema } from 'yup'
import { nearest } from '../../model/nearest.ts'
import type { RuleSet } from './rule-set.ts'

/** Rules, read: each is the object that the application returned, so nothing of them has to be kept. */
export interface FieldRules {
  /** The fields that have a rule of their own, in the order of the rules. */
  readonly fields: ReadonlyMap<string, ISchema<unknown>>
  /** Rules of paths below a field. */
  readonly below: readonly { readonly names: readonly string[]; readonly rule: Schema }[]
}

/** Rules that can never be run, whatever is sent. */
export class InvalidRules extends Error {}

/**
 * @param owner whose rules they are, for messages
 * @param known the names that a rule's key may begin with
 * @throws {InvalidRules} for a rule of a field that does not exist, and for a rule that is none.
 */
export function readRules(rules: RuleSet, owner: string, known: ReadonlySet<string>): FieldRules {
  const fields = new Map<string, ISchema<unknown>>()
  const below: FieldRules['below'][number][] = []
  for (const [key, rule] of Object.entries(rules)) {
    if (rule === undefined) continue
    const isField = !key.includes('.')
    const names = isField ? [key] : key.split('.')
    if (!known.has(names[0] as string)) throw unknownField(owner, key, known)
    if (!isSchema(rule)) throw noRule(owner, key)
    if (isField) fields.set(key, rule)
    else below.push({ names, rule: rule as Schema })
  }
  return { fields, below }
}

const noRule = (owner: string, key: string): InvalidRules =>
  new InvalidRules(`${owner}: the rule of ${key} is no yup schema. Make it with string(), toOne() and so on.`)

function unknownField(owner: string, key: string, known: ReadonlySet<string>): InvalidRules {
  const [name = ''] = key.split('.')
  const meant = nearest(name, known)
  const cure = meant
    ? `Did you mean ${meant}?`
    : `Remove it, or declare the field. These exist: ${[...known].join(', ')}.`
  return new InvalidRules(`${owner}: there is no field for the rule ${key}. ${cure}`)
}
