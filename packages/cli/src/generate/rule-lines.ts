import { lowerFirst } from '@prismapi/jsonapi/schema/naming'
import { fits, indented, listed, quoted } from '../source.ts'
import type { FieldRule } from './request-rules.ts'

const exported: ReadonlySet<string> = new Set([
  'array',
  'bigint',
  'boolean',
  'bytes',
  'clientId',
  'date',
  'dateTime',
  'decimal',
  'enumOf',
  'integer',
  'json',
  'notSupported',
  'number',
  'page',
  'string',
  'time',
  'toMany',
  'toOne',
  'unique',
  'uuid',
])

/** The rules that the source calls, to be imported. */
export const calledRules = (source: string): readonly string[] =>
  [...exported].filter((name) => new RegExp(`(?<![.\\w])${name}\\(`).test(source))

/** A rule as a member of an object, and the constant that its values are where they are too many for the line. */
export interface WrittenRule {
  readonly text: string
  readonly constant: string | null
}

export function writeRule(rule: FieldRule, indent: string): WrittenRule {
  const inline = member(rule, indent)
  if (!rule.values || inline.split('\n').every(fits)) return { text: inline, constant: null }
  const name = `${lowerFirst(rule.values.name)}Values`
  const list = `[${listed(rule.values.list)}]`
  const calls = rule.calls.map((call) => call.replace(list, name))
  return { text: member({ ...rule, calls }, indent), constant: constantOf(name, rule.values.list) }
}

function constantOf(name: string, values: readonly string[]): string {
  const line = `const ${name} = [${listed(values)}]`
  return fits(line)
    ? line
    : `const ${name} = [\n${indented(
        values.map((value) => `${quoted(value)},`),
        '  ',
      )}]`
}

function member({ field, calls, isWriteOnly }: FieldRule, indent: string): string {
  if (!isWriteOnly) return chain(`${indent}${field}: `, calls, indent)
  const onUpdate = calls.filter((call) => call !== 'required()').join('.')
  const line = `${indent}${field}: this.isCreating() ? ${calls.join('.')} : ${onUpdate},`
  if (fits(line)) return line
  return [`${indent}${field}: this.isCreating()`, `  ? ${calls.join('.')}`, `  : ${onUpdate},`].join(`\n${indent}`)
}

// Three calls or more that do not fit are written one below the other; of two, the last one's arguments are.
function chain(head: string, calls: readonly string[], indent: string): string {
  const line = `${head}${calls.join('.')},`
  if (fits(line)) return line
  const [first = '', ...rest] = calls
  if (calls.length > 2) return `${head}${first}${rest.map((call) => below(call, `${indent}  `)).join('')},`
  return `${head}${[first, ...rest.map((call) => broken(call, indent))].join('.')},`
}

function below(call: string, indent: string): string {
  const line = `${indent}.${call},`
  return `\n${indent}.${fits(line) ? call : broken(call, indent)}`
}

/** A call with each of its arguments on a line of its own. */
function broken(call: string, indent: string): string {
  const [, name = '', inner = ''] = /^(\w+)\((.+)\)$/.exec(call) ?? []
  const items = inner.startsWith("'") ? inner.split(', ') : [inner]
  const deeper = `${indent}  `
  const lines = items.map((item) => (fits(`${deeper}${item},`) ? item : broken(item, deeper)))
  return `${name}(\n${indented(
    lines.map((line) => `${line},`),
    deeper,
  )}${indent})`
}
