import { isDeepStrictEqual } from 'node:util'
import { lackedInstant, storedInstant } from '@prismapi/jsonapi/model/prisma-values'
import type { Where } from '@prismapi/jsonapi/model/where'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conditionIn } from '../../../../test/support/conditions.ts'
import { resourcesOf, schemaOfModel } from '../../../../test/support/schemas.ts'
import type { AnyPolicy } from '../../src/auth/policy.ts'
import type { DeclaredRule } from '../../src/auth/rules.ts'
import { compileRules, copyOf, ruleKey } from '../../src/auth/user-rules.ts'

const rule = (where: object | undefined, more: Partial<DeclaredRule> = {}): DeclaredRule => ({
  inverted: false,
  actions: 'view',
  fields: null,
  where: [where] as [object],
  reason: undefined,
  ...more,
})

const word = fc.constantFrom('a', 'view', 's1:a', '1:a', 'null', '1;', '}', '', 'number1;')
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.constantFrom(null, true, false, 1, 11, 1.5, 1n, 11n, new Date(0), new Date(1), Number.NaN),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(word, tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value as fc.Arbitrary<object>
const declared = fc.record(
  {
    inverted: fc.boolean(),
    actions: fc.oneof(fc.array(word, { minLength: 2, maxLength: 3 }), word),
    fields: fc.option(fc.array(word, { maxLength: 2 })),
    where: fc.oneof(fc.constant([] as const), fc.tuple(value)),
    reason: fc.option(word, { nil: undefined }),
  },
  { noNullPrototype: true },
) as fc.Arbitrary<DeclaredRule>

describe('the key of rules', () => {
  test('is the same for equal rules, and for no others', () => {
    const lists = fc.array(declared, { maxLength: 2 })
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        expect(ruleKey(copyOf(a))).toBe(ruleKey(a))
        if (ruleKey(a) === ruleKey(b)) expect(isDeepStrictEqual(a, b)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  test.each<[string, DeclaredRule, DeclaredRule]>([
    ['a number and its digits', rule({ a: 1 }), rule({ a: '1' })],
    ['a bigint and a number', rule({ a: 1n }), rule({ a: 1 })],
    ['null and its name', rule({ a: null }), rule({ a: 'null' })],
    ['no condition and an empty one', rule({}), rule(undefined, { where: [] })],
    ['a date and its milliseconds', rule({ a: new Date(5) }), rule({ a: 5 })],
    ['two texts and one', rule({ a: ['x', 'y'] }), rule({ a: ['xs1:y'] })],
    ['can and cannot', rule({ a: 1 }), rule({ a: 1 }, { inverted: true })],
    ['a reason and another', rule({ a: 1 }, { reason: 'No.' }), rule({ a: 1 }, { reason: 'Never.' })],
    ['a text with a rule in it', rule({ a: 'x;+4:view?!' }), rule({ a: 'x' })],
  ])('tells %s apart', (_, one, other) => {
    expect(ruleKey([one])).not.toBeNull()
    expect(ruleKey([one])).not.toBe(ruleKey([other]))
  })

  class Decimal {}
  test.each<[string, object | undefined]>([
    ['a class of its own', { price: new Decimal() }],
    ['bytes', { data: new Uint8Array(2) }],
    ['an instant that JavaScript lacks', { at: lackedInstant(new Date(Number.NaN), 'infinity') }],
    ['an instant as another program spelled it', { at: storedInstant(new Date(5), '1970-01-01') }],
    ['undefined', { a: { equals: undefined } }],
    ['a condition that went missing', undefined],
    ['a long list', { id: { in: Array.from({ length: 101 }, (_, i) => i) } }],
    ['a long text', { title: 'x'.repeat(3000) }],
  ])('is none for %s', (_, where) => {
    expect(ruleKey([rule(where)])).toBeNull()
  })
})

describe('compiled rules', () => {
  const schema = schemaOfModel('Post')
  const resources = resourcesOf('sqlite')
  const policyOf = (where: (user: { readonly ids: number[] }) => object) =>
    ({
      abilities({ can }: { can: (action: string, where: object) => void }, user: { readonly ids: number[] }) {
        can('view', where(user))
      },
    }) as unknown as AnyPolicy
  const said = (where: Where) => conditionIn(where, 'Post', resources)
  const conditionFor = (policy: AnyPolicy, ids: number[]) =>
    compileRules(policy, schema, resources, { ids }).conditionFor('view')

  test('are each user’s own, and the same where they say the same', () => {
    const policy = policyOf(({ ids }) => ({ authorId: { in: ids } }))
    expect(conditionFor(policy, [1])).toEqual(said({ authorId: { in: [1] } }))
    expect(conditionFor(policy, [2])).toEqual(said({ authorId: { in: [2] } }))
    expect(conditionFor(policy, [1])).toBe(conditionFor(policy, [1]))
  })

  test('do not change with the list that the application made them of', () => {
    const shared = [1]
    const policy = policyOf(({ ids }) => ({ authorId: { in: ids } }))
    expect(conditionFor(policy, shared)).toEqual(said({ authorId: { in: [1] } }))
    shared.push(2)
    expect(conditionFor(policy, [1])).toEqual(said({ authorId: { in: [1] } }))
    expect(conditionFor(policy, shared)).toEqual(said({ authorId: { in: [1, 2] } }))
  })

  test('are each policy’s own', () => {
    expect(
      conditionFor(
        policyOf(() => ({ authorId: 1 })),
        [],
      ),
    ).toEqual(said({ authorId: 1 }))
    expect(
      conditionFor(
        policyOf(() => ({ authorId: 2 })),
        [],
      ),
    ).toEqual(said({ authorId: 2 }))
  })
})
