import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import { type AuthorizerClass, PolicyAuthorizer } from '../../src/auth/authorizer.ts'
import type { AnyPolicy, AnyRules } from '../../src/auth/policy.ts'
import { emptyThrough, shownThoughDenied } from '../../src/auth/policy-warnings.ts'
import { author, openPosts, posts, registry, registryOf, resourcesFor, tags } from './fixture.ts'

type Declare = (rules: AnyRules) => void
const policy = (abilities: Declare, methods: object = {}) => ({ abilities, ...methods }) as AnyPolicy
const open = policy(({ can }) => can('view'))

describe('an include that shows rows which policies deny', () => {
  const server = {
    name: 'v1',
    resources: resourcesFor('sqlite'),
    schemas: registry,
    policies: new Map([
      ['User', open],
      ['Tag', open],
    ]),
    authorizers: new Map<string, AuthorizerClass>(),
    authorizable: true,
    viewEverywhere: false,
  }
  const told = (types: string) =>
    `Server v1: an include shows rows that policies deny to somebody: ${types}. Set viewEverywhere = true in the server class, or hide these rows by a scope.`
  const withTags = (tag: AnyPolicy | null, more: Partial<typeof server> = {}) => {
    const policies = new Map([['User', open], ...(tag ? [['Tag', tag] as const] : [])])
    return shownThoughDenied({ ...server, policies, ...more })
  }

  test('is none where everybody may view what is included', () => {
    expect(shownThoughDenied(server)).toBe(null)
  })

  test('is told with its paths', () => {
    const deny = policy(({ can }) => can('view', { id: 1 }))
    expect(withTags(deny)).toBe(told('tags (posts.tags)'))
    expect(withTags(null)).toBe(told('tags (posts.tags)'))
    expect(withTags(policy(() => {}))).toBe(told('tags (posts.tags)'))
    expect(shownThoughDenied({ ...server, policies: new Map() })).toBe(told('users (posts.author), tags (posts.tags)'))
  })

  test('is taken for granted of code', () => {
    expect(withTags(policy(({ can }) => can('view'), { view: () => true }))).toBe(told('tags (posts.tags)'))
    const throwing = () => {
      throw new Error('no user')
    }
    expect(withTags(policy(throwing))).toBe(told('tags (posts.tags)'))
    class Own extends PolicyAuthorizer {
      override view() {
        return true
      }
    }
    expect(withTags(open, { authorizers: new Map([['tags', Own]]) })).toBe(told('tags (posts.tags)'))
    class Leaving extends PolicyAuthorizer {
      override update() {
        return true
      }
    }
    expect(withTags(open, { authorizers: new Map([['tags', Leaving]]) })).toBe(null)
  })

  test('is none where nothing is protected, where policies are asked everywhere, and where nothing is included', () => {
    expect(withTags(null, { authorizable: false })).toBe(null)
    expect(withTags(null, { viewEverywhere: true })).toBe(null)
    const tag = registry.byType.get('tags') as ResourceSchema
    expect(withTags(null, { schemas: registryOf(posts, { ...tag, authorizable: false }) })).toBe(null)
    const apart = {
      ...posts,
      relations: new Map([
        ['author', author],
        ['tags', { ...tags, isIncludable: false }],
      ]),
    } as ResourceSchema
    expect(withTags(null, { schemas: registryOf(apart, tag) })).toBe(null)
  })
})

describe('relations that lead through rows of a model without a policy', () => {
  const through = (name: string, model: string) =>
    [name, { ...tags, kind: 'manyThrough', name, pivot: { model } } as unknown as Relation] as const
  const tag = registry.byType.get('tags') as ResourceSchema
  const user = registry.byType.get('users') as ResourceSchema
  const schemas = registryOf(
    { ...posts, relations: new Map([['author', author], through('labels', 'Tag'), through('readers', 'User')]) },
    tag,
    user,
  )
  const server = {
    name: 'v1',
    schemas,
    policies: new Map<string, AnyPolicy>([['Post', open]]),
    authorizable: true,
    viewEverywhere: true,
  }

  test('are told, with the cure', () => {
    expect(emptyThrough(server)).toBe(
      'Server v1: posts.labels, posts.readers are empty for everybody, because Tag, User has no policy. Write one: npx prismapi policy Tag, npx prismapi policy User.',
    )
    expect(emptyThrough({ ...server, policies: new Map([['Tag', open]]) })).toBe(
      'Server v1: posts.readers is empty for everybody, because User has no policy. Write one: npx prismapi policy User.',
    )
  })

  test('are none where policies are not asked', () => {
    expect(emptyThrough({ ...server, authorizable: false })).toBe(null)
    expect(emptyThrough({ ...server, viewEverywhere: false })).toBe(null)
    expect(
      emptyThrough({
        ...server,
        policies: new Map([
          ['Tag', open],
          ['User', open],
        ]),
      }),
    ).toBe(null)
    const unserved = registryOf({ ...posts, relations: new Map([through('labels', 'Tag')]) })
    expect(emptyThrough({ ...server, schemas: unserved })).toBe(null)
    const unprotected = registryOf(
      { ...posts, relations: new Map([through('labels', 'Tag')]) },
      { ...tag, authorizable: false },
    )
    expect(emptyThrough({ ...server, schemas: unprotected })).toBe(null)
    expect(emptyThrough({ ...server, schemas: registryOf(openPosts) })).toBe(null)
  })
})
