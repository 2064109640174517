import { describe, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, sparse } from '../../support/row-documents.ts'
import { seededComment, seededPost, seededUser, seededVideo, videoId } from '../../support/seeded.ts'

const api = useApi()

describe('a comment', () => {
  test('is shown to a guest', async () => {
    expectAnswer(await api.guest.get('/comments/1'), 200, documentOf(at('/comments/1'), seededComment(1)))
  })

  test('whose post is hidden is shown all the same', async () => {
    expectAnswer(await api.guest.get('/comments/3'), 200, documentOf(at('/comments/3'), seededComment(3)))
  })

  test.each([
    ['a post', 1, identifier('posts', 2), seededPost(2)],
    ['a video', 5, identifier('videos', videoId(2)), seededVideo(2)],
  ])('comes with %s that it is about', async (_, id, commentable, included) => {
    const self = at(`/comments/${id}`, { include: 'commentable' })
    const document = documentOf(self, seededComment(id, { commentable }), { included: [included] })
    expectAnswer(await api.guest.get(`/comments/${id}?include=commentable`), 200, document)
  })

  test('about a hidden post comes without it: nothing tells that there is one', async () => {
    const self = at('/comments/3', { include: 'commentable.author' })
    const document = documentOf(self, seededComment(3, { commentable: null }), { included: [] })
    expectAnswer(await api.guest.get('/comments/3?include=commentable.author'), 200, document)
  })

  test.each([
    ['its author', 8],
    ['an editor', users.editor],
  ])('about an unpublished post comes with it for %s', async (_, user) => {
    const self = at('/comments/3', { include: 'commentable' })
    const data = seededComment(3, { commentable: identifier('posts', 5) })
    const document = documentOf(self, data, { included: [seededPost(5)] })
    expectAnswer(await api.as(user).get('/comments/3?include=commentable'), 200, document)
  })

  test('comes with the author of what it is about', async () => {
    const author = identifier('users', users.member5)
    const self = at('/comments/1', { include: 'commentable.author' })
    const data = seededComment(1, { commentable: identifier('posts', 2) })
    const included = [seededPost(2, { author }), seededUser(users.member5)]
    expectAnswer(
      await api.guest.get('/comments/1?include=commentable.author'),
      200,
      documentOf(self, data, { included }),
    )
  })

  test('has only the fields that are asked for, and so has what is included', async () => {
    const query = { 'fields[comments]': 'content', 'fields[posts]': 'slug', include: 'commentable' }
    const self = at('/comments/1', query)
    const data = sparse('comments', 1, { content: 'Comment 1.' })
    const included = [sparse('posts', 2, { slug: 'post-2' })]
    const answer = await api.guest.get(self.replace(at(''), ''))
    expectAnswer(answer, 200, documentOf(self, data, { included }))
  })

  test.each(['201', '0', '-1', '01', '1.0', 'x', '9999999999', encodeURIComponent('1 or 1=1')])(
    'with the id %s does not exist',
    async (id) => {
      expectErrors(await api.guest.get(`/comments/${id}`), notFound)
    },
  )

  test.each([
    ['include=commentable.slug', badParameter('include', 'Include path commentable.slug is not allowed.')],
    ['filter[content]=x', badParameter('filter[content]')],
    ['sort=id', badParameter('sort')],
    ['page[limit]=1', badParameter('page')],
    ['fields[postings]=x', badParameter('fields[postings]', 'Resource type postings is not recognised.')],
  ])('takes no %s', async (query, error) => {
    expectErrors(await api.guest.get(`/comments/1?${query}`), error)
  })
})
