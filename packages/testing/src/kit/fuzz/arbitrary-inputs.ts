import { modelOfRule } from '@prismapi/core/validation/rules/rules'
import { actionRules } from '@prismapi/core/validation/run/validate-action'
import type { ActionOperation } from '@prismapi/jsonapi/request/operation'
import type { Part } from '@prismapi/openapi/described'
import { ruleSchema } from '@prismapi/openapi/value-schema'
import fc, { type Arbitrary } from 'fast-check'
import { anything, mostly } from './oddities.ts'

// What the rules of an action let pass, nearly.

/** Identifiers of resources of a model. */
type Identifiers = (model: string) => Arbitrary<unknown>

/** Documents whose `meta` an action may take. */
export function actionDocument(
  { schema, action }: Pick<ActionOperation, 'schema' | 'action'>,
  identifiers: Identifiers,
): Arbitrary<unknown> {
  const inputs = [...actionRules(schema, action).fields].map(([name, rule]) => {
    const model = modelOfRule(rule)
    const part = ruleSchema(rule.describe())
    if (model === null) return [name, mostly(valuesOfPart(part))] as const
    const one = identifiers(model)
    return [name, mostly(part.type === 'array' ? fc.array(one, { maxLength: 3 }) : one)] as const
  })
  const meta = fc.record(Object.fromEntries(inputs), { requiredKeys: [] })
  const stray = fc.dictionary(fc.string(), anything, { minKeys: 1, maxKeys: 1 })
  return mostly(fc.record({ meta: mostly<unknown>(meta, fc.oneof(stray, anything), 9) }, { requiredKeys: [] }))
}

const number = (part: Part, name: string, otherwise: number): number =>
  typeof part[name] === 'number' ? part[name] : otherwise

/** Values of a JSON Schema, as far as it goes. */
function valuesOfPart(part: Part): Arbitrary<unknown> {
  const [type, ...others] = [part.type].flat()
  const usual = Array.isArray(part.enum) ? fc.constantFrom<unknown>(...part.enum) : valuesOfType(part, type)
  return others.includes('null') ? fc.option(usual) : usual
}

function valuesOfType(part: Part, type: unknown): Arbitrary<unknown> {
  if (type === 'string') return textOf(part)
  if (type === 'integer')
    return fc.integer({ min: number(part, 'minimum', -10), max: number(part, 'maximum', 2 ** 31) })
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true })
  if (type === 'boolean') return fc.boolean()
  if (type === 'array') return fc.array(valuesOfPart((part.items ?? {}) as Part), { maxLength: 3 })
  if (type !== 'object') return anything
  const members = Object.entries((part.properties ?? {}) as Readonly<Record<string, Part>>)
  return fc.record(Object.fromEntries(members.map(([name, each]) => [name, mostly(valuesOfPart(each))])))
}

function textOf(part: Part): Arbitrary<string> {
  if (part.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (part.format === 'uuid') return fc.uuid()
  if (part.format === 'email') return fc.emailAddress()
  if (part.format === 'uri') return fc.webUrl()
  if (typeof part.pattern === 'string')
    return fc.stringMatching(new RegExp(part.pattern)).map((text) => text.slice(0, 40))
  return fc.string({ minLength: number(part, 'minLength', 0), maxLength: Math.min(number(part, 'maxLength', 20), 20) })
}
