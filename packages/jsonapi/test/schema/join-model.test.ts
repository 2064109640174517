import { expect, test } from 'vitest'
import { type JoinModelRelation, joinModelRelations } from '../../src/schema/join-model.ts'
import { RelationOverride } from '../../src/schema/relation-fields.ts'
import { compileThrough } from '../../src/schema/relations.ts'
import { columnOf, modelOf, relationOf, resourcesOf } from './meta.ts'

const id = columnOf('id', 'Int', { default: 'autoincrement' })
const key = (name: string) => columnOf(name, 'Int', { isForeignKey: true })
const owned = (name: string, model: string, inverse: string) =>
  relationOf(name, model, { foreignKey: { columns: [`${name}Id`], references: ['id'] }, inverse })

interface Given {
  readonly list?: string
  readonly taken?: readonly string[]
  readonly ends?: readonly string[]
  readonly key?: readonly string[]
}

/** Posts and tags, linked by rows with these relations. */
function linked({ list = 'postTags', taken = [], ends = ['post', 'tag'], key: keys }: Given = {}) {
  const post = modelOf('Post', {
    columns: [id, ...taken.map((name) => columnOf(name, 'String'))],
    relations: [relationOf(list, 'PostTag', { isList: true, inverse: 'post' })],
  })
  const tag = modelOf('Tag', {
    columns: [id],
    relations: [relationOf('tagPosts', 'PostTag', { isList: true, inverse: 'tag' })],
  })
  const link = modelOf('PostTag', {
    columns: [...ends.map((name) => key(`${name}Id`)), columnOf('extra', 'Int')],
    relations: ends.map((name) => owned(name, name === 'post' ? 'Post' : 'Tag', name === 'post' ? list : 'tagPosts')),
    key: keys ?? ends.map((name) => `${name}Id`),
  })
  const resources = resourcesOf(post, tag, link)
  return { post, resources, throughs: joinModelRelations(post, resources.models) }
}

const names = (given?: Given): readonly string[] => linked(given).throughs.map(({ name }) => name)

test('a model whose id is two foreign keys links two others', () => {
  expect(names()).toEqual(['tags'])
})

test('where the name is taken, the model comes before it', () => {
  expect([names({ list: 'tags' }), names({ taken: ['tags', 'postTags2'], list: 'postTags' })]).toEqual([
    ['postTags'],
    ['postTagTags'],
  ])
})

test('a list that is served under another name, because JSON:API keeps its own, has taken that one, too', () => {
  // `links` of a post is `postLinks`.
  expect(names({ list: 'links', ends: ['post', 'link'] })).toEqual(['linkLinks'])
})

test('of two that lead to one name, the second is called after its list, and was called after the model', () => {
  const lists = { metrics: 'VersionMetric', engagements: 'VersionEngagement' }
  const end = (name: string) =>
    modelOf(name, {
      columns: [id],
      relations: Object.entries(lists).map(([list, model]) =>
        relationOf(list, model, { isList: true, inverse: name.toLowerCase() }),
      ),
    })
  const links = Object.entries(lists).map(([list, model]) =>
    modelOf(model, {
      columns: [key('postId'), key('tagId')],
      relations: [owned('post', 'Post', list), owned('tag', 'Tag', list)],
      key: ['postId', 'tagId'],
    }),
  )
  const post = end('Post')
  const named = joinModelRelations(post, resourcesOf(post, end('Tag'), ...links).models)
  expect(named.map(({ name, former }) => [name, former])).toEqual([
    ['tags', 'tags'],
    ['engagementTags', 'postTags'],
  ])
})

test('a model with an id of its own, or with three ends, links nothing', () => {
  expect([
    names({ key: ['extra'] }),
    names({ key: ['postId', 'tagId', 'extra'] }),
    names({ ends: ['post', 'tag', 'other'] }),
  ]).toEqual([[], [], []])
})

test('what is promised of to-one relations alone is an error of the start', () => {
  const { post, resources, throughs } = linked()
  const [through] = throughs as [JoinModelRelation]
  const compiled = (override: RelationOverride) => () =>
    compileThrough('tags', through, { model: post, resources, override })
  expect(compiled(new RelationOverride('tags'))).not.toThrow()
  expect(compiled(new RelationOverride('tags').alwaysVisible())).toThrow(
    "relation('tags') of Post: collections are sorted across to-one relations only. Remove alwaysVisible().",
  )
})
