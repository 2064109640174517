import { resolve } from 'node:path'
import type { Mutation } from '@prismapi/proof/coverage/mutants'
import { expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { loadApplication } from '../src/policies/application.ts'
import { changesNothing } from '../src/policies/changes-nothing.ts'

const app = await loadApplication(resolve(import.meta.dirname, '../../..'), resources)

test.each([
  // Who is signed in views every user, so that the rule is about the address alone.
  ['User', 'can(view, [email], { id: … })', { kind: 'drop fields' }, true],
  ['User', 'can(view, [email], { id: … })', { kind: 'widen' }, false],
  ['User', 'can(update, { id: … })', { kind: 'drop' }, false],
  ['Profile', 'can(update, { userId: … })', { kind: 'widen' }, false],
  // Code decides about some actions of posts, which may ask the rules.
  ['Post', 'cannot(updateAuthor)', { kind: 'drop' }, false],
] as const)('of the policy of %s, %s: whether %j changes nothing is known', async (policy, rule, mutation, isSame) => {
  const proof = await changesNothing(app, { policy, rule, mutation: mutation as Mutation })
  expect(proof).toEqual({ same: isSame, unproven: null })
})

test('a proof that fails says why', async () => {
  const unconfirmed = { ...app, openScratch: () => Promise.reject(new Error('Set DATABASE_URL.')) }
  expect(
    await changesNothing(unconfirmed, {
      ...{ policy: 'Profile', rule: 'can(update, { userId: … })' },
      mutation: { kind: 'widen' },
    }),
  ).toEqual({ same: false, unproven: 'Set DATABASE_URL.' })
})
