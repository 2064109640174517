import type { CompiledRules } from './compile-rules.ts'
import { matches } from './paths.ts'
import type { Values } from './request-state.ts'

/** In a query everything is text: what a number or boolean rule is about is read as one, where it is written as one. */
export function readParameters({ schema, below }: CompiledRules, raw: object): Values {
  const data = copy(raw) as Record<string, unknown>
  for (const [name, rule] of Object.entries(schema.fields)) data[name] = read(rule, data[name])
  for (const { names, rule } of below) {
    for (const { path, value, parent } of matches(data, names)) {
      if (value !== undefined) (parent as Record<string, unknown>)[path.at(-1) as string] = read(rule, value)
    }
  }
  return data
}

interface Rule {
  readonly type?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

function read(rule: unknown, value: unknown): unknown {
  const { type, fields } = rule as Rule
  if (typeof value === 'string') {
    if (type === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
    return type === 'boolean' && /^(true|false)$/.test(value) ? value === 'true' : value
  }
  if (type !== 'object' || typeof value !== 'object' || value === null) return value
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, read(fields?.[name] ?? {}, member)])),
  )
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, copy(member)] as const)
  return Object.assign(Object.create(null), Object.fromEntries(members))
}
