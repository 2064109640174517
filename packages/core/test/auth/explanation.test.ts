import { say } from '@prismapi/jsonapi/document/text'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { describe, expect, test } from 'vitest'
import { asWhere } from '../../../../test/support/conditions.ts'
import { Authorizer, type AuthorizerClass } from '../../src/auth/authorizer.ts'
import { type Decision, deny } from '../../src/auth/decision.ts'
import { denialDetail, explain, type ToExplain } from '../../src/auth/explanation.ts'
import type { AnyPolicy, AnyRules } from '../../src/auth/policy.ts'
import { contextOf, countingReader, openPosts, post, posts, resourcesFor } from './fixture.ts'

const operation: Operation = { kind: 'update', schema: posts, id: '1' }
const yes: Decision = { allowed: true }
const no: Decision = { allowed: false, message: null, status: null }
type Declare = (rules: AnyRules) => void

const by = (declare: Declare, methods: object = {}) => ({
  policies: { Post: { abilities: declare, ...methods } as AnyPolicy },
})
async function explained(given: Parameters<typeof contextOf>[0], more: Partial<ToExplain> = {}) {
  const found = await explain(contextOf(given), { operation, row: post, request: null, decision: yes, ...more })
  const { rules, operation: _, ...rest } = found
  const where = (each: (typeof rules)[number]) => each.where && asWhere(each.where, 'Post', resourcesFor('sqlite'))
  return { ...rest, rules: rules.map((each) => ({ ...each, where: where(each) })) }
}
const plain = { allowed: true, message: null, rules: [], decisive: null }

describe('what decided is told', () => {
  test('the request class, by its name or without', async () => {
    class PostRequest {}
    expect(await explained({}, { request: new PostRequest() })).toEqual({
      ...plain,
      by: 'request',
      place: 'authorize() of PostRequest',
    })
    expect((await explained({}, { request: new (class {})() })).place).toBe('authorize() of the request class')
  })

  test('nothing, where authorization is turned off', async () => {
    const off = { ...plain, by: 'unprotected', place: null }
    expect(await explained({ server: { authorizable: false } }, { decision: null })).toEqual(off)
    const open: Operation = { ...operation, schema: openPosts }
    expect(await explained({}, { operation: open, decision: null })).toEqual(off)
  })

  test('an authorizer, by its name or without, with the rules that it may have asked', async () => {
    class PostAuthorizer {}
    const named = { served: { defaultAuthorizer: PostAuthorizer as unknown as AuthorizerClass } }
    const decision: Decision = { allowed: true, by: 'authorizer' }
    const declare: Declare = ({ can }) => can('update')
    expect(await explained({ ...named, ...by(declare) }, { decision })).toEqual({
      ...plain,
      by: 'authorizer',
      place: 'update() of PostAuthorizer',
      rules: [{ rule: 1, effect: 'can', where: null, because: null, holds: true }],
    })
    expect((await explained({}, { decision })).place).toBe('update() of the authorizer')
    expect(Authorizer.name).toBe('Authorizer')
  })

  test('a method of the policy', async () => {
    expect(await explained(by(() => {}, { update: () => true }))).toEqual({
      ...plain,
      by: 'method',
      place: 'update() of policies/post.policy.ts',
    })
  })

  test('nobody, where no rule names the action or there is no policy', async () => {
    const nobody = { ...plain, by: 'nobody', place: 'policies/post.policy.ts', allowed: false }
    expect(
      await explained(
        by(({ can }) => can('view')),
        { decision: no },
      ),
    ).toEqual(nobody)
    expect(await explained({}, { decision: no })).toEqual(nobody)
  })

  test('the rules, the strongest first, each with what it makes of the row', async () => {
    const declare: Declare = ({ can, cannot }) => {
      can('update')
      cannot('update', { authorId: 7 }).because('Not yours.')
      can('update', { views: 6 })
      can('view')
    }
    expect(await explained(by(declare), { decision: deny('No.') })).toEqual({
      by: 'rules',
      place: 'policies/post.policy.ts',
      allowed: false,
      message: 'No.',
      decisive: 2,
      rules: [
        { rule: 3, effect: 'can', where: { views: 6 }, because: null, holds: false },
        { rule: 2, effect: 'cannot', where: { authorId: 7 }, because: 'Not yours.', holds: true },
        { rule: 1, effect: 'can', where: null, because: null, holds: true },
      ],
    })
    expect((await explained(by(declare), { decision: deny(say`No.`) })).message).toBe('No.')
  })

  test('what only the database knows is asked of it', async () => {
    const declare: Declare = ({ can }) => can('update', { tags: { some: {} } })
    const { reader, asked } = countingReader(1)
    const { rules, decisive } = await explained({ ...by(declare), reader })
    expect([rules[0]?.holds, decisive, asked.length]).toEqual([true, 1, 1])
    const none = await explained({ ...by(declare), reader: countingReader(0).reader })
    expect([none.rules[0]?.holds, none.decisive]).toEqual([false, null])
  })

  test('a cannot that a null leaves open decides, a can does not', async () => {
    const row = { ...post, views: null }
    const denied = await explained(
      by(({ can, cannot }) => {
        can('update')
        cannot('update', { views: 5 })
      }),
      { row },
    )
    expect([denied.rules[0]?.holds, denied.decisive]).toEqual([null, 2])
    const open = await explained(
      by(({ can }) => {
        can('update')
        can('update', { views: 5 })
      }),
      { row },
    )
    expect([open.rules[0]?.holds, open.decisive]).toEqual([null, 1])
  })
})

describe('a denial without a message says', () => {
  const detail = (given: Parameters<typeof contextOf>[0], more: Partial<ToExplain> = {}) =>
    denialDetail(contextOf(given), { operation, row: post, request: null, decision: no, ...more })
  const file = 'policies/post.policy.ts'

  test('where it is from', () => {
    expect(detail({})).toBe(`${file} denies it.`)
    expect(detail(by(() => {}, { update: () => false }))).toBe(`update() of ${file} denies it.`)
  })

  test('which rule denies', () => {
    expect(
      detail(
        by(({ can, cannot }) => {
          can('update')
          cannot('update', { authorId: 7 })
        }),
      ),
    ).toBe(`Rule 2 of ${file}, cannot('update', …), denies it.`)
    expect(
      detail(
        by(({ can, cannot }) => {
          can('update', { views: 6 })
          cannot('update')
        }),
      ),
    ).toBe(`Rule 2 of ${file}, cannot('update'), denies it.`)
  })

  test('which would allow it, but not for this row', () => {
    expect(detail(by(({ can }) => can('update', { views: 6 })))).toBe(
      `Rule 1 of ${file} would allow update, but not for this row.`,
    )
    expect(
      detail(
        by(({ can }) => {
          can('update', { views: 6 })
          can('view')
          can('update', { views: 7 })
        }),
      ),
    ).toBe(`Rules 1, 3 of ${file} would allow update, but not for this row.`)
    expect(
      detail(
        by(({ can, cannot }) => {
          can('update', { views: 6 })
          cannot('update', { views: 8 })
        }),
      ),
    ).toBe(`Rule 1 of ${file} would allow update, but not for this row.`)
    expect(
      detail(
        by(({ can, cannot }) => {
          can('update', { views: 6 })
          cannot('update', { tags: { some: {} } })
        }),
      ),
    ).toBe(`Rule 1 of ${file} would allow update, but not for this row, or a cannot forbids it.`)
  })

  test('that no rule allows it', () => {
    expect(detail(by(({ cannot }) => void cannot('update', { views: 8 })))).toBe(
      `No rule of ${file} allows update to this user.`,
    )
  })
})
