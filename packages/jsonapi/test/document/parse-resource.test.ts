import { expect, test } from 'vitest'
import { parseResource, type ResourceShape } from '../../src/document/parse-document.ts'
import { refusalOf, row } from './refusal.ts'

const relations = new Map([
  ['author', { name: 'author', isToMany: false, types: ['users'] }],
  ['media', { name: 'media', isToMany: false, types: ['images', 'videos'] }],
  ['tags', { name: 'tags', isToMany: true, types: ['tags'] }],
])
const creating: ResourceShape = {
  type: 'posts',
  id: null,
  acceptsClientId: false,
  hasAttribute: (name) => ['title', 'body'].includes(name),
  meant: (container, name) => (container === 'attributes' && name === 'titel' ? 'title' : null),
  relation: (name) => relations.get(name) ?? null,
  isType: (type) => ['posts', 'users', 'tags', 'images', 'videos'].includes(type),
  maxLinkage: 3,
}
const creatingWithId = { ...creating, acceptsClientId: true }
const updating = { ...creating, id: '1' }

const post = (members: object) => ({ data: { type: 'posts', ...members } })
const author = (relationship: unknown) => post({ relationships: { author: relationship } })
const tags = (data: unknown) => post({ relationships: { tags: { data } } })
const parsed = (members: object) => ({
  type: 'posts',
  id: null,
  attributes: new Map(),
  relationships: new Map(),
  ...members,
})

test('a create document with everything', () => {
  const document = post({
    attributes: { title: 'A', body: { deep: [1] } },
    relationships: {
      author: { data: { type: 'users', id: '5' } },
      media: { data: null },
      tags: { data: [{ type: 'tags', id: '2' }] },
    },
  })
  expect(parseResource(document, creating)).toEqual(
    parsed({
      attributes: new Map<string, unknown>([
        ['title', 'A'],
        ['body', { deep: [1] }],
      ]),
      relationships: new Map<string, unknown>([
        ['author', { type: 'users', id: '5' }],
        ['media', null],
        ['tags', [{ type: 'tags', id: '2' }]],
      ]),
    }),
  )
})

test('an update document needs nothing but type and id', () => {
  expect(parseResource(post({ id: '1' }), updating)).toEqual(parsed({ id: '1' }))
})

test('a client-generated id is kept where it is accepted, and may be left out', () => {
  expect(parseResource(post({ id: '0' }), creatingWithId)).toEqual(parsed({ id: '0' }))
  expect(parseResource(post({}), creatingWithId)).toEqual(parsed({}))
})

test('one to-many relation names nobody twice; identifiers keep their meta and nothing else', () => {
  const document = tags([
    { type: 'tags', id: '2', meta: { since: 1 }, links: {} },
    { type: 'tags', id: '3', meta: null },
    { type: 'tags', id: '2' },
  ])
  expect(parseResource(document, creating).relationships.get('tags')).toEqual([
    { type: 'tags', id: '2', meta: { since: 1 } },
    { type: 'tags', id: '3' },
  ])
})

test('@-members and members that nobody has defined are ignored', () => {
  const document = {
    '@context': {},
    jsonapi: { ext: ['x'] },
    data: {
      type: 'posts',
      '@id': 'x',
      meta: {},
      links: {},
      extra: 1,
      attributes: { '@type': 'x', title: 'A' },
      relationships: { '@x': 1, author: { data: null, links: {} } },
    },
  }
  expect(parseResource(document, creating)).toEqual(
    parsed({ attributes: new Map([['title', 'A']]), relationships: new Map([['author', null]]) }),
  )
})

const dataRequired = row('The member data is required.', '')
test.each<[string, unknown, ResourceShape, object]>([
  ['no data', {}, creating, dataRequired],
  ['data null', { data: null }, creating, row('The member data is required.', '/data')],
  ['data inherited', Object.create({ data: { type: 'posts' } }), creating, dataRequired],
  ['data an array', { data: [] }, creating, row('The member data must be an object.', '/data')],
  ['data a string', { data: 'posts' }, creating, row('The member data must be an object.', '/data')],
  ['no type', { data: {} }, creating, row('The member type is required.', '/data')],
  ['type a number', { data: { type: 1 } }, creating, row('The member type must be a string.', '/data/type')],
  ['type null', { data: { type: null } }, creating, row('The member type must be a string.', '/data/type')],
  ['type empty', { data: { type: '' } }, creating, row('The member type cannot be empty.', '/data/type')],
  ['no id', post({}), updating, row('The member id is required.', '/data')],
  ['id a number', post({ id: 1 }), updating, row('The member id must be a string.', '/data/id')],
  ['id null', post({ id: null }), updating, row('The member id must be a string.', '/data/id')],
  ['id blank', post({ id: ' ' }), updating, row('The member id cannot be empty.', '/data/id')],
  ['new id a number', post({ id: 1 }), creatingWithId, row('The member id must be a string.', '/data/id')],
  ['new id null', post({ id: null }), creatingWithId, row('The member id must be a string.', '/data/id')],
  ['new id empty', post({ id: '' }), creatingWithId, row('The member id cannot be empty.', '/data/id')],
  [
    'attributes an array',
    post({ attributes: [] }),
    creating,
    row('The member attributes must be an object.', '/data/attributes'),
  ],
  [
    'relationships null',
    post({ relationships: null }),
    creating,
    row('The member relationships must be an object.', '/data/relationships'),
  ],
  [
    'type among the attributes',
    post({ attributes: { type: 'x' } }),
    creating,
    row('The member attributes cannot have a type field.', '/data/attributes'),
  ],
  [
    'id among the relationships',
    post({ relationships: { id: { data: null } } }),
    creating,
    row('The member relationships cannot have an id field.', '/data/relationships'),
  ],
  [
    'an unknown attribute',
    post({ attributes: { foo: 1 } }),
    creating,
    row('The field foo is not a supported attribute.', '/data/attributes/foo'),
  ],
  [
    'a misspelt attribute',
    post({ attributes: { titel: 'A' } }),
    creating,
    row('The field titel is not a supported attribute. Did you mean title?', '/data/attributes/titel'),
  ],
  [
    'a relation among the attributes',
    post({ attributes: { author: 1 } }),
    creating,
    row('The field author is not a supported attribute.', '/data/attributes/author'),
  ],
  [
    'constructor as an attribute',
    post({ attributes: { constructor: 1 } }),
    creating,
    row('The field constructor is not a supported attribute.', '/data/attributes/constructor'),
  ],
  [
    '__proto__ as an attribute',
    JSON.parse('{"data":{"type":"posts","attributes":{"__proto__":{"title":"A"}}}}'),
    creating,
    row('The field __proto__ is not a supported attribute.', '/data/attributes/__proto__'),
  ],
  [
    'an unknown relationship',
    post({ relationships: { foo: { data: null } } }),
    creating,
    row('The field foo is not a supported relationship.', '/data/relationships/foo'),
  ],
  [
    'a relationship that is an array',
    author([]),
    creating,
    row('The member author must be an object.', '/data/relationships/author'),
  ],
  [
    'a relationship without data',
    author({}),
    creating,
    row('The member data is required.', '/data/relationships/author'),
  ],
  [
    'an array for a to-one relation',
    author({ data: [] }),
    creating,
    row('The field author must be a to-one relation.', '/data/relationships/author'),
  ],
  [
    'a string for a to-one relation',
    author({ data: '1' }),
    creating,
    row('The member data must be an object.', '/data/relationships/author/data'),
  ],
  [
    'an identifier for a to-many relation',
    tags({ id: '1' }),
    creating,
    row('The field tags must be a to-many relation.', '/data/relationships/tags'),
  ],
  [
    'null for a to-many relation',
    tags(null),
    creating,
    row('The member data must be an array.', '/data/relationships/tags/data'),
  ],
  [
    'an empty object for a to-many relation',
    tags({}),
    creating,
    row('The member data must be an array.', '/data/relationships/tags/data'),
  ],
  [
    'an element that is no object',
    tags([[]]),
    creating,
    row('The member 0 must be an object.', '/data/relationships/tags/data/0'),
  ],
  [
    'too many identifiers',
    tags(Array(4).fill({ type: 'tags', id: '1' })),
    creating,
    row('The member data cannot have more than 3 items.', '/data/relationships/tags/data'),
  ],
  [
    'an identifier without type',
    author({ data: { id: '1' } }),
    creating,
    row('The member type is required.', '/data/relationships/author/data'),
  ],
  [
    'an identifier with a numeric type',
    author({ data: { type: 1, id: '1' } }),
    creating,
    row('The member type must be a string.', '/data/relationships/author/data/type'),
  ],
  [
    'an identifier with an empty id',
    tags([{ type: 'tags', id: '' }]),
    creating,
    row('The member id cannot be empty.', '/data/relationships/tags/data/0/id'),
  ],
  [
    'an identifier with attributes',
    author({ data: { type: 'users', id: '1', attributes: {} } }),
    creating,
    row('The member data must be a resource identifier.', '/data/relationships/author/data'),
  ],
  [
    'an element with relationships',
    tags([{ type: 'tags', id: '1', relationships: {} }]),
    creating,
    row('The member 0 must be a resource identifier.', '/data/relationships/tags/data/0'),
  ],
  [
    'an identifier of a type that the server does not have',
    author({ data: { type: 'cars', id: '1' } }),
    creating,
    row('Resource type cars is not recognised.', '/data/relationships/author/data/type', 400, 'Not Supported'),
  ],
])('%s: 400', (_name, body, shape, expected) => {
  expect(refusalOf(() => parseResource(body, shape))).toEqual({ status: 400, errors: [expected] })
})

test.each<[number, string, unknown, ResourceShape, object]>([
  [
    409,
    'another type',
    { data: { type: 'users' } },
    creating,
    row('Resource type users is not supported by this endpoint.', '/data/type', 409, 'Not Supported'),
  ],
  [
    409,
    'another id',
    post({ id: '2' }),
    updating,
    row('Resource id 2 is not supported by this endpoint.', '/data/id', 409, 'Not Supported'),
  ],
  [
    403,
    'an id where none is accepted',
    post({ id: '2' }),
    creating,
    row('Resource type posts does not support client-generated IDs.', '/data/id', 403, 'Not Supported'),
  ],
  [
    422,
    'a known but wrong type in a to-one relation',
    author({ data: { type: 'tags', id: '1' } }),
    creating,
    row(
      'The author field must be a to-one relationship containing users resources.',
      '/data/relationships/author',
      422,
      'Unprocessable Entity',
    ),
  ],
  [
    422,
    'a wrong type in a polymorphic relation',
    post({ relationships: { media: { data: { type: 'tags', id: '1' } } } }),
    creating,
    row(
      'The media field must be a to-one relationship containing images, videos resources.',
      '/data/relationships/media',
      422,
      'Unprocessable Entity',
    ),
  ],
  [
    422,
    'a wrong type in a to-many relation',
    tags([
      { type: 'tags', id: '1' },
      { type: 'users', id: '1' },
    ]),
    creating,
    row(
      'The tags field must be a to-many relationship containing tags resources.',
      '/data/relationships/tags/data/1',
      422,
      'Unprocessable Entity',
    ),
  ],
])('%i: %s', (status, _name, body, shape, expected) => {
  expect(refusalOf(() => parseResource(body, shape))).toEqual({ status, errors: [expected] })
})

test('a wrong type stops the stage: nothing else of the document is judged', () => {
  const body = { data: { type: 'users', id: 1, attributes: { foo: 1 } } }
  expect(refusalOf(() => parseResource(body, updating)).errors).toHaveLength(1)
})

test('all failures of the stage are told in order: id, duplicates, attributes, relationships', () => {
  const body = post({
    id: '9',
    attributes: { author: 1, foo: 1, type: 'x' },
    relationships: { author: {}, tags: { data: [{ type: 'tags' }, { id: 7 }, 'x'] } },
  })
  expect(refusalOf(() => parseResource(body, updating))).toEqual({
    status: 400,
    errors: [
      row('Resource id 9 is not supported by this endpoint.', '/data/id', 409, 'Not Supported'),
      row('The author field cannot exist as an attribute and a relationship.', '/data'),
      row('The member attributes cannot have a type field.', '/data/attributes'),
      row('The field author is not a supported attribute.', '/data/attributes/author'),
      row('The field foo is not a supported attribute.', '/data/attributes/foo'),
      row('The member data is required.', '/data/relationships/author'),
      row('The member id is required.', '/data/relationships/tags/data/0'),
      row('The member type is required.', '/data/relationships/tags/data/1'),
      row('The member id must be a string.', '/data/relationships/tags/data/1/id'),
      row('The member 2 must be an object.', '/data/relationships/tags/data/2'),
    ],
  })
})

test('several failures with one status keep it', () => {
  const body = post({
    relationships: {
      author: { data: { type: 'tags', id: '1' } },
      media: { data: { type: 'tags', id: '1' } },
    },
  })
  expect(refusalOf(() => parseResource(body, creating))).toMatchObject({ status: 422, errors: [{}, {}] })
})
