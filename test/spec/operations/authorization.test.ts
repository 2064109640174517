import { describe, test } from 'vitest'
import { forbidden, notFound, relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { expectRefused, inOperation, newPost, operate } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'

// Every operation is authorized as its endpoint is, and a denial undoes what came before it. Post 1 is member 4's own, post
// 13 is another's, post 5 another's draft; tag 1 is the staff's pick.

const api = useApi()
const member = api.as(users.member4)
const allowed = () => ({ op: 'add', data: { type: 'posts', lid: 'p', attributes: newPost() } })
const allowedToo = () => ({ op: 'add', data: { type: 'posts', attributes: newPost() } })
const tagsOf = (id: number) => ({ ...identifier('posts', id), relationship: 'tags' })

const refused = (operation: object, status: number, error: object, at = '') =>
  expectRefused(api.db, () => operate(member, allowed(), operation, allowedToo()), {
    status,
    errors: [inOperation(1, error, at)],
  })

describe('what a member may not do is denied, and undoes what they may', () => {
  test.each([
    ['change another’s post', { op: 'update', data: { ...identifier('posts', 13), attributes: { title: 'Mine' } } }],
    ['remove it', { op: 'remove', ref: identifier('posts', 13) }],
    ['remove it by its URL', { op: 'remove', href: 'posts/13' }],
    ['add to its tags', { op: 'add', ref: tagsOf(13), data: [identifier('tags', 2)] }],
    ['take away from its tags', { op: 'remove', ref: tagsOf(13), data: [identifier('tags', 2)] }],
    ['replace its tags', { op: 'update', href: 'posts/13/relationships/tags', data: [] }],
    ['add a tag', { op: 'add', data: { type: 'tags', attributes: { name: 'mine' } } }],
    ['add a user', { op: 'add', data: { type: 'users', attributes: {} } }],
  ])('%s', (_, operation) => refused(operation, 403, forbidden()))

  test('with the policy’s own words', () =>
    refused(
      { op: 'update', ref: { ...identifier('posts', 1), relationship: 'author' }, data: identifier('users', 5) },
      403,
      forbidden('Only an administrator may hand a post to another author.'),
    ))

  test('by what is submitted for a relationship', async () => {
    const pick = { op: 'add', ref: tagsOf(1), data: [identifier('tags', 1)] }
    await refused(pick, 403, forbidden('Only editors may pick.'))
  })

  test('by what is submitted for the relationship of what a lid stands for', async () => {
    const pick = { op: 'update', ref: { type: 'posts', lid: 'p', relationship: 'tags' }, data: [identifier('tags', 1)] }
    await refused(pick, 403, forbidden('Only editors may pick.'))
  })
})

describe('what is hidden is not there', () => {
  test.each([
    ['as a target', { op: 'update', data: { ...identifier('posts', 5), attributes: { title: 'Mine' } } }],
    ['of a relationship', { op: 'add', ref: tagsOf(5), data: [identifier('tags', 2)] }],
  ])('%s', (_, operation) => refused(operation, 404, notFound))

  test('as what linkage names', () =>
    refused(
      {
        op: 'add',
        data: {
          type: 'comments',
          attributes: { content: 'C' },
          relationships: { commentable: { data: identifier('posts', 5) } },
        },
      },
      404,
      relatedNotFound(''),
      '/data/relationships/commentable',
    ))
})

test('a guest is denied', () =>
  expectRefused(api.db, () => operate(api.guest, allowed()), {
    status: 403,
    errors: [inOperation(0, forbidden('Sign in first.'))],
  }))
