import { describe, expect, test } from 'vitest'
import { idsOf, mediaType, parametersOf, useConformance, v2 } from '../../support/conformance.ts'
import type { RawAnswer } from '../../support/raw.ts'
import { addPost } from '../../support/rows.ts'

const server = useConformance()
const profile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

const get = (query: string, path = '/posts') => server.get(v2, `${path}?fields[posts]=&${query}`)
const cursorsOf = ({ body }: RawAnswer): string[] =>
  body.data.map(({ meta }: { meta: { page: { cursor: string } } }) => meta.page.cursor)
const sides = ({ body }: RawAnswer) => ({ prev: body.links.prev, next: body.links.next })

/** The whole list, with the cursor of each item. */
async function whole(sort = '-createdAt') {
  const answer = await get(`page[size]=100&sort=${sort}`)
  return { ids: idsOf(answer), cursors: cursorsOf(answer) as [string, ...string[]] }
}

describe('page[size]', () => {
  test.each([1, 2, 7])('Q1: %i is so many items, where there are so many', async (size) => {
    expect(idsOf(await get(`page[size]=${size}`))).toHaveLength(size)
  })

  test('Q1: prev is null on the first page, next on the last, and both are always there', async () => {
    const first = await get('page[size]=40')
    const last = await server.follow(v2, first.body.links.next)
    expect([sides(first), sides(last)]).toEqual([
      { prev: null, next: expect.any(String) },
      { prev: expect.any(String), next: null },
    ])
    expect(sides(await server.follow(v2, sides(last).prev))).toEqual(sides(first))
  })

  test.each(['0', '-1', 'abc', '1.5', ''])('Q2: "%s" is 400', async (size) => {
    expect(parametersOf(await get(`page[size]=${size}`))).toEqual({ status: 400, parameters: ['page[size]'] })
  })

  test('Q16: 02 is 2', async () => expect(idsOf(await get('page[size]=02'))).toHaveLength(2))

  test.each(['101', '99999999999999999999'])('Q3: %s is over the maximum, and is told what that is', async (size) => {
    const { status, body } = await get(`page[size]=${size}`)
    expect({ status, errors: body.errors }).toEqual({
      status: 400,
      errors: [
        {
          status: '400',
          links: { type: `${profile}/max-size-exceeded` },
          title: 'Invalid Query Parameter',
          detail: 'Page parameter size must not be greater than 100.',
          source: { parameter: 'page[size]' },
          meta: { page: { maxSize: 100 } },
        },
      ],
    })
  })

  test('Q11: left out, it is between 1 and the maximum', async () => expect(idsOf(await get(''))).toHaveLength(15))
})

describe('page[after] and page[before]', () => {
  test.each(['after', 'before'])('Q4: page[%s] that is no cursor is 400', async (key) => {
    for (const value of ['', '1', 'abc', '%00', (await whole()).cursors[0].slice(1)])
      expect(parametersOf(await get(`page[${key}]=${value}`))).toEqual({ status: 400, parameters: [`page[${key}]`] })
  })

  test('Q6: after a cursor comes the next item', async () => {
    const { ids, cursors } = await whole()
    expect(idsOf(await get(`page[size]=3&page[after]=${cursors[9]}`))).toEqual(ids.slice(10, 13))
  })

  test('Q7: before a cursor ends with the item in front of it, in the same order', async () => {
    const { ids, cursors } = await whole()
    expect(idsOf(await get(`page[size]=3&page[before]=${cursors[9]}`))).toEqual(ids.slice(6, 9))
  })

  test.each(['-createdAt', 'body', 'synopsis,-publishedAt'])(
    'Q5 Q10: by %s every item comes once, in one order for each size',
    async (sort) => {
      await server.db.post.updateMany({ data: { content: 'The same.' } })
      const { ids } = await whole(sort)
      for (const size of [1, 5, 48]) {
        const seen: string[] = []
        for (
          let page = await get(`page[size]=${size}&sort=${sort}`);
          ;
          page = await server.follow(v2, page.body.links.next)
        ) {
          seen.push(...idsOf(page))
          if (page.body.links.next === null) break
        }
        expect(seen).toEqual(ids)
      }
    },
  )

  test('Q8: both are the items between them, of which there may be as many as the maximum', async () => {
    const { ids, cursors } = await whole()
    const range = await get(`page[after]=${cursors[2]}&page[before]=${cursors[30]}`)
    expect({ ids: idsOf(range), meta: range.body.meta }).toEqual({ ids: ids.slice(3, 30), meta: { page: {} } })
  })

  test('Q8: where they are more than the size, it is as with after alone, and says so', async () => {
    const { cursors } = await whole()
    const range = await get(`page[after]=${cursors[2]}&page[before]=${cursors[30]}&page[size]=4`)
    const after = await get(`page[after]=${cursors[2]}&page[size]=4`)
    expect(range.body.data).toEqual(after.body.data)
    expect({ meta: range.body.meta, sides: sides(range) }).toEqual({
      meta: { page: { rangeTruncated: true } },
      sides: sides(after),
    })
  })

  test('Q12: a cursor survives the deletion of its item', async () => {
    const { id } = await addPost(server.db)
    const { ids, cursors } = await whole()
    const at = ids.indexOf(String(id))
    await server.db.post.delete({ where: { id } })
    expect(idsOf(await get(`page[size]=2&page[after]=${cursors[at]}`))).toEqual(ids.slice(at + 1, at + 3))
    expect(idsOf(await get(`page[size]=2&page[before]=${cursors[at]}`))).toEqual(ids.slice(at - 2, at))
  })

  test('Q13: after the last item is nothing, and nothing next', async () => {
    const { cursors } = await whole()
    const answer = await get(`page[after]=${cursors.at(-1)}`)
    expect({ ids: idsOf(answer), next: answer.body.links.next }).toEqual({ ids: [], next: null })
    expect(idsOf(await server.follow(v2, answer.body.links.prev)).at(-1)).toBe((await whole()).ids.at(-1))
  })
})

test('Q9: an order that there are no pages in is 400, and named', async () => {
  const { status, body } = await get('sort=author.name')
  expect({ status, errors: body.errors }).toEqual({
    status: 400,
    errors: [
      {
        status: '400',
        links: { type: `${profile}/unsupported-sort` },
        title: 'Invalid Query Parameter',
        detail: 'The collection cannot be paged in this order.',
        source: { parameter: 'sort' },
      },
    ],
  })
})

test('Q14: the meta of the page is an object, and each item has a cursor that falls on it', async () => {
  const { ids, cursors } = await whole()
  const answer = await get('page[size]=5')
  expect({ meta: answer.body.meta, cursors: cursorsOf(answer) }).toEqual({
    meta: { page: {} },
    cursors: cursors.slice(0, 5),
  })
  for (const [i, cursor] of cursors.slice(0, 5).entries())
    expect(idsOf(await get(`page[size]=1&page[after]=${cursor}`))).toEqual([ids[i + 1]])
})

test('Q14: identifiers of a relationship have one, too', async () => {
  const path = '/tags/2/relationships/posts'
  const answer = await server.get(v2, `${path}?page[size]=2`)
  const next = await server.get(v2, `${path}?page[size]=1&page[after]=${cursorsOf(answer)[0]}`)
  expect(idsOf(next)).toEqual([idsOf(answer)[1]])
  // The same list, in the same order.
  expect(cursorsOf(await server.get(v2, '/tags/2/posts?page[size]=2'))).toEqual(cursorsOf(answer))
})

test('Q15: the answer names the profile, in its Content-Type and in the document', async () => {
  for (const path of ['/posts', '/tags/2/posts', '/tags/2/relationships/posts']) {
    const { headers, body } = await server.get(v2, path)
    expect({ type: headers['content-type'], jsonapi: body.jsonapi }).toEqual({
      type: `${mediaType};profile="${profile}"`,
      jsonapi: { version: '1.1', profile: [profile] },
    })
  }
})
