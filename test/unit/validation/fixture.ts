import { resources as example } from '../../../prisma/generated/resources.ts'
import type { RequestContext } from '../../../src/actions/context.ts'
import type { Condition } from '../../../src/condition/condition.ts'
import {
  type CountPlan,
  type LookUpPlan,
  lookUpAsRows,
  type Plan,
  type Readings,
  type RowsPlan,
  readerOf,
} from '../../../src/database/reader.ts'
import { JsonApiError } from '../../../src/document/error.ts'
import type { ParsedResource } from '../../../src/document/parse-resource.ts'
import type { ErrorObject, Linkage } from '../../../src/document/types.ts'
import type { ColumnMeta, ModelMeta, Provider, Resources } from '../../../src/model/meta.ts'
import type { Row, Where } from '../../../src/model/where.ts'
import { hookKey } from '../../../src/read/hooks.ts'
import { relatedRows } from '../../../src/read/related-rows.ts'
import type { RelationOperation } from '../../../src/request/operation.ts'
import { Preparation } from '../../../src/request/preparation.ts'
import { compileRegistry } from '../../../src/schema/registry.ts'
import type { Relation } from '../../../src/schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../../../src/schema/resource-schema.ts'
import { type AnySchema, Schema } from '../../../src/schema/schema.ts'
import { makeRequest } from '../../../src/validation/request/make-request.ts'
import type { RequestClass, RequestClasses } from '../../../src/validation/request/request-classes.ts'
import {
  validateCreate,
  validateDelete,
  validateRelationship,
  validateUpdate,
} from '../../../src/validation/run/validate.ts'
import { asWhere, conditionIn } from '../../support/conditions.ts'

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
  const ctx = {
    server: { resources, schemas: registry, requests },
    user,
    preparation: new Preparation(),
    seen: () => null,
    served: {
      scopes: new Map(Object.entries(scopes).map(([model, where]) => [model, conditionIn(where, model, resources)])),
      hooks: new Map(hooks.map((model) => [hookKey(model, 'creating'), [() => ({})]])),
      authorizers: new Map(),
      defaultAuthorizer: null,
    },
    store: {
      single: null,
      reader: readerOf({
        rows: async (plan: RowsPlan) => {
          plans.push(plan)
          return select(plan.model, plan.where).slice(0, plan.take ?? undefined)
        },
        lookUp: async (plan: LookUpPlan) => {
          plans.push(plan)
          return select(plan.model, lookUpAsRows(plan).where)[0] ?? null
        },
        count: async ({ model, where }: CountPlan) => select(model, where).length,
      } as unknown as Readings),
    },
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

const column = (name: string, type: string, more: Partial<ColumnMeta> = {}): ColumnMeta => ({
  name,
  column: name,
  type,
  isEnum: false,
  isList: false,
  isNullable: false,
  isForeignKey: false,
  isUpdatedAt: false,
  default: null,
  native: null,
  documentation: null,
  hidden: false,
  readOnly: false,
  writeOnly: false,
  ...more,
})

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
      column('id', 'Int', { default: 'autoincrement' }),
      column('text', 'String'),
      column('short', 'String', { ...optional, native: ['VarChar', '5'] }),
      column('key', 'String', { ...optional, native: ['Uuid'] }),
      column('int', 'Int', optional),
      column('small', 'Int', { ...optional, native: ['SmallInt'] }),
      column('big', 'BigInt', optional),
      column('float', 'Float', optional),
      column('price', 'Decimal', { ...optional, native: ['Decimal', '6', '2'] }),
      column('isOn', 'Boolean', { default: 'value' }),
      column('at', 'DateTime', optional),
      column('data', 'Json', optional),
      column('file', 'Bytes', optional),
      column('role', 'Role', { ...optional, isEnum: true }),
      column('words', 'String', { isList: true }),
      column('pin', 'String', { writeOnly: true }),
      column('place', 'String', { default: 'value' }),
      column('position', 'Int', optional),
      column('madeAt', 'DateTime', { default: 'now' }),
    ].map((each) => [each.name, each]),
  ),
  relations: {},
}
