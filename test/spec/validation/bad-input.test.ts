import { describe, expect, test } from 'vitest'
import { type ErrorOf, expectErrors, invalid, nonCompliant } from '../../support/answers.ts'
import { type Answer, useApi, users } from '../../support/api.ts'
import { expectRefusal, notSupported } from '../../support/refusal.ts'
import { identifier } from '../../support/row-documents.ts'
import { videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()
const admin = () => api.as(users.admin)

const invalidJson: ErrorOf = { status: '400', title: 'Invalid JSON', detail: expect.any(String) }

const deep = (open: string, close: string, levels: number) => `${open.repeat(levels)}0${close.repeat(levels)}`
const tooDeep = {
  'a list of 5,000 levels': deep('[', ']', 5000),
  'an object of 5,000 levels': deep('{"a":', '}', 5000),
  'a list that fills the body': deep('[', ']', 500_000),
}

const refuses = (send: () => Promise<Answer>, status: number, ...errors: readonly ErrorOf[]) =>
  expectRefusal(api.db, send, { status, errors })

/** The places of a document where a value can stand, as text: JSON.stringify could not write all that JSON allows. */
const places: Readonly<Record<string, (value: string) => string>> = {
  'an attribute': (value) => `{"data":{"type":"posts","id":"1","attributes":{"title":${value}}}}`,
  'an attribute that nobody knows': (value) => `{"data":{"type":"posts","id":"1","attributes":{"bogus":${value}}}}`,
  'a relationship': (value) => `{"data":{"type":"posts","id":"1","relationships":{"author":${value}}}}`,
  'a member that nobody knows': (value) => `{"data":{"type":"posts","id":"1"},"bogus":${value}}`,
}

describe.each(Object.entries(places))('%s is refused with', (_, documentWith) => {
  const patch = (value: string) => () => admin().patch('/posts/1', { body: documentWith(value) })

  test.each(Object.entries(tooDeep))('%s', async (_, value) => {
    await refuses(patch(value), 400, invalidJson)
  })

  test.each(['1e400', '-1e400', '[1, 1e999]'])('%s, a number that is none', async (value) => {
    await refuses(patch(value), 400, invalidJson)
  })

  test.each(['{"__proto__":{"role":"ADMIN"}}', '{"a":[{"__proto__":1}]}', '{"\\u005f_proto__":null}'])(
    'an own __proto__: %s',
    async (value) => {
      await refuses(patch(value), 400, invalidJson)
    },
  )
})

describe('the name', () => {
  test.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    '%s is no attribute and no relationship',
    async (name) => {
      const fields = { [name]: { prototype: { role: 'ADMIN' } } }
      const data = { type: 'posts', id: '1', attributes: fields }
      const noAttribute = nonCompliant(`The field ${name} is not a supported attribute.`, `/data/attributes/${name}`)
      await refuses(() => admin().patch('/posts/1', { body: { data } }), 400, noAttribute)
      const noRelationship = nonCompliant(
        `The field ${name} is not a supported relationship.`,
        `/data/relationships/${name}`,
      )
      const body = { data: { type: 'posts', id: '1', relationships: { [name]: { data: null } } } }
      await refuses(() => admin().patch('/posts/1', { body }), 400, noRelationship)
    },
  )

  test.each(['constructor', '__proto__', 'toString'])('%s is no type', async (type) => {
    const unknown = (pointer: string) => notSupported('400', `Resource type ${type} is not recognised.`, pointer)
    const linkage = () => admin().post('/posts/1/relationships/tags', { body: { data: [{ type, id: '1' }] } })
    await refuses(linkage, 400, unknown('/data/0/type'))
  })

  test('__proto__ is no member of a document: such a body is no JSON that is read', async () => {
    for (const body of [
      '{"__proto__":{"data":{"type":"posts","id":"1"}}}',
      '{"data":{"type":"posts","id":"1","__proto__":{"attributes":{"title":"x"}}}}',
      '{"data":{"type":"posts","id":"1","attributes":{"__proto__":{"title":"x"}}}}',
    ]) {
      await refuses(() => admin().patch('/posts/1', { body }), 400, invalidJson)
    }
    expect(({} as Record<string, unknown>).role).toBe(undefined)
  })
})

/** A value for each of the attributes, which none of them holds. */
const attributes = [
  ['posts', '1', 'title', 'string', 'The title field must be a string.'],
  ['posts', '1', 'slug', 'string', 'The slug field must be a string.'],
  ['posts', '1', 'synopsis', 'string', 'The synopsis field must be a string.'],
  ['posts', '1', 'publishedAt', 'dateTime', 'The published at is not a valid ISO 8601 date and time.'],
  ['videos', videoId(1), 'url', 'string', 'The url field must be a string.'],
  ['videos', videoId(1), 'featured', 'boolean', 'The featured field must be a boolean.'],
  ['videos', videoId(1), 'durationSeconds', 'integer', 'The duration seconds field must be an integer.'],
  ['videos', videoId(1), 'rating', 'number', 'The rating field must be a number.'],
  ['users', '3', 'email', 'string', 'The email field must be a string.'],
  ['users', '3', 'role', 'enumOf', 'The role field must be one of MEMBER, EDITOR, ADMIN.'],
  ['comments', '1', 'content', 'string', 'The content field must be a string.'],
  ['tags', '2', 'name', 'string', 'The name field must be a string.'],
  ['profiles', '1', 'bio', 'string', 'The bio field must be a string.'],
] as const

const shapes: readonly unknown[] = [
  { increment: 1 },
  { set: 'x' },
  { connect: { id: 1 } },
  { connectOrCreate: { where: { id: 1 }, create: {} } },
  { delete: true },
  { constructor: { prototype: {} } },
  [{ set: 'x' }],
  [],
  {},
]

test.each(attributes)('a shape that Prisma would obey is no value: %s/%s %s', async (type, id, name, rule, detail) => {
  const before = await snapshot(api.db)
  // A comment is its author's to change.
  const caller = type === 'comments' ? api.as(await authorOf(1)) : admin()
  for (const value of shapes) {
    const answer = await caller.patch(`/${type}/${id}`, { body: { data: { type, id, attributes: { [name]: value } } } })
    expectErrors(answer, invalid(rule, detail, `/data/attributes/${name}`))
  }
  expect(await snapshot(api.db)).toEqual(before)
})

const authorOf = async (id: number) => (await api.db.comment.findUniqueOrThrow({ where: { id } })).authorId

describe('a shape that Prisma would obey is no relationship', () => {
  test.each([{ connect: { id: 1 } }, { create: { name: 'x' } }, { set: [] }, { deleteMany: {} }])(
    '%j',
    async (shape) => {
      for (const name of ['author', 'tags']) {
        const body = { data: { type: 'posts', id: '1', relationships: { [name]: shape } } }
        const error = nonCompliant('The member data is required.', `/data/relationships/${name}`)
        await refuses(() => admin().patch('/posts/1', { body }), 400, error)
      }
    },
  )

  test.each([{ gt: 0 }, { not: '' }, { in: ['1'] }])('with the id %j', async (id) => {
    const linkage = () => admin().patch('/posts/1/relationships/tags', { body: { data: [{ type: 'tags', id }] } })
    await refuses(linkage, 400, nonCompliant('The member id must be a string.', '/data/0/id'))
  })

  test('and beside an identifier it means nothing', async () => {
    const before = await api.db.tag.findMany()
    const data = [{ ...identifier('tags', 3), create: { name: 'x' }, connect: { id: 4 }, constructor: {} }]
    const { status, body } = await admin().patch('/posts/2/relationships/tags', { body: { data } })
    expect({ status, data: body.data }).toEqual({ status: 200, data: [identifier('tags', 3)] })
    expect(await api.db.tag.findMany()).toEqual(before)
  })
})

describe('a number', () => {
  const patch = (name: string, value: string) => () =>
    admin().patch(`/videos/${videoId(1)}`, {
      body: `{"data":{"type":"videos","id":"${videoId(1)}","attributes":{"${name}":${value}}}}`,
    })

  test.each(['9007199254740992', '9007199254740993', '1e16', '1e300', '1.5', '"1"'])(
    'that is no integer a double holds exactly is none: %s',
    async (value) => {
      const detail = 'The duration seconds field must be an integer.'
      await refuses(
        patch('durationSeconds', value),
        422,
        invalid('integer', detail, '/data/attributes/durationSeconds'),
      )
    },
  )

  test.each(['2147483648', '9007199254740991'])('beyond its column is refused: %s', async (value) => {
    const detail = 'The duration seconds field must not be greater than 2147483647.'
    await refuses(patch('durationSeconds', value), 422, invalid('max', detail, '/data/attributes/durationSeconds'))
  })

  test.each(['2147483647', '1e3', '-0', '60.0'])('that its column holds is kept: %s', async (value) => {
    const { status, body } = await patch('durationSeconds', value)()
    expect({ status, value: body.data?.attributes.durationSeconds }).toEqual({ status: 200, value: Number(value) + 0 })
  })
})

describe('text with', () => {
  const titled = (title: string) => ({
    body: `{"data":{"type":"posts","id":"1","attributes":{"title":${title}}}}`,
  })
  const unstorable = (pointer: string, words: string) =>
    invalid('storable', `The ${words} field must not contain characters that cannot be stored.`, pointer)

  test.each(['"\\ud800"', '"a\\udc00b"', '"\\udc00\\ud800"', '"x\\ud83d"'])(
    'half a surrogate pair is refused: %s',
    async (title) => {
      const error = unstorable('/data/attributes/title', 'title')
      await refuses(() => admin().patch('/posts/1', titled(title)), 422, error)
    },
  )

  test('a whole pair, and the last of the code points, is kept', async () => {
    const { status, body } = await admin().patch('/posts/1', titled('"\\ud83d\\ude00 \\udbff\\udfff"'))
    expect({ status, title: body.data.attributes.title }).toEqual({ status: 200, title: '\u{1f600} \u{10ffff}' })
  })

  test.each(['"\\u0000"', '"a\\u0000b"', '"a\\u0000"'])(
    'a null character is kept whole, or refused: %s',
    async (title) => {
      const before = await api.db.post.findUniqueOrThrow({ where: { id: 1 } })
      const { status, body } = await admin().patch('/posts/1', titled(title))
      const { title: stored } = await api.db.post.findUniqueOrThrow({ where: { id: 1 } })
      const kept = { status: 200, said: JSON.parse(title), stored: JSON.parse(title) }
      const refused = { status: 422, said: undefined, stored: before.title }
      expect([kept, refused]).toContainEqual({ status, said: body.data?.attributes.title, stored })
      if (status === 422) expect(body.errors).toEqual([unstorable('/data/attributes/title', 'title')])
    },
  )

  test('half a pair in an id names nothing', async () => {
    const body = '{"data":[{"type":"tags","id":"\\ud800"}]}'
    const { status } = await admin().post('/posts/1/relationships/tags', { body })
    expect(status).toBe(404)
  })
})
