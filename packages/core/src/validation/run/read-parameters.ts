import { throwAll } from '@prismapi/jsonapi/document/error'
import { badParameter } from '@prismapi/jsonapi/document/errors'
import type { Parameter } from '@prismapi/jsonapi/query/parameters'
import type { RawQuery } from '@prismapi/jsonapi/query/parse'
import type { ReadByRule } from '@prismapi/jsonapi/query/query-context'
import type { ISchema } from 'yup'
import { detailOf } from '../failures/messages.ts'
import { matches } from '../failures/places.ts'
import type { Values } from '../request/request-base.ts'
import type { FieldRules } from '../rules/rule-set.ts'
import { runRulesSync } from './run-rules.ts'

/**
 * The data of a query's rules: texts, nested as the keys are (`filter[author.name]` is `filter.author.name`). A text
 * that a number or boolean rule is about becomes a number or boolean, if it is written as one.
 */
export function readParameters({ fields, below }: FieldRules, { parameters }: RawQuery): Values {
  const data: Node = Object.create(null)
  for (const parameter of parameters) put(data, namesOf(parameter), parameter.value)
  for (const [name, rule] of fields) if (name in data) data[name] = read(rule, data[name])
  for (const { names, rule } of below) {
    for (const { path, value, parent } of matches(data, names)) {
      if (value !== undefined) (parent as Node)[path.at(-1) as string] = read(rule, value)
    }
  }
  return data
}

export const sentFamilies = ({ parameters }: RawQuery): ReadonlySet<string> =>
  new Set(parameters.map(({ family }) => family))

/** The key of what failed, as it was sent; as it would be sent when it is missing. */
export function parameterOf(path: readonly string[], { parameters }: RawQuery): string {
  const wanted = path.join('.')
  const sent = parameters.find((parameter) => namesOf(parameter).join('.') === wanted)
  const [family = '', ...members] = path
  return sent?.key ?? family + members.map((member) => `[${member}]`).join('')
}

type Node = Record<string, unknown>

const namesOf = ({ family, path }: Parameter): readonly string[] => [
  family,
  ...path.filter((name) => name !== '').flatMap((name) => name.split('.')),
]

function put(node: Node, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length > 0) {
    if (!isNode(node[name])) node[name] = Object.create(null)
    put(node[name] as Node, rest, value)
  } else if (node[name] === undefined) node[name] = value
  else if (typeof node[name] === 'string') node[name] = `${node[name]},${value}`
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

interface Rule {
  readonly type?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

function read(rule: unknown, value: unknown): unknown {
  const { type, fields = {} } = rule as Rule
  if (isNode(value)) {
    for (const [name, member] of Object.entries(value)) if (fields[name]) value[name] = read(fields[name], member)
    return value
  }
  return typeof value === 'string' ? textAs(type, value) : value
}

/** What a text is to a rule: a number or a boolean where the rule is about one and the text is written as one. */
const readText = (rule: unknown, text: string): unknown => textAs((rule as Rule).type, text)

function textAs(type: string | undefined, text: string): unknown {
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}

/** The value of a filter that a schema class declares a rule for. */
export const readByRule: ReadByRule = (rule, { name, key, text }, user) => {
  const value = readText(rule, text)
  const rules = { fields: new Map<string, ISchema<unknown>>([[name, rule]]), below: [] }
  const failures = runRulesSync(rules, { [name]: value }, { user })
  throwAll(failures.map((failed) => badParameter(key, detailOf(failed, noWording))))
  return value
}

const noWording = { messages: {}, attributes: {} }
