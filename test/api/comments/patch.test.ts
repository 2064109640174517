import { describe, expect, test } from 'vitest'
import { expectAnswer, expectErrors, forbidden, invalid, notFound, relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, commentResource, documentOf, identifier } from '../../support/row-documents.ts'
import { seededComment, seededPost } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

// Comment n is by member 3 + (n mod 8); comment 1 is about post 2, comment 3 about post 5, a draft of member 8.
const author = users.member4
const row = (id: number) => api.db.comment.findUniqueOrThrow({ where: { id } })
const change = (id: number, fields: object) => ({ body: { data: { type: 'comments', id: String(id), ...fields } } })
const newContent = { attributes: { content: 'On second thought.' } }

describe('the author of a comment', () => {
  test('changes its content: 200 with the comment', async () => {
    const before = await row(1)
    const answer = await api.as(author).patch('/comments/1', change(1, newContent))
    const expected = { ...before, content: 'On second thought.' }
    expectAnswer(answer, 200, documentOf(at('/comments/1'), commentResource(expected)))
    expect(await row(1)).toEqual(expected)
  })

  test('sends nothing to change: 200, and nothing changes', async () => {
    const before = await snapshot(api.db)
    expectAnswer(
      await api.as(author).patch('/comments/9', change(9, {})),
      200,
      documentOf(at('/comments/9'), seededComment(9)),
    )
    expect(await snapshot(api.db)).toEqual(before)
  })

  test.each([
    ['another post', identifier('posts', 7)],
    ['nothing', null],
  ])('cannot make it about %s: that is ignored', async (_, data) => {
    const before = await snapshot(api.db)
    const sent = change(9, { relationships: { commentable: { data } } })
    const answer = await api.as(author).patch('/comments/9?include=commentable', sent)
    const commentable = { commentable: identifier('posts', 13) }
    const document = documentOf(at('/comments/9', { include: 'commentable' }), seededComment(9, commentable), {
      included: [seededPost(13)],
    })
    expectAnswer(answer, 200, document)
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('changes it though its post is hidden from them', async () => {
    const answer = await api.as(users.member6).patch('/comments/3', change(3, newContent))
    const expected = { ...(await row(3)), content: 'On second thought.' }
    expectAnswer(answer, 200, documentOf(at('/comments/3'), commentResource(expected)))
    expect((await row(3)).postId).toBe(5)
  })

  test.each([
    ['', 'required', 'The content field is required.'],
    [null, 'required', 'The content field is required.'],
    [12, 'string', 'The content field must be a string.'],
    [{ set: 'x' }, 'string', 'The content field must be a string.'],
  ])('cannot make its content %j: 422', async (content, code, detail) => {
    const before = await snapshot(api.db)
    const answer = await api.as(author).patch('/comments/9', change(9, { attributes: { content } }))
    expectErrors(answer, invalid(code, detail, '/data/attributes/content'))
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('names a post that does not exist: 404, though it would be ignored', async () => {
    const sent = change(9, { ...newContent, relationships: { commentable: { data: identifier('posts', 999) } } })
    expectErrors(await api.as(author).patch('/comments/9', sent), relatedNotFound('/data/relationships/commentable'))
    expect((await row(9)).content).toBe('Comment 9.')
  })

  test('names another comment in the document: 409', async () => {
    expectErrors(await api.as(author).patch('/comments/9', change(1, newContent)), {
      status: '409',
      title: 'Not Supported',
      detail: 'Resource id 1 is not supported by this endpoint.',
      source: { pointer: '/data/id' },
    })
  })
})

describe('nobody else changes a comment', () => {
  test.each([
    ['a guest', () => api.guest],
    ['another member', () => api.as(users.member5)],
    ['an editor', () => api.as(users.editor)],
    ['an administrator', () => api.as(users.admin)],
  ])('%s gets 403', async (_, caller) => {
    const before = await snapshot(api.db)
    expectErrors(await caller().patch('/comments/9', change(9, newContent)), forbidden())
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('a comment that does not exist is 404 for everybody', async () => {
    expectErrors(await api.guest.patch('/comments/999', change(999, newContent)), notFound)
    expectErrors(await api.as(users.admin).patch('/comments/999', change(999, newContent)), notFound)
  })
})
