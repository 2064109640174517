import { isPlain } from '../condition/plain.ts'
import type { DeclaredRule } from './rules.ts'

/**
 * What rules say, as a text: equal rules have equal texts, and no others have. Null for rules with a value that has no such
 * text, like a Decimal, and for very long ones.
 */
export function ruleKey(rules: readonly DeclaredRule[]): string | null {
  let key = ''
  for (const { inverted, actions, fields, where, reason } of rules) {
    const condition = where.length === 0 ? '' : valueKey(where[0])
    if (condition === null) return null
    const named = typeof actions === 'string' ? text(actions) : texts(actions)
    const about = fields === null ? '' : `.${texts(fields)}`
    key += `${inverted ? '-' : '+'}${named}${about}?${condition}!${reason === undefined ? '' : text(reason)};`
    if (key.length > longest) return null
  }
  return key
}

const longest = 2000
const longestList = 100

// What clients or users have chosen must not be taken for a part of the rules, so a text says how long it is.
const text = (value: string): string => `${value.length}:${value}`

function texts(values: readonly string[]): string {
  let all = ''
  for (const value of values) all += text(value)
  return all
}

function valueKey(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return `s${text(value)}`
    case 'number':
    case 'bigint':
    case 'boolean':
      return `${typeof value}${value};`
    case 'object':
      return value === null ? 'null' : objectKey(value)
    default:
      return null
  }
}

function objectKey(value: object): string | null {
  if (value instanceof Date) return `date${value.getTime()};`
  if (Array.isArray(value)) return value.length > longestList ? null : listKey(value)
  if (!isPlain(value)) return null
  let key = '{'
  for (const name of Object.keys(value)) {
    const member = valueKey(value[name])
    if (member === null) return null
    key += text(name) + member
  }
  return `${key}}`
}

function listKey(list: readonly unknown[]): string | null {
  let key = '['
  for (const each of list) {
    const item = valueKey(each)
    if (item === null) return null
    key += item
  }
  return `${key}]`
}

/** A frozen copy of rules that have a key: the application cannot change it. */
export const copyOf = (rules: readonly DeclaredRule[]): readonly DeclaredRule[] =>
  copied(rules) as readonly DeclaredRule[]

function copied(value: unknown): unknown {
  if (value instanceof Date) return new Date(value)
  if (Array.isArray(value)) return Object.freeze(value.map(copied))
  if (!isPlain(value)) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member)])))
}
