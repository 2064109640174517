import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { notFound } from '@prismapi/jsonapi/document/errors'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { describe, expect, test } from 'vitest'
import { type AuthorizationSubject, authorize } from '../../src/auth/authorize.ts'
import {
  type AuthorizationRequest,
  Authorizer,
  type AuthorizerClass,
  PolicyAuthorizer,
} from '../../src/auth/authorizer.ts'
import { allow, deny, type PolicyAnswer } from '../../src/auth/decision.ts'
import type { LazyRelation } from '../../src/auth/lazy-relation.ts'
import { type AnyPolicy, type AnyRules, Policy } from '../../src/auth/policy.ts'
import { contextOf, countingReader, openPosts, post, posts, tags } from './fixture.ts'

const update: Operation = { kind: 'update', schema: posts, id: '1' }
const attach: Operation = { kind: 'attach', schema: posts, id: '1', relation: tags }
const onPost: AuthorizationSubject = { request: null, row: post, value: null }

/** What the client gets: null when the operation passes. */
async function refusal(...args: Parameters<typeof authorize>) {
  try {
    await authorize(...args)
    return null
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
    const { status, errors, headers } = error
    return { status, detail: errors[0]?.detail, headers }
  }
}

const plainly = 'This action is unauthorized.'
/** Where nothing is said about why, it says outside of production whom it is from. */
const forbidden = (detail: string = expect.stringMatching(/^This action is unauthorized\. .+ denies it\.$/)) => ({
  status: 403,
  detail,
  headers: {},
})
const rules = (declare: (rules: AnyRules) => void, methods: object = {}): AnyPolicy => ({
  abilities: declare,
  ...methods,
})
const saying = (authorize: () => boolean | null): AuthorizationSubject => ({ ...onPost, request: { authorize } })

describe('policies', () => {
  test('a method decides alone: rules that say otherwise are not asked', async () => {
    const policy = rules(({ can }) => can('update'), { update: () => false })
    expect(await refusal(contextOf({ policies: { Post: policy } }), update, onPost)).toEqual(forbidden())
  })

  test('without a method the rules decide, with their message', async () => {
    const policy = rules(({ cannot }) => cannot('update').because('Never.'))
    expect(await refusal(contextOf({ policies: { Post: policy } }), update, onPost)).toEqual(forbidden('Never.'))
    const open = contextOf({ policies: { Post: rules(({ can }) => can('update')) } })
    expect(await refusal(open, update, onPost)).toBe(null)
  })

  test('a method gets the user, the row and the lazy relation, and `this`', async () => {
    const seen: unknown[] = []
    class PostPolicy extends Policy<'Post'> {
      readonly name = 'mine'
      override attachTags(...args: unknown[]) {
        seen.push(this.name, ...args)
        return Promise.resolve(true)
      }
    }
    const value = { collect: async () => [] } as unknown as LazyRelation
    const user = { id: 7 }
    const ctx = contextOf({ policies: { Post: new PostPolicy() }, user })
    expect(await refusal(ctx, attach, { ...onPost, value })).toBe(null)
    expect(seen).toEqual(['mine', user, post, value])
  })

  test('viewAny and create get the user only', async () => {
    const seen: unknown[][] = []
    const policy = rules(() => {}, { create: (...args: unknown[]) => seen.push(args) > 0 })
    const ctx = contextOf({ policies: { Post: policy } })
    await refusal(ctx, { kind: 'create', schema: posts }, { ...onPost, row: null })
    expect(seen).toEqual([[null]])
  })

  test('a type without a policy is denied, and told how to get one', async () => {
    const detail = 'No policy decides on posts: add policies/post.policy.ts.'
    expect(await refusal(contextOf(), update, onPost)).toEqual(forbidden(detail))
    expect(await refusal(contextOf({ server: { production: true } }), update, onPost)).toEqual(forbidden(plainly))
  })

  test('an action that neither method nor rule names is denied, and named', async () => {
    const policies = { Post: rules(({ can }) => can('view')) }
    const detail =
      'This action is unauthorized. No method and no rule of policies/post.policy.ts names attachTags for this user.'
    expect(await refusal(contextOf({ policies }), attach, onPost)).toEqual(forbidden(detail))
    expect(await refusal(contextOf({ policies, server: { production: true } }), attach, onPost)).toEqual(
      forbidden(plainly),
    )
  })

  test('a policy that throws is a fault of the program that names file and action', async () => {
    const cause = new Error('boom')
    const policy = rules(() => {}, { update: () => Promise.reject(cause) })
    const failure = refusal(contextOf({ policies: { Post: policy } }), update, onPost)
    await expect(failure).rejects.toMatchObject({ message: 'policies/post.policy.ts, update: boom', cause })
  })

  test.each([[undefined], [null], [1], ['true'], [{}], [{ allowed: 'yes' }]])('%o is no answer', async (answer) => {
    const policy = rules(() => {}, { update: () => answer })
    const failure = refusal(contextOf({ policies: { Post: policy } }), update, onPost)
    await expect(failure).rejects.toThrow(
      /^policies\/post\.policy\.ts, update: it returned .*Return true, false, allow\(\) or deny\(\)\.$/,
    )
  })

  test('a JSON:API error that a policy throws is the answer', async () => {
    const policy = rules(() => {}, {
      update: () => {
        throw notFound('No such post.')
      },
    })
    expect(await refusal(contextOf({ policies: { Post: policy } }), update, onPost)).toEqual({
      status: 404,
      detail: 'No such post.',
      headers: {},
    })
  })
})

describe('denials', () => {
  const denying = (answer: PolicyAnswer) => ({ Post: rules(() => {}, { update: () => answer }) })
  const challenge = 'Bearer'

  test.each<[string, PolicyAnswer, object]>([
    ['false', false, forbidden()],
    ['deny()', deny(), forbidden()],
    ['a message', deny('No.'), forbidden('No.')],
    ['a status', deny(undefined, { status: 404 }), { status: 404, detail: undefined, headers: {} }],
    ['a status and a message', deny('Gone.', { status: 410 }), { status: 410, detail: 'Gone.', headers: {} }],
  ])('%s', async (_what, answer, expected) => {
    expect(await refusal(contextOf({ policies: denying(answer) }), update, onPost)).toEqual(expected)
    expect(await refusal(contextOf({ policies: denying(answer), user: { id: 1 } }), update, onPost)).toEqual(expected)
  })

  test('with a challenge a guest gets 401, a user still 403, and a status of its own holds for both', async () => {
    const headers = { 'WWW-Authenticate': 'Bearer' }
    const answer = (policies: Record<string, AnyPolicy>, user: unknown = null) =>
      refusal(contextOf({ policies, user, server: { challenge } }), update, onPost)
    expect(await answer(denying(false))).toEqual({ status: 401, detail: 'Unauthenticated.', headers })
    expect(await answer(denying(deny('Sign in.')))).toEqual({ status: 401, detail: 'Sign in.', headers })
    expect(await answer(denying(deny('Sign in.')), { id: 1 })).toEqual(forbidden('Sign in.'))
    expect(await answer(denying(deny('No.', { status: 404 })))).toEqual({ status: 404, detail: 'No.', headers: {} })
  })

  test.each([200, 302, 399, 500, 404.5, Number.NaN])('deny() refuses the status %s', (status) => {
    expect(() => deny('No.', { status })).toThrow('Give a status from 400 to 499')
  })
})

describe('the request class', () => {
  const open = { Post: rules(({ can }) => can('update')) }
  const closed = { Post: rules(() => {}, { update: () => false }) }

  test('true lets it pass without asking the policy', async () => {
    const asked: string[] = []
    const asking = { Post: rules(() => {}, { update: () => asked.push('policy') < 0 }) }
    expect(
      await refusal(
        contextOf({ policies: asking }),
        update,
        saying(() => true),
      ),
    ).toBe(null)
    expect(asked).toEqual([])
  })

  test('false denies what the policy allows', async () => {
    expect(
      await refusal(
        contextOf({ policies: open }),
        update,
        saying(() => false),
      ),
    ).toEqual(forbidden())
  })

  test('null leaves it to the policy', async () => {
    expect(
      await refusal(
        contextOf({ policies: open }),
        update,
        saying(() => null),
      ),
    ).toBe(null)
    expect(
      await refusal(
        contextOf({ policies: closed }),
        update,
        saying(() => null),
      ),
    ).toEqual(forbidden())
  })

  test('may be async', async () => {
    const request = { authorize: async () => false }
    expect(await refusal(contextOf({ policies: open }), update, { ...onPost, request })).toEqual(forbidden())
  })

  test('a throw, or no answer, is a fault of the program', async () => {
    class PostRequest {
      authorize(): boolean {
        throw new Error('boom')
      }
    }
    const failing = { ...onPost, request: new PostRequest() }
    await expect(refusal(contextOf({ policies: open }), update, failing)).rejects.toThrow(
      'authorize() of PostRequest, update: boom',
    )
    const silent = saying(() => undefined as unknown as null)
    await expect(refusal(contextOf({ policies: open }), update, silent)).rejects.toThrow('it returned undefined')
  })
})

describe('disabled', () => {
  test('for a type or for a server, nobody asks the policy', async () => {
    const type = { ...update, schema: openPosts } as Operation
    expect(await refusal(contextOf(), type, onPost)).toBe(null)
    expect(await refusal(contextOf({ server: { authorizable: false } }), update, onPost)).toBe(null)
  })

  test('a request class that says no is still heard', async () => {
    const ctx = contextOf({ server: { authorizable: false } })
    expect(
      await refusal(
        ctx,
        update,
        saying(() => false),
      ),
    ).toEqual(forbidden())
    expect(
      await refusal(
        ctx,
        update,
        saying(() => null),
      ),
    ).toBe(null)
  })
})

describe('authorizers', () => {
  const answering = (message: string): AuthorizerClass =>
    class extends PolicyAuthorizer<never> {
      override update() {
        return deny(message)
      }
    }
  const policies = { Post: rules(({ cannot }) => cannot('update').because('policy')) }
  const listed = answering('listed')
  const beside = answering('beside')
  const general = answering('default')

  test('registered with a list → beside the schema → the default → the policy', async () => {
    const ask = (served: object, server: object) => refusal(contextOf({ policies, served, server }), update, onPost)
    const list = new Map([['posts', listed]])
    const found = new Map([['posts', beside]])
    expect(await ask({ authorizers: list, defaultAuthorizer: general }, { authorizers: found })).toEqual(
      forbidden('listed'),
    )
    expect(await ask({ defaultAuthorizer: general }, { authorizers: found })).toEqual(forbidden('beside'))
    expect(await ask({ defaultAuthorizer: general }, {})).toEqual(forbidden('default'))
    expect(await ask({}, {})).toEqual(forbidden('policy'))
    expect(await ask({ authorizers: new Map([['tags', listed]]) }, {})).toEqual(forbidden('policy'))
  })

  test('what it does not change is left to the policy', async () => {
    const open = { Post: rules(({ can }) => can('attachTags', { authorId: 7 })) }
    const ctx = contextOf({ policies: open, served: { defaultAuthorizer: general } })
    expect(await refusal(ctx, attach, onPost)).toBe(null)
    const detail =
      'This action is unauthorized. Rule 1 of policies/post.policy.ts would allow attachTags, but not for this row.'
    expect(await refusal(ctx, attach, { ...onPost, row: { ...post, authorId: 8 } })).toEqual(forbidden(detail))
  })

  test('one that asked the policy and then decided by itself is the one that denies', async () => {
    class Stricter extends PolicyAuthorizer {
      override async update(request: AuthorizationRequest) {
        return (await request.byPolicy()).allowed && post.authorId !== 7
      }
    }
    const open = { Post: rules(({ can }) => can('update')) }
    const ctx = contextOf({ policies: open, served: { defaultAuthorizer: Stricter as never } })
    expect(await refusal(ctx, update, onPost)).toEqual(
      forbidden('This action is unauthorized. update() of Stricter denies it.'),
    )
  })

  test('each operation asks its own method, with the request and the row', async () => {
    const calls: unknown[] = []
    const note =
      (name: string) =>
      (...args: [AuthorizationRequest, unknown?]) => {
        calls.push([name, args[0].action, args[0].relation, args[1] ?? null])
        return allow()
      }
    class Noting extends Authorizer<never> {
      viewAny = note('viewAny')
      create = note('create')
      view = note('view')
      update = note('update')
      delete = note('delete')
      viewRelated = note('viewRelated')
      viewRelationship = note('viewRelationship')
      updateRelationship = note('updateRelationship')
      attach = note('attach')
      detach = note('detach')
    }
    const ctx = contextOf({ served: { defaultAuthorizer: Noting } })
    for (const kind of ['viewAny', 'create'] as const)
      await authorize(ctx, { kind, schema: posts }, { ...onPost, row: null })
    for (const kind of ['view', 'update', 'delete'] as const)
      await authorize(ctx, { kind, schema: posts, id: '1' }, onPost)
    for (const kind of ['viewRelated', 'viewRelationship', 'updateRelationship', 'attach', 'detach'] as const) {
      await authorize(ctx, { kind, schema: posts, id: '1', relation: tags }, onPost)
    }
    expect(calls).toEqual([
      ['viewAny', 'viewAny', null, null],
      ['create', 'create', null, null],
      ['view', 'view', null, post],
      ['update', 'update', null, post],
      ['delete', 'delete', null, post],
      ['viewRelated', 'viewTags', 'tags', post],
      ['viewRelationship', 'viewTags', 'tags', post],
      ['updateRelationship', 'updateTags', 'tags', post],
      ['attach', 'attachTags', 'tags', post],
      ['detach', 'detachTags', 'tags', post],
    ])
  })

  test('it sees the request as it came, frozen, and an instance serves one request', async () => {
    const instances = new Set<unknown>()
    let seen: AuthorizationRequest | undefined
    class Looking extends PolicyAuthorizer<never> {
      override update(request: AuthorizationRequest) {
        instances.add(this)
        seen = request
        return true
      }
    }
    const body = { data: { type: 'posts', id: '1', attributes: { title: 'x' } } }
    const ctx = contextOf({ body, user: { id: 7 }, served: { defaultAuthorizer: Looking } })
    await authorize(ctx, update, onPost)
    await authorize(ctx, update, onPost)
    expect(instances.size).toBe(2)
    expect(Object.isFrozen(seen)).toBe(true)
    const { byPolicy, ...rest } = seen as AuthorizationRequest
    expect(rest).toEqual({
      user: { id: 7 },
      type: 'posts',
      action: 'update',
      method: 'PATCH',
      url: ctx.at.url,
      document: body,
      params: {},
      relation: null,
      value: null,
    })
    expect(await byPolicy()).toEqual(deny('No policy decides on posts: add policies/post.policy.ts.'))
  })

  test('a throw is a fault that names the authorizer, and one of the policy below it names the policy', async () => {
    class Broken extends PolicyAuthorizer<never> {
      override update(): PolicyAnswer {
        throw new Error('boom')
      }
    }
    const broken = contextOf({ served: { defaultAuthorizer: Broken } })
    await expect(authorize(broken, update, onPost)).rejects.toThrow('Broken, update: boom')
    const failing = {
      Post: rules(() => {}, {
        attachTags: () => {
          throw new Error('inner')
        },
      }),
    }
    const below = contextOf({ policies: failing, served: { defaultAuthorizer: Broken } })
    await expect(authorize(below, attach, onPost)).rejects.toThrow(/^policies\/post\.policy\.ts, attachTags: inner$/)
  })
})

test('a read whose rules look at loaded columns makes no query', async () => {
  const { reader, asked } = countingReader()
  const policies = { Post: rules(({ can }) => can('view', { authorId: 7 })) }
  const ctx = contextOf({ policies, reader })
  expect(await refusal(ctx, { kind: 'view', schema: posts, id: '1' }, onPost)).toBe(null)
  expect(asked).toEqual([])
})

describe('an observer is told of each decision', () => {
  const told = async (given: Parameters<typeof contextOf>[0], subject = onPost) => {
    const seen: unknown[] = []
    const authorized = async ({ allowed, explain }: { allowed: boolean; explain(): Promise<{ by: string }> }) => {
      seen.push(allowed, (await explain()).by)
    }
    const ctx = {
      ...contextOf(given),
      observer: { authorized, stage: (_: string, work: () => unknown) => work() },
    } as never
    return [await refusal(ctx, update, subject), ...seen]
  }
  const allowing = { policies: { Post: rules(({ can }) => can('update')) } }

  test('of the rules', async () => {
    expect(await told(allowing)).toEqual([null, true, 'rules'])
    expect(await told({})).toEqual([forbidden(expect.any(String)), false, 'nobody'])
  })

  test('of a request class, where that decides', async () => {
    expect(
      await told(
        allowing,
        saying(() => false),
      ),
    ).toEqual([forbidden(expect.stringContaining('authorize() of')), false, 'request'])
    expect(
      await told(
        {},
        saying(() => true),
      ),
    ).toEqual([null, true, 'request'])
    expect(
      await told(
        allowing,
        saying(() => null),
      ),
    ).toEqual([null, true, 'rules'])
  })

  test('of nothing, where no permission is needed', async () => {
    expect(await told({ server: { authorizable: false } })).toEqual([null, true, 'unprotected'])
  })
})

test('an authorizer that extends the policies leaves everything to them', async () => {
  const names = [
    'viewAny',
    'create',
    'view',
    'update',
    'delete',
    'forceDelete',
    'viewRelated',
    'viewRelationship',
  ] as const
  const more = ['updateRelationship', 'attach', 'detach', 'action'] as const
  const request = { byPolicy: async () => deny('By the policy.') } as unknown as AuthorizationRequest
  const authorizer = new PolicyAuthorizer()
  for (const name of [...names, ...more])
    expect(await authorizer[name](request, post as never)).toMatchObject({ message: 'By the policy.' })
})
