import path from 'node:path'
import type { RequestContext } from '@prismapi/core/actions/context'
import { abilitiesFor } from '@prismapi/core/auth/ability'
import { authorize } from '@prismapi/core/auth/authorize'
import type { AnyPolicy } from '@prismapi/core/auth/policy'
import { readerOf } from '@prismapi/core/database/reader'
import type { Store } from '@prismapi/core/database/store'
import { unknownSizes } from '@prismapi/core/database/tables'
import { Call } from '@prismapi/core/http/call'
import { contextFor } from '@prismapi/core/http/execution'
import { DearRequests } from '@prismapi/core/http/throttling'
import { checkPrice } from '@prismapi/core/price/check-price'
import { relatedRows } from '@prismapi/core/read/find'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { OpenTransactions } from '@prismapi/core/server/open-transactions'
import { makeRequest } from '@prismapi/core/validation/request/make-request'
import { validateCreate, validateUpdate } from '@prismapi/core/validation/run/validate'
import { all, any, columnOf, compare, equals } from '@prismapi/jsonapi/condition/build'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { createApi, discover, Policy, type Rules, type User } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'

// What the framework itself costs, without a database: CPU time for each operation, over a reader that answers at once.

const rounds = 15
const operations = 5000

interface Cost {
  readonly name: string
  /** Microseconds that it may take. */
  readonly target: number | null
  readonly work: () => unknown
}

interface Measured {
  readonly micros: number
  readonly queries: number
}

let queries = 0
const counted = <T>(answer: T) => {
  queries++
  return Promise.resolve(answer)
}
// Every slug is free, and every count finds a row.
const reader = readerOf({
  rows: () => counted([]),
  lookUp: () => counted(null),
  perParent: () => counted([]),
  joined: () => counted([]),
  count: () => counted(1),
  countBy: () => counted([]),
  countThrough: () => counted([]),
  groups: () => counted({ groups: [], total: 0 }),
})
const store = { reader } as unknown as Store

const user = { id: 3, name: 'Somebody', email: 'somebody@example.com', role: 'MEMBER' } as const
const now = new Date()
const post: Row = {
  id: 1,
  title: 'A post',
  slug: 'a-post',
  content: 'Text.',
  synopsis: null,
  publishedAt: null,
  deletedAt: null,
  createdAt: now,
  updatedAt: now,
  authorId: user.id,
}

class OwnColumns extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    can('view', { publishedAt: { lt: now } })
    if (user) can('view', { authorId: user.id })
  }
}

class Relation extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can('view', { author: { is: { role: 'MEMBER' } } })
  }
}

/** The example's first server, and what one request of it sees. */
async function theExample(): Promise<{ readonly server: CompiledServer; readonly ctx: RequestContext }> {
  const { policies, servers } = await discover({ root: path.resolve(import.meta.dirname, '../..'), resources })
  const logger = { debug() {}, info() {}, warn() {}, error: console.error }
  const clients = { reader: {}, writer: {} } as never
  const api = createApi({ resources, clients, policies, servers, baseUrl: 'http://127.0.0.1', logger })
  const server = api.servers.find(({ name }) => name === 'v1') as CompiledServer
  const koa = { method: 'POST', originalUrl: '/api/v1/posts', state: {} } as unknown as Call['koa']
  const batching = { join: () => null }
  const call = new Call(koa, {
    server,
    store,
    authenticate: () => user,
    signIn: null,
    batching,
    slowReaders: { isFull: () => false, watch: () => true },
    dearRequests: new DearRequests({ atOnce: 1, atOnceOfClient: 1, waiting: 0, waitingOfClient: 0 }),
    replicas: null,
    languageOf: null,
    plugins: [],
    transactions: new OpenTransactions(),
  })
  call.user = user
  const ctx = await contextFor(call)
  return { server, ctx }
}

function validations(ctx: RequestContext, schema: ResourceSchema): readonly Cost[] {
  const attributes = new Map(Object.entries({ title: 'A post', slug: 'a-post', content: 'Text.', synopsis: null }))
  const tags = [
    { type: 'tags', id: '2' },
    { type: 'tags', id: '3' },
  ]
  const created = { type: 'posts', id: null, attributes, relationships: new Map<string, Linkage>([['tags', tags]]) }
  const updated = { type: 'posts', id: '1', attributes: new Map([['title', 'Another']]), relationships: new Map() }
  const create = { kind: 'create', schema } as const
  const update = { kind: 'update', schema, id: '1' } as const
  return [
    {
      name: 'validate a new post',
      target: 60,
      work: () =>
        validateCreate(ctx, create, {
          request: makeRequest(ctx, create),
          document: created,
          related: relatedRows(ctx),
          permitLinks: async () => [],
        }),
    },
    {
      name: 'validate a change of a post',
      target: null,
      work: () =>
        validateUpdate(ctx, update, {
          request: makeRequest(ctx, update, post),
          row: post,
          document: updated,
          related: relatedRows(ctx),
          permitLinks: async () => [],
        }),
    },
  ]
}

function authorization(name: string, target: number | null, base: RequestContext, policy: AnyPolicy): Cost {
  const server = { ...base.server, policies: new Map([['Post', policy]]) }
  const operation = { kind: 'view', schema: schemaOf(server.schemas, 'Post'), id: '1' } as const
  // Abilities are made anew for each request: that is part of the cost.
  const work = () => {
    const ctx = { ...base, server, abilityOf: abilitiesFor(server, user, reader) }
    return authorize(ctx, operation, { request: null, row: post, value: null })
  }
  return { name, target, work }
}

async function measure(work: Cost['work']): Promise<Measured> {
  queries = 0
  await work()
  const each = queries
  const costs: number[] = []
  // The first rounds are for the compiler.
  for (let round = -3; round < rounds; round++) {
    const before = process.cpuUsage()
    for (let i = 0; i < operations; i++) await work()
    const { user: inside, system } = process.cpuUsage(before)
    if (round >= 0) costs.push((inside + system) / operations)
  }
  costs.sort((a, b) => a - b)
  return { micros: costs[rounds >> 1] as number, queries: each }
}

/** Of a page whose query and rules are known already: a condition of three parts, an order with an index. */
function pricing(ctx: RequestContext): Cost {
  const schema = schemaOf(ctx.server.schemas, 'Post')
  const { model } = schema
  const mayView = any([compare(columnOf(model, 'publishedAt'), 'lt', now), equals(model, 'authorId', user.id)])
  const where = all(equals(model, 'deletedAt', null), mayView)
  const order = [{ path: ['createdAt'], direction: 'desc' as const }]
  const page = { asks: { take: 20 }, read: () => Promise.reject(new Error('It is not read.')) }
  const query = { include: new Map(), collections: new Map(), counts: new Set<string>(), page }
  const priced = { ...ctx, store: { ...ctx.store, tableSizes: unknownSizes } }
  const subject = {
    query,
    plan: { schema, visibility: 'listed' as const, where, order },
    schemas: [schema],
    parents: 20,
  }
  return { name: 'the price of a page', target: 3, work: () => checkPrice(priced, subject) }
}

const { ctx } = await theExample()
const costs: readonly Cost[] = [
  ...validations(ctx, schemaOf(ctx.server.schemas, 'Post')),
  authorization('authorize a read by columns of the row', 40, ctx, new OwnColumns()),
  authorization('authorize a read by a relation', null, ctx, new Relation()),
  pricing(ctx),
]
const table: Record<string, object> = {}
for (const { name, target, work } of costs) {
  const { micros, queries } = await measure(work)
  table[name] = { 'CPU µs': Number(micros.toFixed(1)), target: target === null ? '' : `< ${target}`, queries }
}
console.table(table)
