import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { classLine, className, importLine } from '../source.ts'
import { type FieldRule, keptElsewhere, requestRules } from './request-rules.ts'
import { calledRules, writeRule } from './rule-lines.ts'

/** A request class with the inferred rules of the type, written out, for the fields that all servers have. */
export function requestTemplate([type, ...others]: readonly [ResourceSchema, ...ResourceSchema[]]): string {
  const model = type.model.name
  const all = requestRules(type)
  const rules = all.filter(({ field }) => others.every((other) => hasField(other, field)))
  const imported = ['ResourceRequest', ...calledRules(rules.map(({ calls }) => calls.join('.')).join('\n'))]
  const written = rules.map((rule) => ({ ...writeRule(rule, '      '), hint: hintOf(rule, rules) }))
  const constants = new Set(written.flatMap(({ constant }) => constant ?? []))
  const members = written.map(({ text, hint }) => `${hint}${text}\n`).join('') + elsewhere(all, rules) + leftOut(type)
  const name = className(model, 'Request', imported)
  return `${importLine(imported)}
${[...constants].map((constant) => `\n${constant}\n`).join('')}
/** What clients may write of ${type.type}: a field without a rule is ignored. */
${classLine({ name, base: 'ResourceRequest', model, extra: extraFields(type, rules) })}
  override rules() {
    return this.checked(${members === '' ? '{}' : `{\n${members}    }`})
  }
}
`
}

const hasField = ({ id, attributes, relations }: ResourceSchema, field: string): boolean =>
  field === 'id' ? id.clientGenerated : attributes.has(field) || relations.has(field)

function elsewhere(all: readonly FieldRule[], rules: readonly FieldRule[]): string {
  const missing = all.filter((rule) => !rules.includes(rule)).map(({ field }) => field)
  return missing.length > 0 ? `      // Not on every server, so in requests/<server>/: ${missing.join(', ')}\n` : ''
}

/** A rule opens the field, and says nothing of the rows that keep the links. */
function leftOut(type: ResourceSchema): string {
  const names = keptElsewhere(type)
  if (names.length === 0) return ''
  return `      // No rule for ${names.join(', ')}.
      // These links are kept in rows of the other type, whose policy has to allow the update of each:
      // a rule would let clients make and end them from this side, too.
`
}

function extraFields({ model }: ResourceSchema, rules: readonly FieldRule[]): readonly string[] {
  const known = new Set(['id', ...Object.keys(model.columns), ...Object.keys(model.relations)])
  return rules.map(({ field }) => field).filter((field) => !known.has(field))
}

function hintOf(rule: FieldRule, rules: readonly FieldRule[]): string {
  if (rule !== rules.find(({ isRequiredRelation }) => isRequiredRelation)) return ''
  return '      // A relationship that a creation hook fills does without required().\n'
}
