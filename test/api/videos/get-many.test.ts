import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { at, documentOf, identifier, sparse } from '../../support/row-documents.ts'
import { seededVideo, videoId } from '../../support/seeded.ts'

const api = useApi()

type Query = Readonly<Record<string, string | number>>

/** A page of a collection that is never counted, in its default order. */
function pageOf(
  self: Query,
  data: readonly object[],
  { number, size, hasNext }: { number: number; size: number; hasNext: boolean },
) {
  const link = (page: number) => at('/videos', { 'page[number]': page, 'page[size]': size, sort: '-createdAt' })
  const from = data.length === 0 ? 0 : (number - 1) * size + 1
  return {
    ...documentOf(at('/videos', self), data),
    links: {
      self: at('/videos', self),
      first: link(1),
      ...(number > 1 && { prev: link(number - 1) }),
      ...(hasNext && { next: link(number + 1) }),
    },
    meta: { page: { currentPage: number, from, perPage: size, to: data.length === 0 ? 0 : from + data.length - 1 } },
  }
}

const videos = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => seededVideo(from - index))

describe('a guest lists videos', () => {
  test('without page parameters: the newest 15, without a total', async () => {
    const document = pageOf({}, videos(10, 1), { number: 1, size: 15, hasNext: false })
    expectAnswer(await api.guest.get('/videos'), 200, document)
  })

  test('on the first page of several', async () => {
    const document = pageOf({ 'page[size]': 4 }, videos(10, 7), { number: 1, size: 4, hasNext: true })
    expectAnswer(await api.guest.get('/videos?page[size]=4'), 200, document)
  })

  test('on a page in the middle', async () => {
    const self = { 'page[number]': 2, 'page[size]': 4 }
    const document = pageOf(self, videos(6, 3), { number: 2, size: 4, hasNext: true })
    expectAnswer(await api.guest.get('/videos?page[number]=2&page[size]=4'), 200, document)
  })

  test('on a last page that is not full', async () => {
    const self = { 'page[number]': 3, 'page[size]': 4 }
    const document = pageOf(self, videos(2, 1), { number: 3, size: 4, hasNext: false })
    expectAnswer(await api.guest.get('/videos?page[number]=3&page[size]=4'), 200, document)
  })

  test('on a last page that is full: nothing follows', async () => {
    const self = { 'page[number]': 2, 'page[size]': 5 }
    const document = pageOf(self, videos(5, 1), { number: 2, size: 5, hasNext: false })
    expectAnswer(await api.guest.get('/videos?page[number]=2&page[size]=5'), 200, document)
  })

  test('beyond the last page: an empty one, and the way back', async () => {
    const self = { 'page[number]': 7, 'page[size]': 4 }
    const document = pageOf(self, [], { number: 7, size: 4, hasNext: false })
    expectAnswer(await api.guest.get('/videos?page[number]=7&page[size]=4'), 200, document)
  })

  test('in an order of their own, which the links keep', async () => {
    const { status, body } = await api.guest.get('/videos?sort=featured,-title&page[size]=3')
    // Videos 4 and 8 are featured; by title, 10 comes before 2.
    expect({ status, ids: body.data.map(({ id }: { id: string }) => id) }).toEqual({
      status: 200,
      ids: [videoId(9), videoId(7), videoId(6)],
    })
    const query = { 'page[number]': 2, 'page[size]': 3, sort: 'featured,-title' }
    expect(body.links.next).toBe(at('/videos', query))
  })

  test('that match a filter', async () => {
    const { body } = await api.guest.get('/videos?filter[featured]=true')
    expect(body.data).toEqual([seededVideo(8), seededVideo(4)])
    expect(body.links.first).toBe(
      at('/videos', { 'filter[featured]': 'true', 'page[number]': 1, 'page[size]': 15, sort: '-createdAt' }),
    )
  })

  test('with a few fields and their owners', async () => {
    const path = '/videos?fields[videos]=title,owner&fields[users]=name&include=owner&page[size]=1'
    const { status, body } = await api.guest.get(path)
    const owner = identifier('users', 5)
    const self = `/videos/${videoId(10)}`
    expect({ status, data: body.data, included: body.included }).toEqual({
      status: 200,
      data: [
        {
          ...sparse('videos', videoId(10), { title: 'Video 10' }),
          relationships: {
            owner: { links: { self: at(`${self}/relationships/owner`), related: at(`${self}/owner`) }, data: owner },
          },
        },
      ],
      included: [sparse('users', 5, { name: 'Member 5' })],
    })
  })

  test.each([
    ['page[number]=0', badParameter('page[number]')],
    ['page[number]=x', badParameter('page[number]')],
    ['page[size]=0', badParameter('page[size]')],
    ['page[size]=1001', badParameter('page[size]')],
    ['page[limit]=1', badParameter('page[limit]', 'Page parameter limit is not allowed.')],
    ['page=1', badParameter('page')],
    ['sort=ownerId', badParameter('sort', 'Sort parameter ownerId is not allowed.')],
    ['include=ownerId', badParameter('include', 'Include path ownerId is not allowed.')],
    ['filter[rating]=good', badParameter('filter[rating]')],
    ['filter[featured]=1', badParameter('filter[featured]')],
  ])('with %s: 400 that names the parameter', async (query, error) => {
    expectErrors(await api.guest.get(`/videos?${query}`), error)
  })
})

test('a collection without videos is one empty page', async () => {
  await api.db.comment.deleteMany({ where: { videoId: { not: null } } })
  await api.db.video.deleteMany()
  const document = pageOf({}, [], { number: 1, size: 15, hasNext: false })
  expectAnswer(await api.guest.get('/videos'), 200, document)
})
