import { prismaWhere } from '@prismapi/jsonapi/condition/prisma'
import type { ColumnMeta, ModelMeta, Provider, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row, Where } from '@prismapi/jsonapi/model/where'
import { Preparation, Spent } from '@prismapi/jsonapi/request/write-state'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { columnOf, modelOf, relationOf } from '../../../jsonapi/test/schema/meta.ts'
import type { RequestContext } from '../../src/actions/context.ts'
import { type AbilityOf, abilitiesFor, type ModelAbility } from '../../src/auth/ability.ts'
import type { AnyPolicy } from '../../src/auth/policy.ts'
import { type Reader, type Readings, readerOf } from '../../src/database/reader.ts'

const column = (name: string, type: string, more: Partial<ColumnMeta> = {}) =>
  columnOf(name, type, { isNullable: true, ...more })

const relationMeta = (name: string, model: string, isList: boolean) =>
  relationOf(name, model, { isList, isNullable: !isList })

const modelMeta = (name: string, columns: readonly ColumnMeta[], relations: readonly RelationMeta[]) =>
  modelOf(name, { columns, relations })

const id = column('id', 'Int')
const models = {
  Post: modelMeta(
    'Post',
    [
      id,
      column('title', 'String'),
      column('authorId', 'Int'),
      column('views', 'Int'),
      column('big', 'BigInt'),
      column('rating', 'Float'),
      column('price', 'Decimal'),
      column('isOpen', 'Boolean'),
      column('publishedAt', 'DateTime'),
      column('state', 'State', { isEnum: true }),
      column('data', 'Json'),
      column('labels', 'String', { isList: true }),
      column('code', 'String', { native: ['Citext'] }),
      column('name', 'String', { native: ['VarChar', '40'] }),
      column('seenAt', 'DateTime', { native: ['Timestamptz', '6'] }),
      column('readAt', 'DateTime', { native: ['Timestamptz', '3'] }),
    ],
    [relationMeta('author', 'User', false), relationMeta('tags', 'Tag', true)],
  ),
  User: modelMeta('User', [id, column('name', 'String')], []),
  Tag: modelMeta('Tag', [id, column('name', 'String')], []),
}

export const resourcesFor = (provider: Provider): Resources => ({ provider, models, enums: {} })
export const postModel = models.Post

const base = {
  readOnly: false,
  mustValidate: false,
  notValidated: false,
  isIncludable: true,
  alwaysShowData: false,
  links: true,
  deprecation: null,
}
export const author: Relation = {
  ...base,
  kind: 'belongsTo',
  alwaysVisible: false,
  name: 'author',
  field: 'author',
  model: 'User',
  isNullable: false,
  isRequired: true,
  columns: ['authorId'],
  references: ['id'],
  isExclusive: false,
  clears: [],
}
export const tags: Relation = {
  ...base,
  kind: 'manyToMany',
  name: 'tags',
  field: 'tags',
  model: 'Tag',
  inverse: 'posts',
  defaultPagination: true,
  isCountable: false,
}

function schema(type: string, model: ModelMeta, relations: readonly Relation[], authorizable = true): ResourceSchema {
  return {
    type,
    search: null,
    constraints: new Map(),
    model,
    id: {
      columns: ['id'],
      isOrdered: true,
      clientGenerated: false,
      pattern: /./,
      parse: (text) => ({ id: Number(text) }),
      format: (row) => String(row.id),
      takes: () => false,
    },
    attributes: new Map(),
    relations: new Map(relations.map((relation) => [relation.name, relation])),
    paginator: null,
    defaultPage: null,
    perPage: 15,
    maxPageSize: 100,
    defaultSort: '',
    defaultInclude: [],
    singularFilters: new Set(),
    filters: new Map(),
    sorts: new Map(),
    statistics: null,
    authorizable,
    viewAnyByView: null,
    showsCan: false,
    deletedAtAttribute: null,
    version: null,
    requiresIfMatch: false,
    actions: new Map(),
    unservedActions: [],
    label: null,
    previews: new Map(),
    columns: null,
    group: null,
    icon: null,
    selfLink: true,
    deletedAt: null,
    deprecation: null,
    operations: new Set(['create', 'update', 'delete']),
    hooks: { areOwn: false, indexQuery: () => null, relatableQuery: () => null },
  }
}

export const posts = schema('posts', models.Post, [author, tags])
export const openPosts = schema('posts', models.Post, [author, tags], false)
export const registry: SchemaRegistry = registryOf(
  posts,
  schema('users', models.User, []),
  schema('tags', models.Tag, []),
)

export function registryOf(...schemas: readonly ResourceSchema[]): SchemaRegistry {
  return {
    byType: new Map(schemas.map((each) => [each.type, each])),
    byModel: new Map(schemas.map((each) => [each.model.name, each])),
  }
}

const refuse = () => Promise.reject(new Error('not asked for'))
const notAsked: Readings = {
  rows: refuse,
  lookUp: refuse,
  perParent: refuse,
  joined: refuse,
  count: refuse,
  countBy: refuse,
  countThrough: refuse,
  groups: refuse,
}

/** A reader that answers every count alike, or one after the other, and remembers what it was asked. */
export function countingReader(...answers: readonly number[]) {
  const asked: Where[] = []
  const reader = readerOf({
    ...notAsked,
    async count({ where }) {
      asked.push(prismaWhere(where, models.Post))
      return answers[Math.min(asked.length, answers.length) - 1] ?? 0
    },
  })
  return { asked, reader }
}

/** The rows that an action is allowed on, in Prisma's words. */
export const whereFor = (ability: Pick<ModelAbility, 'conditionFor'>, action: string): Where =>
  prismaWhere(ability.conditionFor(action), models.Post)

type Abilities = AnyPolicy['abilities']

/** The ability that rules make, over a reader that must not be asked unless one is given. */
export function abilityOf(
  abilities: Abilities,
  { user = null, reader = countingReader().reader, provider = 'sqlite' }: AbilityOptions = {},
) {
  return abilitiesOf({ Post: { abilities } }, { user, reader, provider })('Post')
}

interface AbilityOptions {
  readonly user?: unknown
  readonly reader?: Reader
  readonly provider?: Provider
}

export const abilitiesOf = (
  policies: Readonly<Record<string, AnyPolicy>>,
  { user = null, reader = countingReader().reader, provider = 'sqlite' }: AbilityOptions = {},
): AbilityOf =>
  abilitiesFor(
    { policies: new Map(Object.entries(policies)), schemas: registry, resources: resourcesFor(provider) },
    user,
    reader,
  )

interface ContextOptions {
  readonly policies?: Readonly<Record<string, AnyPolicy>>
  readonly user?: unknown
  readonly server?: Partial<RequestContext['server']>
  readonly served?: Partial<RequestContext['served']>
  readonly body?: unknown
  readonly reader?: Reader
}

/** As much of a context as authorization looks at. */
export function contextOf({
  policies = {},
  user = null,
  server,
  served,
  body,
  reader,
}: ContextOptions = {}): RequestContext {
  const ctx = {
    server: {
      policies: new Map(Object.entries(policies)),
      schemas: registry,
      resources: resourcesFor('sqlite'),
      params: {},
      authorizers: new Map(),
      authorizable: true,
      viewAnyByView: false,
      challenge: null,
      production: false,
      ...server,
    },
    limits: { linkage: 3 },
    preparation: new Preparation(),
    spent: new Spent(1e6),
    user,
    method: 'PATCH',
    at: { url: new URL('http://127.0.0.1/api/v1/posts/1'), search: '' },
    body,
    served: { authorizers: new Map(), defaultAuthorizer: null, ...served },
    abilityOf: abilitiesOf(policies, { user, ...(reader && { reader }) }),
  }
  return ctx as unknown as RequestContext
}

export const post: Row = Object.freeze({
  id: 1,
  title: 'One',
  authorId: 7,
  views: 5,
  big: 9007199254740993n,
  rating: 2.5,
  price: { toString: () => '1.5' },
  isOpen: true,
  publishedAt: new Date('2025-01-01T00:00:00Z'),
  state: 'DRAFT',
  data: { a: 1 },
  labels: ['a'],
  code: 'AbC',
  name: 'n',
  seenAt: new Date('2025-01-01T00:00:00Z'),
  readAt: new Date('2025-01-01T00:00:00Z'),
})
