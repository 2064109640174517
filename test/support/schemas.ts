import type { ColumnMeta, EnumMeta, ModelMeta, Provider, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { columnAttribute, isAttribute, secretAccess } from '@prismapi/jsonapi/schema/attributes'
import { compileId } from '@prismapi/jsonapi/schema/id'
import { inferType } from '@prismapi/jsonapi/schema/naming'
import { MorphToOverride } from '@prismapi/jsonapi/schema/relation-fields'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { compileMorphTo, compileRelation } from '@prismapi/jsonapi/schema/relations'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'

// A publishing site with one field of every kind and every kind of relation, as the generator would describe it.

type Part<T> = Partial<Omit<T, 'name'>>

/** `String`, `Int?`, `String[]`; a type that is no scalar is an enum. */
function column(name: string, type: string, more: Part<ColumnMeta> = {}): ColumnMeta {
  const bare = type.replace(/\?|\[\]/g, '')
  return {
    name,
    column: name,
    type: bare,
    isEnum: !/^(String|Int|BigInt|Float|Decimal|Boolean|DateTime|Json|Bytes)$/.test(bare),
    isList: type.endsWith('[]'),
    isNullable: type.endsWith('?'),
    isForeignKey: false,
    isUpdatedAt: false,
    default: name === 'id' ? 'autoincrement' : null,
    native: null,
    documentation: null,
    hidden: false,
    readOnly: false,
    writeOnly: false,
    ...more,
  }
}

const key = (name: string, type = 'Int') => column(name, type, { isForeignKey: true })

function relation(name: string, model: string, more: Part<RelationMeta>): RelationMeta {
  return {
    name,
    model,
    isList: false,
    isNullable: false,
    relationName: name,
    foreignKey: null,
    inverse: null,
    join: null,
    onDelete: null,
    documentation: null,
    hidden: false,
    readOnly: false,
    writeOnly: false,
    ...more,
  }
}

const owned = (columns: readonly string[], inverse: string, more: Part<RelationMeta> = {}): Part<RelationMeta> => ({
  foreignKey: { columns, references: columns.map((name) => (columns.length === 1 ? 'id' : name)) },
  inverse,
  ...more,
})

const byName = <T extends { readonly name: string }>(parts: readonly T[]): Readonly<Record<string, T>> =>
  Object.fromEntries(parts.map((part) => [part.name, part]))

function model(
  name: string,
  columns: readonly ColumnMeta[],
  relations: readonly RelationMeta[],
  ids = ['id'],
): ModelMeta {
  return {
    name,
    table: name,
    dbSchema: null,
    documentation: null,
    operations: ['read', 'create', 'update', 'delete'],
    key: ids,
    keyName: ids.length > 1 ? ids.join('_') : null,
    uniques: [ids],
    constraints: {},
    indexes: [ids],
    columns: byName(columns),
    relations: byName(relations),
  }
}

const status: EnumMeta = { name: 'Status', values: ['DRAFT', 'LIVE'], stored: {} }

const user = model(
  'User',
  [column('id', 'Int'), column('name', 'String?'), column('active', 'Boolean?'), column('passwordHash', 'String')],
  [
    relation('posts', 'Post', { isList: true, inverse: 'author' }),
    relation('comments', 'Comment', { isList: true, inverse: 'author' }),
    relation('profile', 'Profile', { isNullable: true, inverse: 'user' }),
  ],
)

const profile = model(
  'Profile',
  [column('id', 'Int'), column('bio', 'String?'), key('userId')],
  [relation('user', 'User', owned(['userId'], 'profile'))],
)

const post = model(
  'Post',
  [
    column('id', 'Int'),
    column('title', 'String?'),
    column('slug', 'String'),
    column('views', 'Int?'),
    column('reads', 'BigInt'),
    column('rating', 'Float?'),
    column('price', 'Decimal'),
    column('featured', 'Boolean'),
    column('status', 'Status'),
    column('publishedAt', 'DateTime?'),
    column('labels', 'String[]'),
    column('meta', 'Json?'),
    column('cover', 'Bytes?'),
    column('rank', 'Int', { native: ['SmallInt'] }),
    column('token', 'String', { writeOnly: true }),
    column('secret', 'String', { hidden: true }),
    key('authorId', 'Int?'),
  ],
  [
    relation('author', 'User', owned(['authorId'], 'posts', { isNullable: true })),
    relation('comments', 'Comment', { isList: true, inverse: 'post' }),
    relation('tags', 'Tag', { isList: true, inverse: 'posts', join: { table: '_PostToTag', own: 'A', other: 'B' } }),
    relation('seats', 'Seat', { isList: true, inverse: 'post' }),
  ],
)

const tag = model(
  'Tag',
  [column('id', 'Int'), column('name', 'String')],
  [relation('posts', 'Post', { isList: true, inverse: 'tags', join: { table: '_PostToTag', own: 'B', other: 'A' } })],
)

const video = model(
  'Video',
  [column('id', 'String', { native: ['Uuid'], default: 'uuid' }), column('title', 'String')],
  [],
)

const comment = model(
  'Comment',
  [
    column('id', 'Int'),
    column('content', 'String'),
    column('spam', 'Boolean?'),
    key('authorId'),
    key('postId', 'Int?'),
    key('videoId', 'String?'),
    key('parentId', 'Int?'),
  ],
  [
    relation('author', 'User', owned(['authorId'], 'comments')),
    relation('post', 'Post', owned(['postId'], 'comments', { isNullable: true })),
    relation('video', 'Video', owned(['videoId'], 'comments', { isNullable: true })),
    relation('parent', 'Comment', owned(['parentId'], 'replies', { isNullable: true })),
    relation('replies', 'Comment', { isList: true, inverse: 'parent' }),
  ],
)

/** A composite id. */
const seat = model(
  'Seat',
  [column('row', 'Int', { default: null }), column('place', 'String'), key('postId', 'Int?')],
  [
    relation('post', 'Post', owned(['postId'], 'seats', { isNullable: true })),
    relation('tickets', 'Ticket', { isList: true, inverse: 'seat' }),
  ],
  ['row', 'place'],
)

/** A composite foreign key. */
const ticket = model(
  'Ticket',
  [column('id', 'Int'), key('row'), key('place', 'String')],
  [relation('seat', 'Seat', owned(['row', 'place'], 'tickets'))],
)

export const resourcesOf = (provider: Provider): Resources => ({
  provider,
  models: byName([user, profile, post, tag, video, comment, seat, ticket]),
  enums: { Status: status },
})

export const resources: Resources = resourcesOf('postgresql')

const commentable = compileMorphTo(comment, new MorphToOverride('commentable', ['post', 'video']), () => true)

function relationsOf(meta: ModelMeta): ReadonlyMap<string, Relation> {
  const own = Object.values(meta.relations).map(
    (each) => compileRelation(each.name, each, meta, resources, null) as Relation,
  )
  const all = meta === comment ? [...own.filter(({ name }) => name !== 'post' && name !== 'video'), commentable] : own
  return new Map(all.map((each) => [each.name, each]))
}

/** The schema of a model, with what a schema class would say of it. */
export function schemaOfModel(name: string, more: Partial<ResourceSchema> = {}): ResourceSchema {
  const meta = resources.models[name] as ModelMeta
  const columns = Object.values(meta.columns).filter(
    (each) => isAttribute(meta, each) && !each.hidden && secretAccess(meta, each) !== 'hidden',
  )
  return {
    type: inferType(name),
    model: meta,
    id: compileId(meta, resources, null),
    label: null,
    previews: new Map(),
    columns: null,
    group: null,
    icon: null,
    search: null,
    constraints: new Map(),
    attributes: new Map(
      columns.map((each) => {
        const isSecret = secretAccess(meta, each) !== null
        return [each.name, columnAttribute(each.name, each, { resources: resources, override: null, isSecret })]
      }),
    ),
    relations: relationsOf(meta),
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
    authorizable: true,
    viewAnyByView: null,
    showsCan: false,
    deletedAtAttribute: null,
    version: null,
    requiresIfMatch: false,
    actions: new Map(),
    unservedActions: [],
    selfLink: true,
    deletedAt: null,
    deprecation: null,
    operations: new Set(['create', 'update', 'delete']),
    hooks: { areOwn: false, indexQuery: () => null, relatableQuery: () => null },
    ...more,
  }
}

/** All types; those that are given stand in for the plain ones of their models. */
export function registryOf(...own: readonly ResourceSchema[]): SchemaRegistry {
  const given = new Map(own.map((schema) => [schema.model.name, schema]))
  const all = Object.keys(resources.models).map((name) => given.get(name) ?? schemaOfModel(name))
  return {
    byType: new Map(all.map((schema) => [schema.type, schema])),
    byModel: new Map(all.map((schema) => [schema.model.name, schema])),
  }
}
