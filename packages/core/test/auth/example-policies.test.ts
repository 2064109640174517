import type { Row } from '@prismapi/jsonapi/model/where'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { compileRegistry } from '@prismapi/jsonapi/schema/registry'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import type { AnySchema } from '@prismapi/jsonapi/schema/schema'
import { beforeAll, describe, expect, test } from 'vitest'
import CommentPolicy from '../../../../policies/comment.policy.ts'
import PostPolicy from '../../../../policies/post.policy.ts'
import ProfilePolicy from '../../../../policies/profile.policy.ts'
import TagPolicy from '../../../../policies/tag.policy.ts'
import UserPolicy from '../../../../policies/user.policy.ts'
import VideoPolicy from '../../../../policies/video.policy.ts'
import { resources } from '../../../../prisma/generated/resources.ts'
import CommentSchema from '../../../../src/app/v1/comment.schema.ts'
import type { RequestContext } from '../../src/actions/context.ts'
import { abilitiesFor } from '../../src/auth/ability.ts'
import { policyDecision } from '../../src/auth/authorize.ts'
import { checkPolicies } from '../../src/auth/check-policies.ts'
import type { LazyRelation } from '../../src/auth/lazy-relation.ts'
import type { AnyPolicy } from '../../src/auth/policy.ts'
import { countingReader } from './fixture.ts'

const policies = new Map<string, AnyPolicy>([
  ['Post', new PostPolicy()],
  ['Comment', new CommentPolicy()],
  ['Tag', new TagPolicy()],
  ['Video', new VideoPolicy()],
  ['User', new UserPolicy()],
  ['Profile', new ProfilePolicy()],
])

let registry: SchemaRegistry

beforeAll(() => {
  const schemas = new Map([['Comment', new CommentSchema() as unknown as AnySchema]])
  registry = compileRegistry({ resources, schemas, only: null, maxPageSize: 1000 }).registry
})

test('every type has a policy, and every method is an action', () => {
  expect(checkPolicies({ name: 'v1', policies, schemas: registry })).toEqual([])
})

const callers = {
  guest: null,
  owner: { id: 3, role: 'MEMBER' },
  other: { id: 4, role: 'MEMBER' },
  editor: { id: 2, role: 'EDITOR' },
  admin: { id: 1, role: 'ADMIN' },
} as const
type Caller = keyof typeof callers

// Each belongs to the caller named `owner`.
const rows: Readonly<Record<string, Row>> = {
  Post: { id: 1, authorId: 3 },
  Comment: { id: 1, authorId: 3 },
  Tag: { id: 1 },
  Video: { id: 'v', ownerId: 3 },
  User: { id: 3 },
  Profile: { id: 9, userId: 3 },
}

const names = (row: Row | null) =>
  ({
    collect: async () => [row],
    async *[Symbol.asyncIterator]() {
      yield row
    },
  }) as unknown as LazyRelation

function operationsOf(schema: ResourceSchema): Operation[] {
  const relations = [...schema.relations.values()]
  return [
    { kind: 'viewAny', schema },
    { kind: 'create', schema },
    ...(['view', 'update', 'delete'] as const).map((kind) => ({ kind, schema, id: '1' })),
    ...relations.flatMap((relation) =>
      (isToMany(relation)
        ? (['viewRelated', 'viewRelationship', 'updateRelationship', 'attach', 'detach'] as const)
        : (['viewRelated', 'viewRelationship', 'updateRelationship'] as const)
      ).map((kind) => ({ kind, schema, id: '1', relation })),
    ),
  ]
}

async function decide(operation: Operation, caller: Caller, value = names({ id: 2, name: 'plain' })) {
  const { reader, asked } = countingReader()
  const user = callers[caller]
  const server = { policies, schemas: registry, resources, production: true }
  const ctx = { server, user, abilityOf: abilitiesFor(server, user, reader) } as unknown as RequestContext
  const isWrite = ['updateRelationship', 'attach', 'detach'].includes(operation.kind)
  const row = 'id' in operation ? (rows[operation.schema.model.name] as Row) : null
  const decision = await policyDecision(ctx, operation, { row, value: isWrite ? value : null })
  expect(asked).toEqual([])
  return decision
}

/** The actions that each caller is allowed: `type` as in the policies, one list for each. */
async function allowed(model: string, caller: Caller): Promise<string[]> {
  const found = new Set<string>()
  for (const operation of operationsOf(schemaOf(registry, model))) {
    const name = 'relation' in operation ? `${operation.kind} ${operation.relation.name}` : operation.kind
    if ((await decide(operation, caller)).allowed) found.add(name)
  }
  return [...found]
}

const views = (...relations: string[]) => [
  'view',
  ...relations.flatMap((name) => [`viewRelated ${name}`, `viewRelationship ${name}`]),
]
const toOne = (name: string) => [`updateRelationship ${name}`]
const toMany = (name: string) => [`updateRelationship ${name}`, `attach ${name}`, `detach ${name}`]

const postViews = ['viewAny', ...views('author', 'tags', 'comments')]
const postWrites = ['update', 'delete', ...toMany('tags')]
const commentViews = ['viewAny', ...views('author', 'commentable')]
const tagViews = ['viewAny', ...views('posts', 'videos')]
const videoViews = ['viewAny', ...views('owner', 'tags', 'comments')]
const videoWrites = ['update', 'delete', ...toOne('owner'), ...toMany('tags'), ...toMany('comments')]
const userViews = views('posts', 'comments', 'videos', 'profile')
const profileViews = ['viewAny', ...views('user')]

describe.each<[string, Record<Caller, string[]>]>([
  [
    'Post',
    {
      guest: postViews,
      other: [...postViews, 'create'],
      owner: [...postViews, 'create', ...postWrites],
      editor: [...postViews, 'create', ...postWrites],
      admin: [...postViews, 'create', ...postWrites, ...toOne('author')],
    },
  ],
  [
    'Comment',
    {
      guest: commentViews,
      other: [...commentViews, 'create'],
      owner: [...commentViews, 'create', 'update', 'delete'],
      editor: [...commentViews, 'create', 'delete'],
      admin: [...commentViews, 'create', 'delete'],
    },
  ],
  [
    'Tag',
    {
      guest: tagViews,
      other: tagViews,
      owner: tagViews,
      editor: tagViews,
      admin: [...tagViews, 'create', 'update', 'delete', ...toMany('posts'), ...toMany('videos')],
    },
  ],
  [
    'Video',
    {
      guest: videoViews,
      other: [...videoViews, 'create'],
      owner: [...videoViews, 'create', ...videoWrites],
      editor: [...videoViews, 'create'],
      admin: [...videoViews, 'create', ...videoWrites],
    },
  ],
  [
    'User',
    {
      guest: [],
      other: userViews,
      owner: [...userViews, 'update'],
      editor: userViews,
      admin: ['viewAny', ...userViews, 'create', 'update', 'delete'],
    },
  ],
  [
    'Profile',
    {
      guest: profileViews,
      other: profileViews,
      owner: [...profileViews, 'update'],
      editor: profileViews,
      admin: profileViews,
    },
  ],
])('%s', (model, table) => {
  test.each(Object.keys(callers) as Caller[])('%s', async (caller) => {
    expect((await allowed(model, caller)).sort()).toEqual([...table[caller]].sort())
  })
})

describe('messages', () => {
  const onPosts = (kind: 'updateRelationship' | 'attach' | 'detach', name: string): Operation => {
    const schema = schemaOf(registry, 'Post')
    const relation = schema.relations.get(name)
    if (!relation) throw new Error(`posts have no ${name}`)
    return { kind, schema, id: '1', relation }
  }
  const denial = (message: string | null) => ({ allowed: false, message, status: null })
  const staffPick = names({ id: 1, name: 'staff-pick' })

  test.each<Caller>(['guest', 'owner', 'other', 'editor'])('an author is not handed on by %s', async (caller) => {
    const message = 'Only an administrator may hand a post to another author.'
    expect(await decide(onPosts('updateRelationship', 'author'), caller)).toEqual(denial(message))
  })

  test.each(['attach', 'updateRelationship'] as const)('members do not pick by %s', async (kind) => {
    expect(await decide(onPosts(kind, 'tags'), 'owner', staffPick)).toEqual(denial('Only editors may pick.'))
    expect(await decide(onPosts(kind, 'tags'), 'other', staffPick)).toEqual(denial(null))
    expect(await decide(onPosts(kind, 'tags'), 'editor', staffPick)).toEqual({ allowed: true })
  })

  test('a member may take a pick away from an own post', async () => {
    expect(await decide(onPosts('detach', 'tags'), 'owner', staffPick)).toEqual({ allowed: true })
  })
})
