import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'

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
    description: 'A document that creates a comment.',
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
    description: 'A document that updates a tag.',
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
  const description = 'A token, which `npm run token` prints.'
  expect(components.securitySchemes).toEqual({
    token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description },
  })
})

describe('what is said of parts', () => {
  type Parts = Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
  const operationsOf = (document: any): readonly [string, any][] =>
    Object.entries<object>(document.paths).flatMap(([url, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        method === 'parameters' ? [] : [[`${method} ${url}`, operation] as [string, object]],
      ),
    )
  const silentIn = (where: string, parts: Parts): readonly string[] =>
    Object.entries(parts).flatMap(([name, { description, $ref }]) => (description || $ref ? [] : [`${where} ${name}`]))

  test.each(['v1', 'v2'])(
    'every parameter, schema, body, response and header of %s has a description',
    async (name) => {
      const document = await documentOf(name)
      const named = Object.entries<Parts>(document.components).flatMap(([family, parts]) => silentIn(family, parts))
      const inPlace = operationsOf(document).flatMap(([at, { parameters = [], requestBody, responses }]) => [
        ...silentIn(at, requestBody ? { requestBody } : {}),
        ...silentIn(at, Object.fromEntries(parameters.map((each: { readonly name: string }) => [each.name, each]))),
        ...silentIn(at, responses),
        ...Object.values<{ readonly headers?: Parts }>(responses).flatMap(({ headers = {} }) => silentIn(at, headers)),
      ])
      expect([...named, ...inPlace]).toEqual([])
    },
  )

  test('filters say what they find, and the first of a field what the Prisma schema says of it', async () => {
    const { parameters } = (await documentOf('v2')).components
    const said = (field: string) =>
      Object.fromEntries(
        Object.entries<{ readonly description: string }>(parameters).flatMap(([name, { description }]) =>
          name.startsWith(`filter.${field}`) ? [[name.slice('filter.'.length), description]] : [],
        ),
      )
    const ignoringCase = {
      'posts.synopsis.iequals': '`synopsis` is this text, ignoring case.',
      'posts.synopsis.icontains': '`synopsis` contains this text, ignoring case.',
      'posts.synopsis.istartsWith': '`synopsis` begins with this text, ignoring case.',
      'posts.synopsis.iendsWith': '`synopsis` ends with this text, ignoring case.',
    }
    expect({ ...said('posts.synopsis'), ...said('posts.title.lt') }).toEqual({
      ...(provider === 'postgresql' && ignoringCase),
      'posts.synopsis': '`synopsis` is one of these texts. A summary for lists.',
      'posts.synopsis.equals': '`synopsis` is this text.',
      'posts.synopsis.in': '`synopsis` is one of these texts.',
      'posts.synopsis.not': '`synopsis` is neither this text nor null.',
      'posts.synopsis.notIn': '`synopsis` is neither null nor one of these texts.',
      'posts.synopsis.lt': '`synopsis` comes before this text.',
      'posts.synopsis.lte': '`synopsis` is this text or comes before it.',
      'posts.synopsis.gt': '`synopsis` comes after this text.',
      'posts.synopsis.gte': '`synopsis` is this text or comes after it.',
      'posts.synopsis.contains': '`synopsis` contains this text.',
      'posts.synopsis.startsWith': '`synopsis` begins with this text.',
      'posts.synopsis.endsWith': '`synopsis` ends with this text.',
      'posts.synopsis.isNull': 'Whether `synopsis` is null.',
      'posts.title.lt': '`title` comes before this text.',
      'posts.title.lte': '`title` is this text or comes before it.',
    })
    expect(said('videos.rating')).toEqual({
      'videos.rating': '`rating` is one of these numbers. From 0 to 5 stars.',
      'videos.rating.equals': '`rating` is this number.',
      'videos.rating.in': '`rating` is one of these numbers.',
      'videos.rating.not': '`rating` is neither this number nor null.',
      'videos.rating.notIn': '`rating` is neither null nor one of these numbers.',
      'videos.rating.lt': '`rating` is less than this number.',
      'videos.rating.lte': '`rating` is at most this number.',
      'videos.rating.gt': '`rating` is more than this number.',
      'videos.rating.gte': '`rating` is at least this number.',
      'videos.rating.isNull': 'Whether `rating` is null.',
    })
    expect({ ...said('videos.createdAt.lt'), ...said('videos.createdAt.gt'), ...said('videos.featured') }).toEqual({
      'videos.createdAt.lt': '`createdAt` is before this instant.',
      'videos.createdAt.lte': '`createdAt` is at or before this instant.',
      'videos.createdAt.gt': '`createdAt` is after this instant.',
      'videos.createdAt.gte': '`createdAt` is at or after this instant.',
      'videos.featured': '`featured` is one of these values. Whether it is shown on the front page.',
      'videos.featured.equals': '`featured` is this value.',
      'videos.featured.in': '`featured` is one of these values.',
      'videos.featured.not': '`featured` is not this value.',
    })
    expect({ ...said('videos.owner'), ...said('videos.tags') }).toEqual({
      'videos.owner': '`owner` has one of these ids.',
      'videos.owner.equals': '`owner` has this id.',
      'videos.owner.in': '`owner` has one of these ids.',
      'videos.owner.not': '`owner` has an id, and it is not this one.',
      'videos.owner.notIn': '`owner` has an id, and it is none of these.',
      'videos.owner.exists': 'Whether `owner` leads to a resource.',
      'videos.owner.isNull': 'Whether `owner` leads to no resource.',
      'videos.tags': '`tags` has a resource with one of these ids.',
      'videos.tags.equals': '`tags` has a resource with this id.',
      'videos.tags.in': '`tags` has a resource with one of these ids.',
      'videos.tags.exists': 'Whether `tags` leads to a resource.',
    })
  })
})
