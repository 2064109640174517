import { describe, expect, test } from 'vitest'
import { badParameter, nonCompliant } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { atomic, expectRefused, inOperation, newPost, operate, path, sendAtomic } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'
import { theExample, useServers } from '../../support/servers.ts'

const api = useApi()
const member = api.as(users.member4)
const add = () => ({ op: 'add', data: { type: 'posts', attributes: newPost() } })
const refuse = (body: unknown, errors: readonly object[], query?: string) =>
  expectRefused(api.db, () => sendAtomic(member, body, query), { status: 400, errors })

describe('a document without operations is refused', () => {
  test.each([
    ['nothing', {}, nonCompliant('The member atomic:operations is required.', '')],
    [
      'null',
      { 'atomic:operations': null },
      nonCompliant('The member atomic:operations must be an array.', '/atomic:operations'),
    ],
    [
      'an object',
      { 'atomic:operations': add() },
      nonCompliant('The member atomic:operations must be an array.', '/atomic:operations'),
    ],
    [
      'an empty list',
      { 'atomic:operations': [] },
      nonCompliant('The member atomic:operations cannot be empty.', '/atomic:operations'),
    ],
  ])('%s', (_, body, error) => refuse(body, [error]))

  test.each(['data', 'included', 'atomic:results'])('one that has %s beside them, too', (name) =>
    refuse({ 'atomic:operations': [add()], [name]: [] }, [
      nonCompliant(`The member ${name} cannot stand beside atomic:operations.`, `/${name}`),
    ]),
  )

  test('no body', async () => {
    const headers = { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' }
    expect((await member.post('/api/v2/operations', { headers })).body.errors).toEqual([
      { status: '400', title: 'Invalid JSON', detail: 'Expecting JSON to decode.' },
    ])
  })
})

const post = identifier('posts', 1)
const tags = { ...post, relationship: 'tags' }
const href =
  'The member href must be the URL of a collection, a resource or a relationship of this server, without a query.'
const unrecognised = (type: string) => ({
  status: '400',
  title: 'Not Supported',
  detail: `Resource type ${type} is not recognised.`,
})

const faults: readonly (readonly [string, unknown, object, string])[] = [
  ['null', null, nonCompliant('The member 1 must be an object.', ''), ''],
  ['a string', 'add', nonCompliant('The member 1 must be an object.', ''), ''],
  ['no op', { data: add().data }, nonCompliant('The member op is required.', ''), ''],
  [
    'an unknown op',
    { ...add(), op: 'replace' },
    nonCompliant('The member op must be add, update or remove.', ''),
    '/op',
  ],
  [
    'an op that Object has',
    { ...add(), op: 'constructor' },
    nonCompliant('The member op must be add, update or remove.', ''),
    '/op',
  ],
  [
    'an op that is no string',
    { ...add(), op: ['add'] },
    nonCompliant('The member op must be add, update or remove.', ''),
    '/op',
  ],
  ['add without data', { op: 'add' }, nonCompliant('The member data is required.', ''), ''],
  ['add without data, by href', { op: 'add', href: 'posts' }, nonCompliant('The member data is required.', ''), ''],
  ['add of null', { op: 'add', data: null }, nonCompliant('The member data is required.', ''), '/data'],
  ['add of a list', { op: 'add', data: [] }, nonCompliant('The member data must be an object.', ''), '/data'],
  ['add without a type', { op: 'add', data: {} }, nonCompliant('The member type is required.', ''), '/data'],
  ['add of an unknown type', { op: 'add', data: { type: 'dragons' } }, unrecognised('dragons'), '/data/type'],
  [
    'add of a type that Object has',
    { op: 'add', data: { type: 'constructor' } },
    unrecognised('constructor'),
    '/data/type',
  ],
  ['update without data', { op: 'update', ref: post }, nonCompliant('The member data is required.', ''), ''],
  [
    'update without a target',
    { op: 'update', data: { type: 'posts' } },
    nonCompliant('The member id is required.', ''),
    '/data',
  ],
  ['update without anything', { op: 'update' }, nonCompliant('The member data is required.', ''), ''],
  ['remove without a target', { op: 'remove' }, nonCompliant('The member ref or href is required.', ''), ''],
  ['remove with data alone', { op: 'remove', data: post }, nonCompliant('The member ref or href is required.', ''), ''],
  [
    'remove from a relationship without data',
    { op: 'remove', ref: tags },
    nonCompliant('The member data is required.', ''),
    '',
  ],
  [
    'both ref and href',
    { op: 'remove', ref: post, href: 'posts/1' },
    nonCompliant('The members ref and href exclude each other.', ''),
    '',
  ],
  [
    'a ref that is a string',
    { op: 'remove', ref: 'posts/1' },
    nonCompliant('The member ref must be an object.', ''),
    '/ref',
  ],
  [
    'a ref without a type',
    { op: 'remove', ref: { id: '1' } },
    nonCompliant('The member type is required.', ''),
    '/ref',
  ],
  ['a ref of an unknown type', { op: 'remove', ref: identifier('dragons', 1) }, unrecognised('dragons'), '/ref/type'],
  [
    'a ref without an id',
    { op: 'remove', ref: { type: 'posts' } },
    nonCompliant('The member id is required.', ''),
    '/ref',
  ],
  [
    'a ref whose id is a number',
    { op: 'remove', ref: { type: 'posts', id: 1 } },
    nonCompliant('The member id must be a string.', ''),
    '/ref/id',
  ],
  [
    'an unknown relationship',
    { op: 'add', ref: { ...post, relationship: 'friends' }, data: [] },
    nonCompliant('The field friends is not a supported relationship.', ''),
    '/ref/relationship',
  ],
  [
    'a relationship that is no string',
    { op: 'add', ref: { ...post, relationship: null }, data: [] },
    nonCompliant('The member relationship must be a string.', ''),
    '/ref/relationship',
  ],
  [
    'an href that is no string',
    { op: 'remove', href: 5 },
    nonCompliant('The member href must be a string.', ''),
    '/href',
  ],
  ...[
    'https://elsewhere.example/api/v2/posts/1',
    '/api/v1/posts/1',
    '/posts/1',
    '/api/v2',
    '/api/v2/dragons/1',
    'posts/1/author',
    'posts/1/relationships/friends',
    'posts/1/-actions/publish',
    'posts/1?include=author',
    'posts/1#author',
    'posts/%ff',
    'posts//relationships/tags',
    'http://[',
    '',
  ].map((url) => [`the href ${url}`, { op: 'remove', href: url }, nonCompliant(href, ''), '/href'] as const),
]

describe('an operation that is none is refused before anything is done', () => {
  test.each(faults)('%s', (_, operation, error, at) =>
    refuse({ 'atomic:operations': [add(), operation] }, [inOperation(1, error, at)]),
  )

  test('what is wrong with all of them is said at once', () =>
    refuse({ 'atomic:operations': [faults[0]?.[1], add(), ...faults.slice(2, 6).map(([, operation]) => operation)] }, [
      nonCompliant('The member 0 must be an object.', '/atomic:operations/0'),
      ...faults.slice(2, 6).map(([, , error, at], i) => inOperation(i + 2, error, at)),
    ]))
})

describe('what the target does not do', () => {
  test.each([
    ['add to a resource', { op: 'add', ref: post, data: { type: 'posts' } }],
    ['add to the URL of a resource', { op: 'add', href: 'posts/1', data: { type: 'posts' } }],
    ['update a collection', { op: 'update', href: 'posts', data: { type: 'posts' } }],
    ['remove a collection', { op: 'remove', href: 'posts' }],
  ])('%s', (_, operation) =>
    expectRefused(api.db, () => operate(member, add(), operation), {
      status: 403,
      errors: [
        inOperation(
          1,
          {
            status: '403',
            title: 'Not Supported',
            detail: `The operation ${operation.op} is not supported by its target.`,
          },
          '/op',
        ),
      ],
    }),
  )
})

describe('the document of an operation is that of its endpoint', () => {
  test.each([
    [
      'attributes that nobody knows',
      { type: 'posts', attributes: { colour: 'red' } },
      'The field colour is not a supported attribute.',
      '/data/attributes/colour',
    ],
    [
      'attributes that are a list',
      { type: 'posts', attributes: [] },
      'The member attributes must be an object.',
      '/data/attributes',
    ],
    [
      'a relationship without data',
      { type: 'posts', relationships: { tags: {} } },
      'The member data is required.',
      '/data/relationships/tags',
    ],
  ])('%s', (_, data, detail, at) =>
    refuse({ 'atomic:operations': [add(), { op: 'add', data }] }, [inOperation(1, nonCompliant(detail, ''), at)]),
  )

  test('a type that is not that of the href is a conflict', () =>
    expectRefused(api.db, () => operate(member, { op: 'add', href: 'posts', data: { type: 'tags' } }), {
      status: 409,
      errors: [
        inOperation(
          0,
          { status: '409', title: 'Not Supported', detail: 'Resource type tags is not supported by this endpoint.' },
          '/data/type',
        ),
      ],
    }))

  test('all broken rules of the first operation that breaks any are said, at their places', async () => {
    const broken = { op: 'add', data: { type: 'posts', attributes: newPost({ slug: 'Not A Slug', title: null }) } }
    const { status, body } = await operate(member, add(), broken, broken)
    expect({ status, pointers: body.errors.map((error: { source: object }) => error.source) }).toEqual({
      status: 422,
      pointers: [
        { pointer: '/atomic:operations/1/data/attributes/title' },
        { pointer: '/atomic:operations/1/data/attributes/slug' },
      ],
    })
  })

  test('what is missing points to the data, and nothing to a place outside of its operation', () =>
    expectRefused(api.db, () => operate(member, { op: 'add', data: { type: 'videos', attributes: { title: 'V' } } }), {
      status: 422,
      errors: [
        {
          status: '422',
          code: 'required',
          title: 'Unprocessable Entity',
          detail: 'The url field is required.',
          source: { pointer: '/atomic:operations/0/data' },
          meta: { field: 'url' },
        },
      ],
    }))
})

describe('the URL', () => {
  test.each([
    ['include=author', 'include'],
    ['sort=title', 'sort'],
    ['page[size]=1', 'page'],
    ['filter[slug]=a', 'filter[slug]'],
    ['fields[posts]=colour', 'fields[posts]'],
    ['fields[dragons]=name', 'fields[dragons]'],
    ['colour=red', 'colour'],
  ])('%s is refused before anything is done', (query, parameter) =>
    refuse({ 'atomic:operations': [add()] }, [badParameter(parameter)], `?${query}`),
  )
})

describe('the number of operations', () => {
  const update = { op: 'update', data: { ...identifier('videos', '00000000-0000-4000-8000-000000000001') } }
  const many = (count: number) => Array.from({ length: count }, () => update)

  const patient = useServers(async () => ({ ...(await theExample()), transactions: { holdMilliseconds: 30_000 } }))

  test('a hundred are done', async () => {
    const sent = { headers: { 'Content-Type': atomic }, body: { 'atomic:operations': many(100) } }
    const { status, body } = await patient.as(users.admin)('POST', path, sent)
    expect({ status, count: body['atomic:results']?.length }).toEqual({ status: 200, count: 100 })
  })

  test('one more is refused', () =>
    refuse({ 'atomic:operations': many(101) }, [
      nonCompliant('The member atomic:operations cannot have more than 100 items.', '/atomic:operations'),
    ]))
})
