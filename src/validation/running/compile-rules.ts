import { type ISchema, isSchema, type ObjectSchema, object, type Schema } from 'yup'
import { nearest } from '../../model/nearest.ts'
import type { RuleSet } from '../rules/rule-set.ts'

/** Rules in the form in which they run. */
export interface CompiledRules {
  /** The fields that have a rule of their own, in the order of the rules. */
  readonly fields: ReadonlySet<string>
  readonly schema: ObjectSchema<Record<string, unknown>>
  /** Rules of paths below a field. */
  readonly below: readonly { readonly names: readonly string[]; readonly rule: Schema }[]
}

/** Whose rules they are, and what they may be about. */
export interface RuleNames {
  readonly Class: { readonly name: string }
  /** The names that a rule's key may begin with. */
  readonly known: ReadonlySet<string>
}

/** @throws {Error} for a rule of a field that does not exist, and for a rule that is none. */
export function compileRules(rules: RuleSet, { known, Class }: RuleNames): CompiledRules {
  const shape: Record<string, ISchema<unknown>> = {}
  const below: CompiledRules['below'][number][] = []
  for (const [key, rule] of Object.entries(rules)) {
    if (rule === undefined) continue
    const names = key.split('.')
    if (!known.has(names[0] as string)) throw unknownField(Class.name, key, known)
    if (!isSchema(rule)) throw noRule(Class.name, key)
    if (names.length > 1) below.push({ names, rule: rule as Schema })
    else shape[key] = rule
  }
  return { fields: new Set(Object.keys(shape)), schema: object(shape), below }
}

const noRule = (Class: string, key: string): Error =>
  new Error(`${Class}: the rule of ${key} is no yup schema. Make it with string(), toOne() and so on.`)

function unknownField(Class: string, key: string, known: ReadonlySet<string>): Error {
  const [name = ''] = key.split('.')
  const meant = nearest(name, known)
  const cure = meant
    ? `Did you mean ${meant}?`
    : `Remove it, or declare the field. These exist: ${[...known].join(', ')}.`
  return new Error(`${Class}: there is no field for the rule ${key}. ${cure}`)
}
