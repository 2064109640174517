import { AssertionError } from 'node:assert'
import {
  expectFetchedMany,
  expectFetchedManyExactly,
  expectFetchedManyInOrder,
  expectFetchedNull,
  expectFetchedOne,
  expectFetchedOneExactly,
} from '@prismapi/testing'
import { describe, expect, test } from 'vitest'
import { answerOf, dataAnswer, errorAnswer, messageOf, post, withHeader } from './answers.ts'

const one = dataAnswer({
  ...post('1', { title: 'One', publishedAt: '2025-01-01T00:00:00.000Z', views: '12' }),
  relationships: { author: { links: { self: '/posts/1/relationships/author' }, data: { type: 'users', id: '3' } } },
})
const many = dataAnswer([post('1', { title: 'One' }), post('2', { title: 'Two' })])

describe('expectFetchedOne', () => {
  test('takes a resource by its type and id, and gives it back', () => {
    expect(expectFetchedOne(one, { type: 'posts', id: 1 })).toBe(one.document?.data)
  })

  test('compares what is named, with the values of Prisma and short relationships', () => {
    const attributes = { publishedAt: new Date('2025-01-01'), views: 12n }
    expectFetchedOne(one, { type: 'posts', attributes, relationships: { author: { type: 'users', id: 3 } } })
  })

  test('takes regular expressions, and the matchers of the test runner', () => {
    expectFetchedOne(one, { type: 'posts', id: /^\d+$/, attributes: { title: expect.any(String) } })
    expect(
      messageOf(() =>
        expectFetchedOne(one, { type: 'posts', attributes: { title: /^Two/, views: expect.any(Number) } }),
      ),
    ).toBe(
      'GET /posts\n' +
        '  data.attributes.title: found "One", expected /^Two/\n' +
        '  data.attributes.views: found "12", expected Any<Number>',
    )
  })

  test('shows a matcher the whole of what it stands for', () => {
    const author = expect.objectContaining({ data: { type: 'users', id: '3' } })
    const right = {
      type: 'posts',
      attributes: expect.objectContaining({ title: 'One' }),
      relationships: { author },
    }
    expectFetchedOne(one, right)
    expectFetchedOne(one, { ...right, relationships: expect.objectContaining({ author }) })
    expectFetchedOne(one, expect.objectContaining({ type: 'posts' }))
    const wrong = {
      type: 'posts',
      attributes: expect.not.objectContaining({ title: 'One' }),
      relationships: { author: expect.objectContaining({ data: null }) },
      links: /self/,
    }
    const shownAuthor = '{"links":{"self":"/posts/1/relationships/author"},"data":{"type":"users","id":"3"}}'
    expect(messageOf(() => expectFetchedOne(one, wrong))).toBe(
      'GET /posts\n' +
        '  data.attributes: found {"title":"One","publishedAt":"2025-01-01T00:00:00.000Z","views":"12"}, expected ObjectNotContaining {"title":"One"}\n' +
        `  data.relationships.author: found ${shownAuthor}, expected ObjectContaining {"data":null}\n` +
        '  data.links: missing, expected /self/',
    )
  })

  test('takes the flags of a regular expression for what it matches, and not for where', () => {
    const title = /n/g
    for (const _ of [1, 2]) expectFetchedOne(one, { type: 'posts', attributes: { title } })
    expectFetchedMany(many, [
      { type: 'posts', attributes: { title: /[OT]/y } },
      { type: 'posts', attributes: { title: /[OT]/y } },
    ])
  })

  test.each<[string, Parameters<typeof expectFetchedOne>[1] | undefined]>([
    ['data', undefined],
    ['data.id', { type: 'posts', id: undefined }],
    ['data.attributes.title', { type: 'posts', attributes: { title: undefined } }],
    ['data.attributes.tags[1]["the name"]', { type: 'posts', attributes: { tags: [1, { 'the name': undefined }] } }],
    ['data.relationships.author.data', { type: 'posts', relationships: { author: undefined } }],
  ])('refuses a test that expects nothing: %s', (at, wanted) => {
    expect(() => expectFetchedOne(one, wanted as never)).toThrow(
      new Error(`${at}: undefined is expected, with which nothing can be compared. Leave it out, or say what it is.`),
    )
  })

  test('names each place that differs', () => {
    const wanted = {
      type: 'posts',
      id: 2,
      attributes: { title: 'Two', slug: 'two' },
      relationships: { author: { type: 'users', id: 4 } },
    }
    expect(messageOf(() => expectFetchedOne(one, wanted))).toBe(
      'GET /posts\n' +
        '  data.id: found "1", expected "2"\n' +
        '  data.attributes.title: found "One", expected "Two"\n' +
        '  data.attributes.slug: missing, expected "two"\n' +
        '  data.relationships.author.data.id: found "3", expected "4"',
    )
  })

  test('has the part that was compared for the diff of the test runner', () => {
    const failing = () => expectFetchedOne(one, { type: 'posts', id: 1, attributes: { title: 'Two' } })
    expect(failing).toThrow(AssertionError)
    expect(failing).toThrow(
      expect.objectContaining({
        actual: { type: 'posts', id: '1', attributes: { title: 'One' } },
        expected: { type: 'posts', id: '1', attributes: { title: 'Two' } },
        operator: 'expectFetchedOne',
      }),
    )
  })

  test('says what the errors of another status are', () => {
    const refused = errorAnswer(403, { status: '403', title: 'Forbidden', detail: 'Not yours.' })
    expect(messageOf(() => expectFetchedOne(refused, { type: 'posts' }))).toBe(
      'POST /posts\n  status: found 403, expected 200\n  errors[0]: 403 Forbidden: Not yours.',
    )
  })

  test('refuses a list, another media type, no body, and a document that JSON:API does not know', () => {
    const wanted = { type: 'posts', id: 1 }
    expect(messageOf(() => expectFetchedOne(many, wanted))).toBe('GET /posts\n  data is a list')
    expect(messageOf(() => expectFetchedOne(withHeader(one, 'Content-Type', 'application/json'), wanted))).toBe(
      'GET /posts\n  the Content-Type is application/json, not application/vnd.api+json',
    )
    expect(messageOf(() => expectFetchedOne(answerOf(200), wanted))).toBe('GET /posts\n  there is no body')
    expect(messageOf(() => expectFetchedOne(dataAnswer(post('1'), { extra: 1 }), wanted))).toBe(
      'GET /posts\n  the root has a member extra',
    )
    expect(messageOf(() => expectFetchedOne(dataAnswer(null), wanted))).toBe(
      'GET /posts\n  data: found null, expected {"type":"posts","id":"1"}',
    )
  })

  test('tells who forgot to await', () => {
    expect(() => expectFetchedOne(Promise.resolve(one) as never, { type: 'posts' })).toThrow(
      'expectFetchedOne: this is no answer. Give it what `await client.get(…)` returns, with the await.',
    )
  })
})

describe('expectFetchedOneExactly', () => {
  const tag = dataAnswer({ type: 'tags', id: '1', attributes: { name: 'news' } }, { links: { self: '/tags/1' } })

  test('takes the whole document', () => {
    const data = { type: 'tags', id: '1', attributes: { name: 'news' } }
    expectFetchedOneExactly(tag, { jsonapi: { version: '1.0' }, links: { self: '/tags/1' }, data })
  })

  test('refuses what is there and was not expected', () => {
    const wanted = { jsonapi: { version: '1.0' }, data: { type: 'tags', id: '1', attributes: {} } }
    expect(messageOf(() => expectFetchedOneExactly(tag, wanted))).toBe(
      'GET /posts\n' +
        '  data.attributes.name: found "news", expected nothing\n' +
        '  links: found {"self":"/tags/1"}, expected nothing',
    )
  })
})

test('expectFetchedNull takes null and nothing else', () => {
  expectFetchedNull(dataAnswer(null))
  expect(messageOf(() => expectFetchedNull(dataAnswer(post('1'))))).toBe(
    'GET /posts\n  data: found {"type":"posts","id":"1","attributes":{}}, expected null',
  )
})

describe('expectFetchedMany', () => {
  test('takes all of them in any order, and none', () => {
    const found = expectFetchedMany(many, [{ type: 'posts', id: 2 }, post('1', { title: 'One' })])
    expect(found.map(({ id }) => id)).toEqual(['1', '2'])
    expectFetchedMany(dataAnswer([]), [])
  })

  test('names those that are missing, and those that were not expected', () => {
    const wanted = [
      { type: 'posts', id: 2 },
      { type: 'posts', id: 3 },
    ]
    expect(messageOf(() => expectFetchedMany(many, wanted))).toBe(
      'GET /posts\n  data: posts 3 is missing\n  data: posts 1 was not expected',
    )
  })

  test('names where one differs, by its place in the answer', () => {
    const wanted = [post('2', { title: 'Zwei' }), { type: 'posts', id: 1 }]
    expect(messageOf(() => expectFetchedMany(many, wanted))).toBe(
      'GET /posts\n  data[1].attributes.title: found "Two", expected "Zwei"',
    )
  })

  test('finds an item of its own for each, whichever is said first', () => {
    const any = { type: 'posts' }
    const first = { type: 'posts', attributes: { title: 'One' } }
    expectFetchedMany(many, [any, first])
    expectFetchedMany(many, [first, any])
    expect(messageOf(() => expectFetchedMany(many, [any, first, first]))).toBe(
      'GET /posts\n  data: posts without an id is missing',
    )
    expect(messageOf(() => expectFetchedMany(many, [first, first]))).toBe(
      'GET /posts\n  data[1].attributes.title: found "Two", expected "One"',
    )
  })

  test('takes matchers for whole resources, and for ids', () => {
    const two = expect.objectContaining({ attributes: { title: 'Two' } })
    expectFetchedMany(many, [two, { type: 'posts', id: expect.stringMatching('1') }])
    expect(messageOf(() => expectFetchedMany(many, [two, two]))).toBe(
      'GET /posts\n  data: ObjectContaining {"attributes":{"title":"Two"}} is missing\n  data: posts 1 was not expected',
    )
    expect(messageOf(() => expectFetchedMany(many, [two, { type: 'posts', id: expect.any(Number) }]))).toBe(
      'GET /posts\n  data: posts Any<Number> is missing\n  data: posts 1 was not expected',
    )
  })

  test('refuses a test that expects nothing', () => {
    const wanted = [{ type: 'posts' }, { type: 'posts', attributes: { title: undefined } }]
    expect(() => expectFetchedMany(many, wanted)).toThrow(
      'data[1].attributes.title: undefined is expected, with which nothing can be compared. Leave it out, or say what it is.',
    )
  })

  test('refuses one that is there twice', () => {
    const twice = dataAnswer([post('1'), post('1')])
    expect(messageOf(() => expectFetchedMany(twice, [{ type: 'posts', id: 1 }]))).toBe(
      'GET /posts\n  data: posts 1 was not expected',
    )
  })

  test('refuses one resource', () => {
    expect(messageOf(() => expectFetchedMany(one, []))).toBe('GET /posts\n  data is no list')
  })
})

describe('expectFetchedManyInOrder', () => {
  test('takes them in their order', () => {
    expectFetchedManyInOrder(many, [
      { type: 'posts', id: 1 },
      { type: 'posts', id: 2, attributes: { title: 'Two' } },
    ])
  })

  test('names the order that was found', () => {
    const wanted = [
      { type: 'posts', id: 2 },
      { type: 'posts', id: 1 },
    ]
    expect(messageOf(() => expectFetchedManyInOrder(many, wanted))).toBe(
      'GET /posts\n  data: the order is posts 1, posts 2, expected posts 2, posts 1',
    )
  })

  test.each([
    ['attributes', [{ title: 'Two' }, { title: 'One' }].map((attributes) => ({ type: 'posts', attributes }))],
    ['regular expressions', [/^2$/, /^1$/].map((id) => ({ type: 'posts', id }))],
    ['matchers', ['2', '1'].map((id) => expect.objectContaining({ id }))],
    ['ids of others that differ', [post('2', { title: 'Zwei' }), post('1', { title: 'Eins' })]],
    ['all but one', [{ type: 'posts', id: /2/ }, { type: 'posts' }]],
  ])('names the order that was found, where items are told apart by %s', (_, wanted) => {
    expect(messageOf(() => expectFetchedManyInOrder(many, wanted))).toBe(
      'GET /posts\n  data: the order is posts 1, posts 2, expected posts 2, posts 1',
    )
  })

  test('names where one without an id differs', () => {
    const wanted = ['One', 'Zwei'].map((title) => ({ type: 'posts', attributes: { title } }))
    expect(messageOf(() => expectFetchedManyInOrder(many, wanted))).toBe(
      'GET /posts\n  data[1].attributes.title: found "Two", expected "Zwei"',
    )
  })

  test('names what is missing, and where one differs', () => {
    expect(messageOf(() => expectFetchedManyInOrder(many, [post('1')]))).toBe(
      'GET /posts\n  data: posts 2 was not expected',
    )
    expect(messageOf(() => expectFetchedManyInOrder(many, [{ type: 'posts', id: 1 }, post('2', { title: 'X' })]))).toBe(
      'GET /posts\n  data[1].attributes.title: found "Two", expected "X"',
    )
  })
})

test('expectFetchedManyExactly takes the whole document, in its order', () => {
  const data = [post('1', { title: 'One' }), post('2', { title: 'Two' })]
  expectFetchedManyExactly(many, { jsonapi: { version: '1.0' }, data })
  expect(messageOf(() => expectFetchedManyExactly(many, { jsonapi: { version: '1.0' }, data: data.slice(0, 1) }))).toBe(
    'GET /posts\n  data[1]: found {"type":"posts","id":"2","attributes":{"title":"Two"}}, expected nothing',
  )
})
