import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { foreignKeyColumns, type MorphTo } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute } from '@prismapi/jsonapi/schema/resource-schema'
import { expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { fieldOfColumn } from '../../src/validation/rules/unique-rules.ts'

const posts = schemaOfModel('Post')
const comments = schemaOfModel('Comment')
const byColumns = {
  ...comments.relations.get('commentable'),
  form: { kind: 'columns', typeColumn: 'aboutType', idColumn: 'aboutId', models: new Map() },
} as unknown as MorphTo

test('a field stands for a column, by either of its names', () => {
  const renamed = { ...(posts.model.columns.authorId as ColumnMeta), column: 'author_id' }
  const title = posts.attributes.get('title') as Attribute
  const heading: Attribute = {
    ...title,
    name: 'heading',
    column: { ...(title.column as ColumnMeta), column: 'the_title' },
  }
  const virtual: Attribute = { ...title, name: 'virtual', column: null }
  const schema = {
    ...posts,
    model: { ...posts.model, columns: { ...posts.model.columns, authorId: renamed } },
    attributes: new Map([
      ['virtual', virtual],
      ['heading', heading],
    ]),
  }
  const names = ['title', 'the_title', 'authorId', 'author_id', 'virtual', 'slug', 'nothing']
  expect(names.map((name) => fieldOfColumn(schema, name))).toEqual([
    'heading',
    'heading',
    'author',
    'author',
    null,
    null,
    null,
  ])
  expect([fieldOfColumn(comments, 'postId'), fieldOfColumn(comments, 'parentId')]).toEqual(['commentable', 'parent'])
  const ofColumns = { ...comments, relations: new Map([['about', byColumns]]) }
  expect([fieldOfColumn(ofColumns, 'aboutType'), fieldOfColumn(ofColumns, 'nothing')]).toEqual(['commentable', null])
})

test('a relation is stored in columns of its own side', () => {
  const columns = (model: string, name: string) => {
    const relation = schemaOfModel(model).relations.get(name)
    return relation && foreignKeyColumns(relation)
  }
  expect([
    columns('Post', 'author'),
    columns('Post', 'tags'),
    columns('User', 'profile'),
    columns('Ticket', 'seat'),
  ]).toEqual([['authorId'], [], [], ['row', 'place']])
  expect(columns('Comment', 'commentable')).toEqual(['postId', 'videoId'])
  expect(foreignKeyColumns(byColumns)).toEqual(['aboutType', 'aboutId'])
})
