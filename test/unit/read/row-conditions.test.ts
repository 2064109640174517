import { describe, expect, test } from 'vitest'
import { equals, nothing, related, relationOf } from '../../../src/condition/build.ts'
import type { ModelMeta } from '../../../src/model/meta.ts'
import { childrenOf, membersOf } from '../../../src/read/row-conditions.ts'
import type { HasMany } from '../../../src/schema/relation-kinds.ts'
import { resources as example } from '../../support/schemas.ts'
import { author, posts, tags } from '../auth/fixture.ts'

const comments = {
  ...tags,
  kind: 'hasMany',
  model: 'Comment',
  columns: ['postId'],
  references: ['id'],
} as unknown as HasMany

const { Comment, Tag } = example.models as Record<'Comment' | 'Tag', ModelMeta>
const models = { Comment, Tag }
const seen = { models, scopes: new Map() }

describe('the condition on members of a relation', () => {
  const row = { id: 1, authorId: 7 }

  test('is on their foreign key, or through the join table', () => {
    expect(membersOf(comments, posts, row, seen)).toEqual(equals(models.Comment, 'postId', 1))
    expect(membersOf(tags as never, posts, row, seen)).toEqual(
      related(relationOf(models.Tag, 'posts'), 'some', equals(posts.model, 'id', 1)),
    )
  })

  test('is met by no row where the parent has no value to be named by', () => {
    expect(childrenOf(comments, models.Comment, { id: null })).toBe(nothing)
    expect(childrenOf(author as never, posts.model, { id: null })).toBe(nothing)
  })
})
