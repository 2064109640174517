import { describe, expect, test } from 'vitest'
import { allowsSome } from '../../src/auth/allows-some.ts'
import { type AuthorizationRequest, PolicyAuthorizer } from '../../src/auth/authorizer.ts'
import type { PolicyAnswer } from '../../src/auth/decision.ts'
import type { AnyRules } from '../../src/auth/policy.ts'
import { ResourceRequest } from '../../src/validation/request/resource-request.ts'
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

describe('an authorizer is asked whether it denies whatever the row is', () => {
  const ofAuthorizer = async (update: (request: AuthorizationRequest, row: never) => PolicyAnswer) => {
    class Own extends PolicyAuthorizer {
      override update = update as never
    }
    const requests = new Map()
    const ctx = contextOf({ policies, server: { requests } as never, served: { defaultAuthorizer: Own as never } })
    return allowsSome(ctx, { kind: 'update', ...one })
  }
  const denying = ({ byPolicy }: Pick<AuthorizationRequest, 'byPolicy'>) => byPolicy()

  test('a plain answer is one', async () => {
    expect([await ofAuthorizer(() => true), await ofAuthorizer(() => false)]).toEqual([true, false])
    expect(
      await ofAuthorizer(
        async ({ type, action, user, relation }) =>
          `${type} ${action} ${user} ${relation}` !== 'posts update null null',
      ),
    ).toBe(false)
  })

  test('what looks at the row or the document is not certain', async () => {
    expect(await ofAuthorizer((_, row) => (row as { id: number }).id > 0 && false)).toBe(true)
    expect(await ofAuthorizer((_, row) => 'id' in (row as object) && false)).toBe(true)
    expect(await ofAuthorizer((_, row) => Object.keys(row as object).length < 0)).toBe(true)
    for (const name of ['document', 'method', 'url', 'value'] as const)
      expect(await ofAuthorizer((request) => request[name] === request)).toBe(true)
  })

  test('the policy denies what none of its rules allows', async () => {
    expect(await ofAuthorizer(denying)).toBe(false)
  })
})
