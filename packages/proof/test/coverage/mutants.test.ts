import type { AnyPolicy, AnyRules } from '@prismapi/core/auth/policy'
import { declaredRules } from '@prismapi/core/auth/rules'
import { expect, test } from 'vitest'
import { declarationsOf } from '../../src/coverage/declared-rules.ts'
import { mutate, mutationsOf } from '../../src/coverage/mutants.ts'

class PostPolicy {
  abilities({ can, cannot }: AnyRules): void {
    can('view')
    can('update', { authorId: 1, deletedAt: null })
    cannot('update', { authorId: 2 }).because('It is closed.')
  }
}

const declared = (policy: AnyPolicy) =>
  declaredRules(policy, 'Post', null).map(({ inverted, actions, where }) => [
    inverted ? 'cannot' : 'can',
    actions,
    ...where,
  ])

const view = ['can', 'view']
const closed = ['cannot', 'update', { authorId: 2 }]

test('a rule is dropped, flipped, widened, and loses each of its conditions', () => {
  const [, [rule, declaration] = ['', { fields: null, where: [] as const }]] = [
    ...declarationsOf(new PostPolicy(), [null]).rules,
  ]
  const found = mutationsOf(declaration).map((mutation) => declared(mutate(new PostPolicy(), { rule, mutation })))
  expect({ rule, found }).toEqual({
    rule: 'can(update, { authorId: …, deletedAt: … })',
    found: [
      [view, closed],
      [view, ['cannot', 'update', { authorId: 1, deletedAt: null }], closed],
      [view, ['can', 'update'], closed],
      [view, ['can', 'update', { deletedAt: null }], closed],
      [view, ['can', 'update', { authorId: 1 }], closed],
    ],
  })
})

test('a rule about fields is made one about whole rows', () => {
  const policy = { abilities: ({ can }: AnyRules) => can('view', ['email'], { id: 1 }) }
  const [[rule, declaration] = ['', null]] = [...declarationsOf(policy, [null]).rules]
  const found = declaration && mutationsOf(declaration).map(({ kind }) => kind)
  mutate(policy, { rule, mutation: { kind: 'drop fields' } })
  expect({ rule, found, declared: declared(policy) }).toEqual({
    rule: 'can(view, [email], { id: … })',
    found: ['drop', 'flip', 'widen', 'drop fields'],
    declared: [['can', 'view', { id: 1 }]],
  })
})
