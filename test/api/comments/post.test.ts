import { describe, expect, test } from 'vitest'
import { expectAnswer, expectErrors, forbidden, invalid, missing, relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, commentResource, documentOf, identifier } from '../../support/row-documents.ts'
import { seededPost, videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

const post = identifier('posts', 1)
const commentOn = (commentable: unknown, more: object = {}) => ({
  body: {
    data: {
      type: 'comments',
      attributes: { content: 'Well said.' },
      relationships: { commentable: { data: commentable }, ...more },
    },
  },
})

const newest = () => api.db.comment.findFirstOrThrow({ orderBy: { id: 'desc' } })

describe('a member comments', () => {
  test('on a post: 201 with the comment, which is theirs', async () => {
    const answer = await api.as(users.member4).post('/comments', commentOn(post))
    const row = await newest()
    expect(row).toMatchObject({ content: 'Well said.', authorId: users.member4, postId: 1, videoId: null })
    expectAnswer(answer, 201, documentOf(at(`/comments/${row.id}`), commentResource(row)))
    expect(answer.headers.get('Location')).toBe(at(`/comments/${row.id}`))
  })

  test('on a video', async () => {
    const answer = await api.as(users.member4).post('/comments', commentOn(identifier('videos', videoId(7))))
    const row = await newest()
    expect(row).toMatchObject({ authorId: users.member4, postId: null, videoId: videoId(7) })
    expectAnswer(answer, 201, documentOf(at(`/comments/${row.id}`), commentResource(row)))
  })

  test('on a draft of their own', async () => {
    const draft = identifier('posts', 5)
    const answer = await api.as(8).post('/comments?include=commentable', commentOn(draft))
    const row = await newest()
    const document = documentOf(
      at(`/comments/${row.id}`, { include: 'commentable' }),
      commentResource(row, { commentable: draft }),
      {
        included: [seededPost(5)],
      },
    )
    expectAnswer(answer, 201, document)
  })

  test('in the name of another: the name is ignored', async () => {
    const author = { author: { data: identifier('users', users.member6) } }
    const { status } = await api.as(users.member4).post('/comments', commentOn(post, author))
    expect({ status, row: await newest() }).toMatchObject({ status: 201, row: { authorId: users.member4 } })
  })

  test('at a time of their choice: the time is ignored', async () => {
    const { body } = commentOn(post)
    const attributes = { content: 'Early.', createdAt: '2001-01-01T00:00:00Z' }
    const { status } = await api.as(users.member4).post('/comments', { body: { data: { ...body.data, attributes } } })
    const { content, createdAt } = await newest()
    expect({ status, content }).toEqual({ status: 201, content: 'Early.' })
    expect(createdAt.getTime()).toBeGreaterThan(Date.parse('2024-03-02'))
  })
})

describe('an administrator comments', () => {
  test('in their own name', async () => {
    const { status } = await api.as(users.admin).post('/comments', commentOn(post))
    expect({ status, row: await newest() }).toMatchObject({ status: 201, row: { authorId: users.admin } })
  })

  test('in the name of another', async () => {
    const author = { author: { data: identifier('users', users.member6) } }
    const { status } = await api.as(users.admin).post('/comments', commentOn(post, author))
    expect({ status, row: await newest() }).toMatchObject({ status: 201, row: { authorId: users.member6 } })
  })

  test('in nobody’s name: 422', async () => {
    const answer = await api.as(users.admin).post('/comments', commentOn(post, { author: { data: null } }))
    const pointer = '/data/relationships/author/data'
    expectErrors(answer, invalid('required', 'The author field is required.', pointer))
  })
})

describe('nothing is written when', () => {
  const commentable = '/data/relationships/commentable'
  const wrongType = 'The commentable field must be a to-one relationship containing posts, videos resources.'

  test.each([
    ['the document has no fields', {}, [missing('content'), missing('commentable')]],
    [
      'the fields are empty',
      { attributes: { content: '' }, relationships: { commentable: { data: null } } },
      [
        invalid('required', 'The content field is required.', '/data/attributes/content'),
        invalid('required', 'The commentable field is required.', `${commentable}/data`),
      ],
    ],
    [
      'the content is no string',
      { attributes: { content: 7 }, relationships: { commentable: { data: post } } },
      [invalid('string', 'The content field must be a string.', '/data/attributes/content')],
    ],
    [
      'a comment is about a user',
      { attributes: { content: 'x' }, relationships: { commentable: { data: identifier('users', 3) } } },
      [{ status: '422', title: 'Unprocessable Entity', detail: wrongType, source: { pointer: commentable } }],
    ],
    ['a post is hidden', commentOn(identifier('posts', 5)).body.data, [relatedNotFound(commentable)]],
    ['a post does not exist', commentOn(identifier('posts', 6000)).body.data, [relatedNotFound(commentable)]],
    ['a video does not exist', commentOn(identifier('videos', 'x')).body.data, [relatedNotFound(commentable)]],
  ])('%s', async (_, data: object, errors) => {
    const before = await snapshot(api.db)
    expectErrors(
      await api.as(users.member4).post('/comments', { body: { data: { type: 'comments', ...data } } }),
      ...errors,
    )
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('a guest comments: 403', async () => {
    const before = await snapshot(api.db)
    expectErrors(await api.guest.post('/comments', commentOn(post)), forbidden())
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('an id is sent: 403', async () => {
    const before = await snapshot(api.db)
    const data = { ...commentOn(post).body.data, id: '900' }
    expectErrors(await api.as(users.member4).post('/comments', { body: { data } }), {
      status: '403',
      title: 'Not Supported',
      detail: 'Resource type comments does not support client-generated IDs.',
      source: { pointer: '/data/id' },
    })
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('the two relations behind commentable are named themselves: 400', async () => {
    const answer = await api.as(users.member4).post('/comments', commentOn(post, { post: { data: post } }))
    expectErrors(answer, {
      status: '400',
      title: 'Non-Compliant JSON:API Document',
      detail: 'The field post is not a supported relationship.',
      source: { pointer: '/data/relationships/post' },
    })
  })
})
