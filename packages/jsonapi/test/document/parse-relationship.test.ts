import { expect, test } from 'vitest'
import { parseRelationship } from '../../src/document/parse-document.ts'
import { refusalOf, row } from './refusal.ts'

const known = { isType: (type: string) => ['users', 'tags'].includes(type), maxLinkage: 2 }
const author = { ...known, name: 'author', isToMany: false, types: ['users'] }
const tags = { ...known, name: 'tags', isToMany: true, types: ['tags'] }
const tag = (id: string) => ({ type: 'tags', id })

test('to-one: an identifier', () => {
  expect(parseRelationship({ data: { type: 'users', id: '5', foo: 1 } }, author)).toEqual({ type: 'users', id: '5' })
})

test('to-one: null clears', () => {
  expect(parseRelationship({ data: null }, author)).toBeNull()
})

test('to-many: identifiers, each once', () => {
  expect(parseRelationship({ data: [tag('1'), tag('1')] }, tags)).toEqual([tag('1')])
})

test('to-many: none', () => {
  expect(parseRelationship({ data: [] }, tags)).toEqual([])
})

test('as many identifiers as the limit says', () => {
  expect(parseRelationship({ data: [tag('1'), tag('2')] }, tags)).toEqual([tag('1'), tag('2')])
})

test.each<[string, unknown, typeof author, object]>([
  ['no data', {}, author, row('The member data is required.', '')],
  ['an array for a to-one', { data: [] }, author, row('The field author must be a to-one relation.', '/data')],
  ['a number for a to-one', { data: 1 }, author, row('The member data must be an object.', '/data')],
  ['no id', { data: { type: 'users' } }, author, row('The member id is required.', '/data')],
  ['a numeric id', { data: { type: 'users', id: 1 } }, author, row('The member id must be a string.', '/data/id')],
  [
    'a resource object',
    { data: { type: 'users', id: '1', attributes: {} } },
    author,
    row('The member data must be a resource identifier.', '/data'),
  ],
  [
    'an unknown type',
    { data: { type: 'x', id: '1' } },
    author,
    row('Resource type x is not recognised.', '/data/type', 400, 'Not Supported'),
  ],
  ['an identifier for a to-many', { data: tag('1') }, tags, row('The field tags must be a to-many relation.', '/data')],
  ['null for a to-many', { data: null }, tags, row('The member data must be an array.', '/data')],
  ['an element that is null', { data: [null] }, tags, row('The member 0 must be an object.', '/data/0')],
  ['an element without type', { data: [{ id: '1' }] }, tags, row('The member type is required.', '/data/0')],
  ['an empty type', { data: [{ type: '', id: '1' }] }, tags, row('The member type cannot be empty.', '/data/0/type')],
  [
    'too many',
    { data: [tag('1'), tag('2'), tag('3')] },
    tags,
    row('The member data cannot have more than 2 items.', '/data'),
  ],
])('%s: 400', (_name, body, shape, expected) => {
  expect(refusalOf(() => parseRelationship(body, shape))).toEqual({ status: 400, errors: [expected] })
})

test.each([
  [
    'to-one',
    { data: tag('1') },
    author,
    'The author field must be a to-one relationship containing users resources.',
    '/data',
  ],
  [
    'to-many',
    { data: [{ type: 'users', id: '1' }] },
    tags,
    'The tags field must be a to-many relationship containing tags resources.',
    '/data/0',
  ],
])('%s of a known but wrong type: 422', (_name, body, shape, detail, at) => {
  expect(refusalOf(() => parseRelationship(body, shape))).toEqual({
    status: 422,
    errors: [row(detail, at, 422, 'Unprocessable Entity')],
  })
})
