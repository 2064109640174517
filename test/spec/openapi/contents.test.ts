import { expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'

const api = useApi()

const documentOf = async (name: string) => (await api.as(users.admin).get(`/api/${name}/openapi.json`)).body
const schemasOf = async (name: string) => (await documentOf(name)).components.schemas
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const toMany = (type: string) => ({ type: 'array', items: ref(`${type}.identifier`) })
const relationship = (data: object) => ({ type: 'object', required: ['data'], properties: { data } })

test('a new comment is described by the rules of its request class, which ask who writes it', async () => {
  const { 'comments.create': schema } = await schemasOf('v1')
  const commentable = { anyOf: [ref('posts.identifier'), ref('videos.identifier')] }
  expect(schema).toEqual({
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        required: ['type', 'attributes', 'relationships'],
        properties: {
          type: { type: 'string', const: 'comments' },
          attributes: {
            type: 'object',
            properties: { content: { type: 'string', minLength: 1, maxLength: 10_000 } },
            required: ['content'],
          },
          relationships: {
            type: 'object',
            properties: { author: relationship(ref('users.identifier')), commentable: relationship(commentable) },
            required: ['commentable'],
          },
          meta: { type: 'object' },
        },
      },
    },
  })
})

test('an update of a tag has what has a rule, and demands nothing but itself', async () => {
  const {
    'tags.update': { examples: _, ...schema },
  } = await schemasOf('v1')
  expect(schema).toEqual({
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        required: ['type', 'id'],
        properties: {
          type: { type: 'string', const: 'tags' },
          id: { type: 'string' },
          attributes: { type: 'object', properties: { name: { type: 'string', minLength: 1 } } },
          relationships: { type: 'object', properties: {} },
          meta: { type: 'object' },
        },
      },
    },
  })
})

test('a resource has its attributes by kind, with what the Prisma schema says of them', async () => {
  const { 'videos.resource': schema } = await schemasOf('v2')
  const { attributes, relationships } = schema.properties
  expect(schema.description).toBe('A film that lies elsewhere.')
  expect(attributes.properties).toEqual({
    title: { type: 'string' },
    url: { type: 'string', description: 'Where it can be watched: http or https.' },
    featured: { type: 'boolean', description: 'Whether it is shown on the front page.' },
    durationSeconds: { type: ['integer', 'null'], format: 'int32', description: 'Its length in seconds.' },
    rating: { type: ['number', 'null'], format: 'double', description: 'From 0 to 5 stars.' },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
  })
  const data = Object.entries<{ properties: { data: object } }>(relationships.properties).map(
    ([name, { properties }]) => [name, properties.data],
  )
  expect(Object.fromEntries(data)).toEqual({
    owner: { anyOf: [ref('users.identifier'), { type: 'null' }] },
    tags: toMany('tags'),
    comments: toMany('comments'),
  })
})

test('only 1.1 has local ids, extensions and operations', async () => {
  const [v1, v2] = [await documentOf('v1'), await documentOf('v2')]
  const of = ({ components, paths }: typeof v1, name: string) => ({
    lid: 'lid' in components.schemas['posts.create'].properties.data.properties,
    ext: 'ext' in components.schemas.jsonapi.properties,
    operations: `/api/${name}/operations` in paths,
  })
  expect(of(v1, 'v1')).toEqual({ lid: false, ext: false, operations: false })
  expect(of(v2, 'v2')).toEqual({ lid: true, ext: true, operations: true })
})

test('the pages and orders of a type are those of its paginator', async () => {
  const { parameters } = (await documentOf('v2')).components
  const named = (start: string) => Object.keys(parameters).filter((name) => name.startsWith(start))
  expect(named('page.posts')).toEqual(['page.posts.size', 'page.posts.after', 'page.posts.before'])
  expect(parameters['page.posts.size'].schema).toEqual({ type: 'integer', minimum: 1, maximum: 100 })
  expect(parameters['page.posts.after'].schema).toEqual({ type: 'string' })
  expect(named('page.tags')).toEqual([])
  expect(named('sort.comments')).toEqual([])
})

test('what the application says of its servers is there', async () => {
  const { info, security, components } = await documentOf('v1')
  expect(info).toMatchObject({ title: 'A publishing site', version: 'v1' })
  expect(security).toEqual([{}, { token: [] }])
  expect(components.securitySchemes).toEqual({ token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } })
})
