import { expect, test } from 'vitest'
import type { AnyRules } from '../../../src/auth/policy.ts'
import { viewableOnly } from '../../../src/auth/viewable.ts'
import { equals, nothing } from '../../../src/condition/build.ts'
import { contextOf, openPosts, posts } from './fixture.ts'

const abilities = ({ can }: AnyRules) => can('view', { authorId: 7 })
const server = { viewAnyByView: true }

test('the rules for view narrow the collection, where the server says so', () => {
  const policies = { Post: { abilities } }
  expect(viewableOnly(contextOf({ policies, server }), posts)).toEqual(equals(posts.model, 'authorId', 7))
  expect(viewableOnly(contextOf({ policies }), posts)).toBe(null)
})

test('without a policy nothing is left; without authorization everything', () => {
  expect(viewableOnly(contextOf({ server }), posts)).toBe(nothing)
  expect(viewableOnly(contextOf({ server }), openPosts)).toBe(null)
  expect(viewableOnly(contextOf({ server: { ...server, authorizable: false } }), posts)).toBe(null)
})

test('a method cannot become a condition, so it is an error and not an open list', () => {
  const policies = { Post: { abilities, view: () => true } }
  expect(() => viewableOnly(contextOf({ policies, server }), posts)).toThrow(
    'policies/post.policy.ts: viewAnyByView and viewEverywhere need rules',
  )
})
