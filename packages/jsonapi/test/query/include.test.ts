import { describe, expect, test } from 'vitest'
import { checkContext } from '../../../../test/support/query-context.ts'
import { registryOf, schemaOfModel } from '../../../../test/support/schemas.ts'
import { checkInclude, rootOf } from '../../src/query/include.ts'
import type { IncludeTree } from '../../src/query/query.ts'
import type { Relation } from '../../src/schema/relation-kinds.ts'
import { refusals } from './query-errors.ts'

const posts = rootOf([schemaOfModel('Post')])
const include = (value: string, root = posts) => toObject(checkInclude(value, root, checkContext()))

const toObject = (tree: IncludeTree): object =>
  Object.fromEntries([...tree].map(([name, subtree]) => [name, toObject(subtree)]))

test('paths become a tree, with what lies before their end', () => {
  expect(include('author,comments.author.profile,comments.replies,comments')).toEqual({
    author: {},
    comments: { author: { profile: {} }, replies: {} },
  })
})

test('an empty value includes nothing', () => {
  expect(include('')).toEqual({})
})

test('a path goes on behind a polymorphic relation where one of its types has the relation', () => {
  const comments = rootOf([schemaOfModel('Comment')])
  expect(include('commentable.author', comments)).toEqual({ commentable: { author: {} } })
})

test('on a relationship URL a path begins with the relation itself', () => {
  const tags = [schemaOfModel('Post').relations.get('tags') as Relation]
  expect(include('tags.posts', tags)).toEqual({ tags: { posts: {} } })
  expect(refusals(() => include('posts', tags))).toEqual([['include', 'Include path posts is not allowed.']])
})

describe('a path that is not there is refused', () => {
  test.each([
    'foo',
    'title',
    'author.foo',
    'author.name',
    'author.',
    '.author',
    ' author',
    'Author',
    'constructor',
    'author.__proto__',
  ])('%s', (path) => {
    expect(refusals(() => include(path))).toEqual([['include', `Include path ${path} is not allowed.`]])
  })
})

test('every wrong path of a list is named, an empty one too', () => {
  expect(refusals(() => include('foo,author,,bar'))).toEqual([
    ['include', 'Include path foo is not allowed.'],
    ['include', 'Include path  is not allowed.'],
    ['include', 'Include path bar is not allowed.'],
  ])
})

test('a relation that cannot be included neither ends nor continues a path', () => {
  const post = schemaOfModel('Post')
  const author = { ...(post.relations.get('author') as Relation), isIncludable: false }
  const schema = { ...post, relations: new Map(post.relations).set('author', author) }
  const check = checkContext({ registry: registryOf(schema) })
  const paths = refusals(() => checkInclude('author,author.posts,tags.posts.author', rootOf([schema]), check))
  expect(paths).toHaveLength(3)
})

test('a path may have as many relations as the limit, and a list as many paths', () => {
  const check = checkContext({ limits: { includeDepth: 2, includePaths: 2 } })
  expect(toObject(checkInclude('comments.author,tags', posts, check))).toEqual({ comments: { author: {} }, tags: {} })
  expect(refusals(() => checkInclude('comments.author.posts', posts, check))).toEqual([
    ['include', 'Include path comments.author.posts is not allowed: it has more than 2 relations.'],
  ])
  expect(refusals(() => checkInclude('author,tags,comments', posts, check))).toEqual([
    ['include', 'The parameter include must not have more than 2 paths.'],
  ])
})
