import type { MorphTo, Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute } from '@prismapi/jsonapi/schema/resource-schema'
import { expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { checkFields, namesOfAttribute, namesOfRelation } from '../../src/auth/field-names.ts'

const posts = schemaOfModel('Post')
const check = (actions: readonly string[], ...fields: readonly string[]) => checkFields(posts, actions, fields)

test('rules may name columns, attributes and relations', () => {
  expect(() => check(['view', 'create', 'update'], 'title', 'author', 'authorId', 'secret', 'tags')).not.toThrow()
  const attributes = new Map([['heading', posts.attributes.get('title') as Attribute]])
  const relations = new Map([['writer', posts.relations.get('author') as Relation]])
  expect(() => checkFields({ ...posts, attributes, relations }, ['view'], ['heading', 'writer', 'title'])).not.toThrow()
})

test.each<[readonly string[], readonly string[], string]>([
  [
    ['view', 'delete'],
    ['title'],
    'the rule for delete names fields, but delete has none. Rules for view, create and update may name some.',
  ],
  [
    ['viewAny'],
    ['title'],
    'the rule for viewAny names fields, but viewAny has none. Rules for view, create and update may name some.',
  ],
  [['view', 'update'], [], 'the rule for view, update names no field. Leave the empty list out.'],
  [['view'], ['title', 'id'], 'a rule names id, but the id of a row is always seen. Leave it out.'],
  [['view'], ['titel'], 'the model Post has no field "titel". Did you mean "title"?'],
  [['view'], ['auhtor'], 'the model Post has no field "auhtor". Did you mean "author"?'],
  [
    ['view'],
    ['zzzzzzzzzz'],
    'the model Post has no field "zzzzzzzzzz". Name a column, a relation, or a field of its schema class.',
  ],
])('%j of %j', (actions, fields, message) => {
  expect(() => check(actions, ...fields)).toThrow(new Error(message))
})

test('the columns of an id cannot be named, and neither can "id"', () => {
  const seats = schemaOfModel('Seat')
  for (const name of ['row', 'place', 'id'])
    expect(() => checkFields(seats, ['view'], [name])).toThrow(
      `a rule names ${name}, but the id of a row is always seen.`,
    )
})

test('a field has the name of documents, and those of what it is made of', () => {
  const title = posts.attributes.get('title') as Attribute
  expect(namesOfAttribute({ ...title, name: 'heading' })).toEqual(['heading', 'title'])
  expect(namesOfAttribute({ ...title, column: null })).toEqual(['title'])
  const author = posts.relations.get('author') as Relation
  expect(namesOfRelation({ ...author, name: 'writer' })).toEqual(['writer', 'author'])
  const commentable = schemaOfModel('Comment').relations.get('commentable') as MorphTo
  expect(namesOfRelation(commentable)).toEqual(['commentable', 'post', 'video'])
  expect(namesOfRelation({ ...commentable, form: { kind: 'columns' } } as unknown as Relation)).toEqual(['commentable'])
})
