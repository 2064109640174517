import { type JsonApiError, throwAll } from '@prismapi/jsonapi/document/error'
import { badParameter } from '@prismapi/jsonapi/document/errors'
import { say, type Text } from '@prismapi/jsonapi/document/text'
import type { QueryOptions } from '@prismapi/jsonapi/query/check-query'
import type { Parameter } from '@prismapi/jsonapi/query/parameters'
import { isFamily, type RawQuery } from '@prismapi/jsonapi/query/parse'
import type { ReadByRule } from '@prismapi/jsonapi/query/query-context'
import { type ActionOperation, isModifyingRelationship, type Operation } from '@prismapi/jsonapi/request/operation'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type ResourceSchema,
  type SchemaRegistry,
  schemaOf,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import type { ISchema } from 'yup'
import type { Failure } from '../failures/failure.ts'
import { detailOf, type Wording } from '../failures/messages.ts'
import { matches } from '../failures/places.ts'
import { callerFrom, queryRules, type RequestSource } from '../request/make-request.ts'
import { factsOf, type Values } from '../request/request-base.ts'
import type { QueryClass } from '../request/resource-query.ts'
import { type FieldRules, newContext, type RuleContextSource, readRules, runRulesSync } from '../rules/rule-set.ts'
import { refuseUniques } from '../rules/unique-rules.ts'

/** What the rules of queries need to know of a request. */
export interface QueryRulesContext extends RequestSource {
  readonly server: RequestSource['server'] & { readonly schemas: SchemaRegistry }
}

/**
 * The rules of the application's query class for what the operation answers: of the type, or of the types that the
 * relation leads to; null where there are none. For `checkQuery`, which reports what they find beside its own.
 */
export function checkQueryRules(ctx: QueryRulesContext, op: Operation): QueryOptions['rules'] | null {
  const classes = answeredSchemas(ctx, op).flatMap((schema) => {
    const found = ctx.server.requests.get(schema.model.name)
    const Class = answersMany(op) ? found?.collectionQuery : found?.query
    return Class ? [{ schema, Class }] : []
  })
  if (classes.length === 0) return null
  return (raw) => classes.flatMap((each) => queryErrors(ctx, op, { raw, ...each }))
}

interface Check {
  readonly raw: RawQuery
  readonly Class: QueryClass
  readonly schema: ResourceSchema
}

function queryErrors(ctx: QueryRulesContext, op: Operation, { raw, Class, schema }: Check): readonly JsonApiError[] {
  const query = new Class(
    factsOf(op, { caller: callerFrom(ctx), params: ctx.server.params, services: ctx.server.services }),
  )
  const context = { ...newContext(ctx, op, sentFamilies(raw)), schema }
  const rules = queryRules(query)
  const found = runRulesSync(rules, readParameters(rules, raw), context)
  const failures = op.kind === 'viewStats' ? found.filter(isOfGroups) : found
  if (failures.length === 0) return []
  const wording = { messages: query.messages(), attributes: query.attributes() }
  return failures.map((failure) => toParameterError(failure, raw, wording))
}

function answeredSchemas({ server }: QueryRulesContext, op: Operation): readonly ResourceSchema[] {
  if (op.kind === 'action') return [schemaOf(server.schemas, op.action.answers)]
  return 'relation' in op ? targetSchemas(server.schemas, op.relation) : [op.schema]
}

// A write through a to-many relation takes no `page`, so rules that ask for one are not about it.
function answersMany(op: Operation): boolean {
  if (!('relation' in op)) return op.kind === 'viewAny' || op.kind === 'viewStats'
  return isToMany(op.relation) && !isModifyingRelationship(op)
}

// Groups have pages and an order of their own, and show no resources: what is left of a collection are its filters.
const isOfGroups = ({ path: [family] }: Failure): boolean => !ofResources.has(String(family))
const ofResources: ReadonlySet<string> = new Set(['page', 'sort', 'include', 'fields', 'withCount'])

/** A failed rule of a query, at the parameter that it is about. */
function toParameterError(failure: Failure, raw: RawQuery, wording: Wording): JsonApiError {
  const parameter = parameterOf(failure.path, raw)
  const message = failure.message ?? refusal(failure, parameter)
  return badParameter(parameter, detailOf({ ...failure, message }, wording))
}

function refusal({ path, rule }: Failure, parameter: string): Text | null {
  if (rule === 'page') return say`Page parameter ${path.at(-1)} is not allowed.`
  return rule === 'notSupported' ? say`Parameter ${parameter} is not allowed.` : null
}

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

const sentFamilies = ({ parameters }: RawQuery): ReadonlySet<string> => new Set(parameters.map(({ family }) => family))

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

/** The names of the parameters that an action by GET takes beside those of JSON:API. */
export const actionParameters = ({ query }: Action): ReadonlySet<string> =>
  new Set(Object.keys(query).map((key) => key.split('.')[0] as string))

/** The rules of these parameters. At boot, all that can be wrong with them is an Error. */
export function actionQueryRules({ model }: ResourceSchema, action: Action): FieldRules {
  const owner = `action('${action.name}') of ${model.name}`
  const known = actionParameters(action)
  for (const name of known) {
    if (isFamily(name))
      throw new Error(
        `${owner}: the parameter ${name} of its query means something else already. Give it another name.`,
      )
    if (!/^[a-z][A-Za-z0-9]*$/.test(name))
      throw new Error(
        `${owner}: the parameter ${name} of its query needs letters and digits, beginning with a small letter.`,
      )
  }
  const rules = readRules(action.query, `${owner}: query`, known)
  refuseUniques(rules, `${owner}: query`, 'Ask the database in handle().')
  return rules
}

/** What is wrong with the parameters of the action, in the eyes of its rules. */
export function actionQueryErrors(ctx: RuleContextSource, op: ActionOperation, raw: RawQuery): readonly JsonApiError[] {
  const rules = actionQueryRules(op.schema, op.action)
  const context = newContext(ctx, op, sentFamilies(raw))
  return runRulesSync(rules, readParameters(rules, raw), context).map((failed) =>
    toParameterError(failed, raw, { messages: {}, attributes: {} }),
  )
}

/** The parameters that were sent and have a rule, as the rules see them. */
export function actionQueryValues({ schema, action }: ActionOperation, raw: RawQuery): Values {
  const sent = readParameters(actionQueryRules(schema, action), raw)
  const names = [...actionParameters(action)].filter((name) => sent[name] !== undefined)
  return Object.freeze(Object.fromEntries(names.map((name) => [name, sent[name]])))
}
