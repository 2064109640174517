import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { ParsedResource } from '@prismapi/jsonapi/document/parse-document'
import type { ErrorObject, Linkage } from '@prismapi/jsonapi/document/types'
import type { ModelMeta, Provider, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row, Where } from '@prismapi/jsonapi/model/where'
import type { RelationOperation } from '@prismapi/jsonapi/request/operation'
import { Preparation, Spent } from '@prismapi/jsonapi/request/write-state'
import { compileRegistry } from '@prismapi/jsonapi/schema/registry'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { type AnySchema, Schema } from '@prismapi/jsonapi/schema/schema'
import { resources as example } from '../../../../prisma/generated/resources.ts'
import { asWhere, conditionIn } from '../../../../test/support/conditions.ts'
import { rowsOver } from '../../../../test/support/rows-over.ts'
import { columnOf } from '../../../jsonapi/test/schema/meta.ts'
import type { RequestContext } from '../../src/actions/context.ts'
import {
  type CountPlan,
  type LookUpPlan,
  lookUpAsRows,
  type Plan,
  type Readings,
  type RowsPlan,
  readerOf,
} from '../../src/database/reader.ts'
import { relatedRows } from '../../src/read/find.ts'
import { hookKey } from '../../src/read/hooks.ts'
import { makeRequest } from '../../src/validation/request/make-request.ts'
import type { RequestClass, RequestClasses } from '../../src/validation/request/resource-query.ts'
import {
  validateCreate,
  validateDelete,
  validateRelationship,
  validateUpdate,
} from '../../src/validation/run/validate.ts'

type Tables = Readonly<Record<string, readonly Row[]>>

export interface WorldOptions {
  readonly request?: { readonly [model: string]: RequestClass }
  readonly classes?: { readonly [model: string]: Partial<RequestClasses> }
  readonly schemas?: { readonly [model: string]: new () => Schema<never> }
  readonly tables?: Tables
  readonly scopes?: { readonly [model: string]: Where }
  readonly hooks?: readonly string[]
  readonly user?: object | null
  readonly provider?: Provider
}

class CommentSchema extends Schema<'Comment'> {
  override fields() {
    return [this.morphTo('commentable', ['post', 'video'])]
  }
}
class VideoSchema extends Schema<'Video'> {
  override fields() {
    return [this.id().clientGenerated()]
  }
}
class UserSchema extends Schema<'User'> {
  override fields() {
    return [this.attribute('password').virtual(), this.attribute('passwordConfirmation').virtual()]
  }
}

/** A server over tables in memory, as one request sees it; `plans` holds every query that was made. */
export function world(options: WorldOptions = {}) {
  const { tables = {}, scopes = {}, hooks = [], user = null, provider = 'sqlite' } = options
  const resources: Resources = { ...example, provider, models: { ...example.models, Sample: sample } }
  const classes = { Comment: CommentSchema, Video: VideoSchema, User: UserSchema, ...options.schemas }
  const schemas = new Map(Object.entries(classes).map(([model, Class]) => [model, new Class() as unknown as AnySchema]))
  const { registry } = compileRegistry({ resources, schemas, only: null, maxPageSize: 100 })
  const requests = new Map<string, RequestClasses>()
  const none: RequestClasses = { request: null, query: null, collectionQuery: null }
  for (const [model, request] of Object.entries(options.request ?? {})) requests.set(model, { ...none, request })
  for (const [model, some] of Object.entries(options.classes ?? {})) requests.set(model, { ...none, ...some })
  const plans: Plan[] = []
  const select = (model: string, condition: Condition) => {
    const where = asWhere(condition, model, resources)
    return (tables[model] ?? []).filter((row) => meets(row, where))
  }
  const scoped = new Map(Object.entries(scopes).map(([model, where]) => [model, conditionIn(where, model, resources)]))
  const reader = readerOf({
    rows: async (plan: RowsPlan) => {
      plans.push(plan)
      return select(plan.model, plan.where).slice(0, plan.take ?? undefined)
    },
    lookUp: async (plan: LookUpPlan) => {
      plans.push(plan)
      return select(plan.model, lookUpAsRows(plan).where)[0] ?? null
    },
    count: async ({ model, where }: CountPlan) => select(model, where).length,
  } as unknown as Readings)
  const ctx = {
    server: { resources, schemas: registry, requests },
    user,
    preparation: new Preparation(),
    spent: new Spent(1e6),
    seen: () => null,
    served: {
      scopes: scoped,
      hooks: new Map(hooks.map((model) => [hookKey(model, 'creating'), [() => ({})]])),
      authorizers: new Map(),
      defaultAuthorizer: null,
    },
    rows: rowsOver(reader, scoped),
    store: { single: null },
  } as unknown as RequestContext
  return { ctx, plans, schema: (model: string): ResourceSchema => schemaOf(registry, model), ...steps(ctx, registry) }
}

function steps(ctx: RequestContext, registry: Parameters<typeof schemaOf>[0]) {
  const relationOf = (schema: ResourceSchema, name: string) => schema.relations.get(name) as Relation
  return {
    create(model: string, sent: Sent) {
      const schema = schemaOf(registry, model)
      const op = { kind: 'create', schema } as const
      const request = makeRequest(ctx, op)
      const document = parsed(schema.type, sent)
      return {
        request,
        done: validateCreate(ctx, op, { request, document, related: relatedRows(ctx), permitLinks: async () => [] }),
      }
    },
    update(model: string, row: Row, sent: Sent) {
      const schema = schemaOf(registry, model)
      const id = schema.id.format(row)
      const op = { kind: 'update', schema, id } as const
      const request = makeRequest(ctx, op, row)
      const document = parsed(schema.type, { id, ...sent })
      return {
        request,
        done: validateUpdate(ctx, op, {
          request,
          row,
          document,
          related: relatedRows(ctx),
          permitLinks: async () => [],
        }),
      }
    },
    change(kind: RelationOperation['kind'], model: string, row: Row, change: { relation: string; linkage: Linkage }) {
      const schema = schemaOf(registry, model)
      const op = { kind, schema, id: schema.id.format(row), relation: relationOf(schema, change.relation) }
      const request = makeRequest(ctx, op, row)
      const { linkage } = change
      return {
        request,
        done: validateRelationship(ctx, op, {
          request,
          row,
          linkage,
          related: relatedRows(ctx),
          permitLinks: async () => [],
        }),
      }
    },
    destroy(model: string, row: Row) {
      const schema = schemaOf(registry, model)
      const op = { kind: 'delete', schema, id: schema.id.format(row) } as const
      const request = makeRequest(ctx, op, row)
      return {
        request,
        done: validateDelete(ctx, op, { request, row, related: relatedRows(ctx) }),
      }
    },
  }
}

export interface Sent {
  readonly id?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, Linkage>>
}

const parsed = (type: string, { id, attributes, relationships }: Sent): ParsedResource => ({
  type,
  id: id ?? null,
  attributes: new Map(Object.entries(attributes ?? {})),
  relationships: new Map(Object.entries(relationships ?? {})),
})

/** The errors that the work ends with; none when it succeeds. Anything but a client's error fails the test. */
export async function errorsOf(work: Promise<unknown>): Promise<readonly ErrorObject[]> {
  try {
    await work
    return []
  } catch (error) {
    if (error instanceof JsonApiError) return error.errors
    throw error
  }
}

/** A failed rule as the client sees it. */
export const invalid = (pointer: string, detail: string, code?: string, field?: string) => ({
  ...(code !== undefined && { code }),
  title: 'Unprocessable Entity',
  status: '422',
  detail,
  source: { pointer },
  ...(field !== undefined && { meta: { field } }),
})

function meets(row: Row, where: Where): boolean {
  return Object.entries(where).every(([key, condition]) => {
    if (key === 'AND') return [condition].flat().every((each) => meets(row, each as Where))
    if (key === 'OR') return (condition as Where[]).some((each) => meets(row, each))
    if (key === 'NOT') return ![condition].flat().every((each) => meets(row, each as Where))
    if (condition === null || typeof condition !== 'object') return row[key] === condition
    if (condition instanceof Date) return row[key] instanceof Date && row[key].getTime() === condition.getTime()
    if ('in' in condition) return (condition.in as unknown[]).includes(row[key])
    if ('not' in condition) return row[key] !== condition.not
    if ('some' in condition) return (row[key] as Row[]).some((each) => meets(each, condition.some as Where))
    throw new Error(`the fake reader does not know ${JSON.stringify(condition)}`)
  })
}

const optional = { isNullable: true } as const

/** A model with a column of every kind. */
const sample: ModelMeta = {
  name: 'Sample',
  table: 'Sample',
  dbSchema: null,
  documentation: null,
  operations: ['read', 'create', 'update', 'delete'],
  key: ['id'],
  keyName: null,
  uniques: [['id'], ['place', 'position']],
  constraints: {},
  indexes: [['id']],
  columns: Object.fromEntries(
    [
      columnOf('id', 'Int', { default: 'autoincrement' }),
      columnOf('text', 'String'),
      columnOf('short', 'String', { ...optional, native: ['VarChar', '5'] }),
      columnOf('key', 'String', { ...optional, native: ['Uuid'] }),
      columnOf('int', 'Int', optional),
      columnOf('small', 'Int', { ...optional, native: ['SmallInt'] }),
      columnOf('big', 'BigInt', optional),
      columnOf('float', 'Float', optional),
      columnOf('price', 'Decimal', { ...optional, native: ['Decimal', '6', '2'] }),
      columnOf('isOn', 'Boolean', { default: 'value' }),
      columnOf('at', 'DateTime', optional),
      columnOf('data', 'Json', optional),
      columnOf('file', 'Bytes', optional),
      columnOf('role', 'Role', { ...optional, isEnum: true }),
      columnOf('words', 'String', { isList: true }),
      columnOf('pin', 'String', { writeOnly: true }),
      columnOf('place', 'String', { default: 'value' }),
      columnOf('position', 'Int', optional),
      columnOf('madeAt', 'DateTime', { default: 'now' }),
    ].map((each) => [each.name, each]),
  ),
  relations: {},
}
