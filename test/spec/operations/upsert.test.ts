import { describe, expect, test } from 'vitest'
import { forbidden, nonCompliant, relatedNotFound } from '../../support/answers.ts'
import { mediaType, useApi, users } from '../../support/api.ts'
import { atomic, inOperation, newPost, path } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()
const member = api.as(users.member4)
const admin = api.as(users.admin)
const profile = 'urn:prismapi:profile:upsert'
const media = `${atomic};profile="${profile}"`
const jsonapi = { version: '1.1', ext: ['https://jsonapi.org/ext/atomic'], profile: [profile] }

const operate = (caller: typeof member, ...operations: readonly unknown[]) =>
  caller.post(path, { headers: { 'Content-Type': media }, body: { 'atomic:operations': operations } })
const upsert = (attributes: object, more: object = {}, type = 'posts', by = 'slug') => ({
  op: 'update',
  data: { type, attributes, ...more },
  meta: { upsert: { by: [by] } },
})
const tag = (name: string) => upsert({ name }, {}, 'tags', 'name')
const shown = async (id: string) => (await member.get(`/api/v2/posts/${id}`)).body.data
const stored = (slug: string) => api.db.post.findUniqueOrThrow({ where: { slug } })

async function expectRefused(caller: typeof member, operation: unknown, status: number, ...errors: readonly object[]) {
  const before = await snapshot(api.db)
  const answer = await operate(caller, operation)
  const type = answer.headers.get('Content-Type')
  expect({ status: answer.status, type, body: answer.body }).toEqual({ status, type: media, body: { jsonapi, errors } })
  expect(await snapshot(api.db)).toEqual(before)
}

test('what is not there is created, and what is there is updated', async () => {
  const { slug } = newPost() as unknown as { slug: string }
  const created = await operate(member, upsert({ title: 'First', slug, body: 'Text' }))
  const { id } = await stored(slug)
  const type = created.headers.get('Content-Type')
  const first = { ...(await shown(String(id))) }
  expect({ status: created.status, type, body: created.body }).toEqual({
    status: 200,
    type: media,
    body: { jsonapi, 'atomic:results': [{ data: first }] },
  })
  const updated = await operate(member, upsert({ slug, title: 'Second' }))
  expect(updated.body).toEqual({ jsonapi, 'atomic:results': [{ data: await shown(String(id)) }] })
  expect(await stored(slug)).toMatchObject({ id, title: 'Second', content: 'Text', authorId: users.member4 })
})

test('two of one request are about one resource, whose lid later operations know', async () => {
  const { slug } = newPost() as unknown as { slug: string }
  const { status, body } = await operate(
    member,
    upsert({ title: 'First', slug, body: 'Text' }, { lid: 'a' }),
    upsert({ title: 'Second', slug }, { lid: 'b' }),
    { op: 'add', ref: { type: 'posts', lid: 'a', relationship: 'tags' }, data: [identifier('tags', 2)] },
    { op: 'add', ref: { type: 'posts', lid: 'b', relationship: 'tags' }, data: [identifier('tags', 3)] },
  )
  const ids = body['atomic:results'].map((result: { data?: { id: string } }) => result.data?.id)
  const row = await api.db.post.findUniqueOrThrow({ where: { slug }, include: { tags: { orderBy: { id: 'asc' } } } })
  expect({ status, ids }).toEqual({ status: 200, ids: [String(row.id), String(row.id), undefined, undefined] })
  expect([row.title, ...row.tags.map(({ id }) => id)]).toEqual(['Second', 2, 3])
})

test('many at once create one resource', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => operate(admin, tag('by many'))))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
  expect(new Set(answers.map(({ body }) => body['atomic:results'][0].data.id)).size).toBe(1)
  expect(await api.db.tag.count({ where: { name: 'by many' } })).toBe(1)
})

describe('who may not', () => {
  test('update it is denied as for an update', async () => {
    const { slug } = await api.db.post.findUniqueOrThrow({ where: { id: 13 } })
    await expectRefused(member, upsert({ slug, title: 'Mine' }), 403, inOperation(0, forbidden()))
  })

  test('create it is denied as for a create', () =>
    expectRefused(member, tag('mine'), 403, inOperation(0, forbidden())))

  test('see it has the values taken, as for a create', async () => {
    const { slug } = await api.db.post.findUniqueOrThrow({ where: { id: 5 } })
    await expectRefused(member, upsert({ slug, title: 'Mine', body: 'Text' }), 422, {
      ...inOperation(
        0,
        {
          status: '422',
          code: 'unique',
          title: 'Unprocessable Entity',
          detail: 'The slug has already been taken.',
        },
        '/data/attributes/slug',
      ),
    })
  })
})

describe('what is wrong with the resource is refused as for a create', () => {
  test('a rule', () =>
    expectRefused(
      member,
      upsert({ slug: 'Not A Slug', title: 'T', body: 'B' }),
      422,
      inOperation(
        0,
        { status: '422', code: 'matches', title: 'Unprocessable Entity', detail: expect.any(String) },
        '/data/attributes/slug',
      ),
    ))

  test.each([[{ contains: 'p' }], [5], [['post-1']], ['a\ud800'], [true]])('a key of %j', async (slug) => {
    const before = await snapshot(api.db)
    expect((await operate(member, upsert({ slug, title: 'T', body: 'B' }))).status).toBe(422)
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('an identifier', () =>
    expectRefused(
      member,
      upsert(newPost(), { relationships: { tags: { data: [identifier('tags', 9999)] } } }),
      404,
      inOperation(0, relatedNotFound(''), '/data/relationships/tags/data/0'),
    ))
})

const by = (fields: unknown) => ({ ...upsert({ slug: 'post-1', title: 'T' }), meta: { upsert: { by: fields } } })
const noKey = (names: string) => nonCompliant(`No unique key of posts consists of ${names}.`, '')

describe('an upsert that is none is refused', () => {
  test.each([
    [
      'no object',
      { ...upsert({}), meta: { upsert: ['slug'] } },
      nonCompliant('The member upsert must be an object.', ''),
      '/meta/upsert',
    ],
    [
      'nothing to go by',
      { ...upsert({}), meta: { upsert: {} } },
      nonCompliant('The member by is required.', ''),
      '/meta/upsert',
    ],
    ['no list', by('slug'), nonCompliant('The member by must be a list of fields.', ''), '/meta/upsert/by'],
    ['an empty list', by([]), nonCompliant('The member by must be a list of fields.', ''), '/meta/upsert/by'],
    ['an unknown field', by(['colour']), noKey('colour'), '/meta/upsert/by'],
    ['a field that Object has', by(['constructor']), noKey('constructor'), '/meta/upsert/by'],
    ['a field that is not unique', by(['title']), noKey('title'), '/meta/upsert/by'],
    ['more than the key', by(['slug', 'title']), noKey('slug, title'), '/meta/upsert/by'],
    [
      'an id',
      upsert({ slug: 'post-1' }, { id: '1' }),
      nonCompliant('An upsert has no id: its fields say which resource it is about.', ''),
      '/data/id',
    ],
    [
      'a ref',
      { ...upsert({ slug: 'post-1' }), ref: identifier('posts', 1) },
      nonCompliant('An upsert has no ref: its data says what it is about.', ''),
      '/ref',
    ],
    [
      'an href',
      { ...upsert({ slug: 'post-1' }), href: 'posts' },
      nonCompliant('An upsert has no href: its data says what it is about.', ''),
      '/href',
    ],
    [
      'no value',
      upsert({ title: 'T' }),
      nonCompliant('The field slug is required: it says which resource the upsert is about.', ''),
      '/data',
    ],
    [
      'null',
      upsert({ slug: null }),
      nonCompliant('The field slug is required: it says which resource the upsert is about.', ''),
      '/data',
    ],
    ['no data', { ...upsert({}), data: undefined }, nonCompliant('The member data is required.', ''), ''],
  ])('%s', (_, operation, error, at) => expectRefused(member, operation, 400, inOperation(0, error, at)))
})

test('without the profile meta.upsert means nothing', async () => {
  const operation = upsert({ slug: 'post-1', title: 'T' })
  const answer = await member.post(path, {
    headers: { 'Content-Type': atomic, Accept: mediaType },
    body: { 'atomic:operations': [operation] },
  })
  expect({ status: answer.status, errors: answer.body.errors }).toEqual({
    status: 400,
    errors: [inOperation(0, nonCompliant('The member id is required.', ''), '/data')],
  })
})
