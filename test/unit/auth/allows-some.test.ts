import { describe, expect, test } from 'vitest'
import { allowsSome } from '../../../src/auth/allows-some.ts'
import { PolicyAuthorizer } from '../../../src/auth/authorizer.ts'
import type { AnyRules } from '../../../src/auth/policy.ts'
import { ResourceRequest } from '../../../src/validation/request/resource-request.ts'
import { abilityOf, contextOf, openPosts, posts } from './fixture.ts'

describe('rules allow an action on some row', () => {
  const isAllowed = (abilities: (rules: AnyRules) => void) => abilityOf(abilities).allowsSome('update')
  const mine = { authorId: 7 }

  test('where a can names it, with a condition or without', () => {
    expect(isAllowed(({ can }) => can('update'))).toBe(true)
    expect(isAllowed(({ can }) => can('update', mine))).toBe(true)
  })

  test('not where none does', () => {
    expect(isAllowed(() => {})).toBe(false)
    expect(isAllowed(({ can }) => can('view'))).toBe(false)
    expect(isAllowed(({ cannot }) => void cannot('update', mine))).toBe(false)
  })

  test('unless a later cannot takes all of it back', () => {
    const after = (where?: object) => (rules: AnyRules) => {
      rules.can('update')
      if (where) rules.cannot('update', where)
      else rules.cannot('update')
    }
    expect(isAllowed(after(mine))).toBe(true)
    expect(isAllowed(after())).toBe(false)
    expect(
      isAllowed(({ can, cannot }) => {
        cannot('update')
        can('update', mine)
      }),
    ).toBe(true)
  })
})

const never = () => {
  throw new Error('asked')
}
const one = { schema: posts, id: '' } as const
const kinds = ['view', 'update', 'delete', 'forceDelete'] as const

function allowed(more: Parameters<typeof contextOf>[0] & { readonly request?: unknown } = {}, schema = posts) {
  const { request = null, server, ...options } = more
  const requests = new Map([['Post', { request, query: null, collectionQuery: null }]]) as never
  const ctx = contextOf({ ...options, server: { requests, ...server } })
  return kinds.filter((kind) => allowsSome(ctx, { kind, ...one, schema }))
}

const policies = { Post: { abilities: ({ can }: AnyRules) => can('view') } }

describe('an operation is allowed on some row', () => {
  test('as the rules say, and nothing is without a policy', () => {
    expect(allowed({ policies })).toEqual(['view'])
    expect(allowed()).toEqual([])
  })

  test('where a method of the policy decides, which is not asked', () => {
    expect(allowed({ policies: { Post: { ...policies.Post, update: never } as never } })).toEqual(['view', 'update'])
  })

  test('where authorization is off, for the server or the type', () => {
    expect(allowed({ server: { authorizable: false } })).toEqual([...kinds])
    expect(allowed({}, openPosts)).toEqual([...kinds])
  })

  test('where a request class decides, but not where it only has rules', () => {
    class Deciding extends ResourceRequest {
      override authorize = never
    }
    class Own extends ResourceRequest {
      override authorize(): boolean {
        return never()
      }
    }
    class Plain extends ResourceRequest {}
    expect(allowed({ policies, request: Own })).toEqual([...kinds])
    expect(allowed({ policies, request: Plain })).toEqual(['view'])
    expect(allowed({ policies, request: Deciding })).toEqual([...kinds])
  })

  test('where a method of an authorizer decides, and as the policy says where it is left to that', () => {
    class Updates extends PolicyAuthorizer {
      override update = PolicyAuthorizer.prototype.update
    }
    class Deletes extends PolicyAuthorizer {
      override delete() {
        return never()
      }
    }
    expect(allowed({ policies, served: { defaultAuthorizer: Updates as never } })).toEqual(['view'])
    expect(allowed({ policies, served: { defaultAuthorizer: Deletes as never } })).toEqual([
      'view',
      'delete',
      'forceDelete',
    ])
  })
})
