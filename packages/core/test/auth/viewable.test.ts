import { equals, everything, nothing } from '@prismapi/jsonapi/condition/build'
import { canonical } from '@prismapi/jsonapi/condition/canonical'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import type { AnyPolicy, AnyRules } from '../../src/auth/policy.ts'
import {
  allowedRows,
  checkViewEverywhere,
  fieldsFor,
  listableRows,
  seenFields,
  viewableRows,
  visibleTrash,
} from '../../src/auth/viewable.ts'
import { contextOf, openPosts, posts, registry, registryOf } from './fixture.ts'

const listed = (ctx: Parameters<typeof listableRows>[0]) => listableRows(ctx)('Post')

const abilities = ({ can }: AnyRules) => can('view', { authorId: 7 })
const server = { viewAnyByView: true }

test('the rules for view narrow the collection, where the server says so', () => {
  const policies = { Post: { abilities } }
  expect(listed(contextOf({ policies, server }))).toEqual(equals(posts.model, 'authorId', 7))
  expect(listed(contextOf({ policies }))).toBe(null)
})

test('without a policy nothing is left; without authorization everything', () => {
  expect(listed(contextOf({ server }))).toBe(nothing)
  expect(listed(contextOf({ server: { ...server, schemas: registryOf(openPosts) } }))).toBe(null)
  expect(listed(contextOf({ server: { ...server, authorizable: false } }))).toBe(null)
})

test('a method cannot become a condition, so it is an error and not an open list', () => {
  const policies = { Post: { abilities, view: () => true } }
  expect(() => listed(contextOf({ policies, server }))).toThrow(
    'policies/post.policy.ts: viewAnyByView and viewEverywhere need rules',
  )
})

test('a type may say otherwise than its server', () => {
  const policies = { Post: { abilities } }
  const typeSaying = (viewAnyByView: boolean) => registryOf({ ...posts, viewAnyByView })
  expect(listed(contextOf({ policies, server: { ...server, schemas: typeSaying(false) } }))).toBe(null)
  expect(listed(contextOf({ policies, server: { schemas: typeSaying(true) } }))).toEqual(mine)
  expect(listed(contextOf({ policies, server: { viewEverywhere: true } }))).toEqual(mine)
})

const mine = equals(posts.model, 'authorId', 7)

describe('where a server asks the policies everywhere', () => {
  const policies = { Post: { abilities } }
  const everywhere = { viewEverywhere: true }
  const rows = (more: Parameters<typeof contextOf>[0]) => {
    const found = viewableRows(contextOf(more))
    return Object.fromEntries([...found].map(([model, condition]) => [model, canonical(condition)]))
  }

  test('the rows of each model are those that may be viewed', () => {
    expect(rows({ policies, server: everywhere })).toEqual({ Post: canonical(mine), User: 'false', Tag: 'false' })
    expect(rows({ policies })).toEqual({})
    expect(rows({ policies, server: { ...everywhere, authorizable: false } })).toEqual({})
    expect(rows({ policies, server: { ...everywhere, schemas: registryOf(openPosts) } })).toEqual({})
  })

  test('a policy that decides by a method is refused at boot, and when it is asked', () => {
    const byMethod = new Map<string, AnyPolicy>([['Post', { abilities, view: () => true } as AnyPolicy]])
    const parts = { authorizable: true, viewEverywhere: true, schemas: registry, policies: byMethod }
    const message =
      'policies/post.policy.ts: viewAnyByView and viewEverywhere need rules for view, but view() is a method.'
    expect(() => checkViewEverywhere(parts)).toThrow(message)
    expect(() => rows({ policies: Object.fromEntries(byMethod), server: everywhere })).toThrow(message)
    for (const fine of [
      { ...parts, authorizable: false },
      { ...parts, viewEverywhere: false },
      { ...parts, schemas: registryOf(openPosts) },
      { ...parts, policies: new Map([['Post', { abilities } as AnyPolicy]]) },
      { ...parts, policies: new Map([['Post', { abilities, update: () => true } as AnyPolicy]]) },
    ])
      expect(() => checkViewEverywhere(fine)).not.toThrow()
  })
})

describe('the rows that an action is allowed on', () => {
  const rows = (more: Parameters<typeof contextOf>[0], action = 'view') => allowedRows(contextOf(more))('Post', action)

  test('are those of the rules', () => {
    const policies = { Post: { abilities } }
    expect(rows({ policies })).toEqual(mine)
    expect(rows({ policies }, 'update')).toBe(nothing)
    expect(rows({})).toBe(nothing)
  })

  test('are all of them where no permission is needed', () => {
    expect(rows({ server: { authorizable: false } })).toBe(everything)
    expect(rows({ server: { schemas: registryOf(openPosts) } })).toBe(everything)
  })

  test('are not known where a method decides', () => {
    const policies = { Post: { abilities, view: () => true } }
    expect(() => rows({ policies })).toThrow(
      "policies/post.policy.ts: { may: 'view' } needs rules for view, but view() is a method. Declare it in abilities().",
    )
  })
})

describe('the fields that something may be done with', () => {
  const policies = {
    Post: {
      abilities: ({ can, cannot }: AnyRules) => {
        can('view')
        cannot('view', 'title')
      },
    },
  }
  const names = (more: Parameters<typeof contextOf>[0], model = 'Post') => {
    const found = fieldsFor(contextOf(more), model, 'view')
    return found && [...found.stored.keys()]
  }

  test('are those of the rules', () => {
    expect(names({ policies })).toEqual(['title'])
    expect(fieldsFor(contextOf({ policies }), 'Post', 'update')).toBe(null)
  })

  test('are all where no permission is needed, and where there is no policy', () => {
    expect(names({ policies, server: { authorizable: false } })).toBe(null)
    expect(names({ policies, server: { schemas: registryOf(openPosts) } })).toBe(null)
    expect(names({ policies }, 'Tag')).toBe(null)
    expect(names({ policies, server: { schemas: registryOf() } })).toBe(null)
  })

  test('are looked up once for a request', () => {
    const seen = seenFields(contextOf({ policies }))
    const found = seen('Post')
    expect([...(found?.stored.keys() ?? [])]).toEqual(['title'])
    expect(seen('Post')).toBe(found)
    expect([seen('Tag'), seen('Tag')]).toEqual([null, null])
    const ctx = contextOf({ policies })
    let asked = 0
    const counting = {
      ...ctx,
      abilityOf: (model: string) => {
        asked++
        return ctx.abilityOf(model)
      },
    } as typeof ctx
    const again = seenFields(counting)
    again('Post')
    again('Post')
    expect(asked).toBe(1)
  })
})

describe('deleted rows are seen', () => {
  const deletable: ResourceSchema = { ...posts, deletedAt: 'readAt', deletedAtAttribute: 'readAt' }
  const trash = async (
    abilities: (rules: AnyRules) => void,
    schema = deletable,
    more: object = {},
    methods: object = {},
  ) => {
    const server = { softDeleted: [schema], ...more }
    return [
      ...(await visibleTrash(contextOf({ policies: { Post: { abilities, ...methods } }, server, user: { id: 7 } }))),
    ]
  }

  test('by whom a rule or a method allows it', async () => {
    expect(await trash(({ can }) => can('viewTrashed'))).toEqual(['Post'])
    expect(await trash(({ can }) => can('view'))).toEqual([])
    expect(
      await trash(({ can, cannot }) => {
        can('viewTrashed')
        cannot('viewTrashed')
      }),
    ).toEqual([])
    expect(await trash(() => {}, deletable, {}, { viewTrashed: (user: { id: number }) => user.id === 7 })).toEqual([
      'Post',
    ])
    expect(await trash(() => {}, deletable, {}, { viewTrashed: async () => false })).toEqual([])
  })

  test('by everybody where no permission is needed, by nobody without a policy', async () => {
    expect(await trash(() => {}, deletable, { authorizable: false })).toEqual(['Post'])
    expect(await trash(() => {}, { ...deletable, authorizable: false })).toEqual(['Post'])
    const server = { softDeleted: [deletable] }
    expect([...(await visibleTrash(contextOf({ server })))]).toEqual([])
  })

  test('of no type that does not show the mark', async () => {
    const hidden = { ...deletable, deletedAtAttribute: null }
    expect(await trash(({ can }) => can('viewTrashed'), hidden)).toEqual([])
    const server = { softDeleted: [hidden, deletable] }
    const policies = { Post: { abilities: ({ can }: AnyRules) => can('viewTrashed') } }
    expect([...(await visibleTrash(contextOf({ policies, server })))]).toEqual(['Post'])
  })

  test('a method that fails is a fault of the policy', async () => {
    const viewTrashed = () => {
      throw new Error('Oh.')
    }
    await expect(trash(() => {}, deletable, {}, { viewTrashed })).rejects.toThrow(
      'policies/post.policy.ts, viewTrashed: Oh.',
    )
  })
})
