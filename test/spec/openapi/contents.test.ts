import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { inPlace } from '../../support/openapi-in-place.ts'

const api = useApi()

const documentOf = async (name: string) => (await api.as(users.admin).get(`/api/${name}/openapi.json`)).body
const schemasOf = async (name: string) => (await documentOf(name)).components.schemas
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const toMany = (type: string) => ({ type: 'array', items: ref(`${type}.identifier`) })
const relationship = (data: object) => ({
  type: 'object',
  description: 'The relationship from now on.',
  required: ['data'],
  properties: { data },
})

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
            properties: { author: { $ref: expect.any(String) }, commentable: relationship(commentable) },
            required: ['commentable'],
          },
          meta: { type: 'object' },
        },
      },
    },
  })
})

test('a relationship to one type is sent as all to that type are', async () => {
  const schemas = await schemasOf('v1')
  const { author } = schemas['comments.create'].properties.data.properties.relationships.properties
  expect(schemas[author.$ref.slice('#/components/schemas/'.length)]).toEqual(relationship(ref('users.identifier')))
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
  const schemas = await schemasOf('v2')
  const { 'videos.resource': schema } = schemas
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
  const data = Object.entries<{ $ref: string }>(relationships.properties).map(([name, { $ref }]) => [
    name,
    schemas[$ref.slice('#/components/schemas/'.length)].properties.data,
  ])
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
  const document = inPlace(await documentOf('v2'), 'parameters')
  const asked = (type: string, start: string) =>
    document.paths[`/api/v2/${type}`].get.parameters.filter(({ name }: { name: string }) => name.startsWith(start))
  expect(asked('posts', 'page').map(({ name, schema }: { name: string; schema: object }) => [name, schema])).toEqual([
    ['page[size]', { type: 'integer', minimum: 1, maximum: 100 }],
    ['page[after]', { type: 'string' }],
    ['page[before]', { type: 'string' }],
  ])
  expect(asked('tags', 'page')).toEqual([])
  expect(asked('comments', 'sort')).toEqual([])
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
    const document = inPlace(await documentOf('v2'), 'parameters')
    const said = (path: string) => {
      const [type, field] = path.split('.')
      const { parameters } = document.paths[`/api/v2/${type}`].get
      const { description, schema } = parameters.find(({ name }: { name: string }) => name === `filter[${field}]`)
      const compared = document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)]
      const [alone, { properties }] = compared.anyOf
      const byOperator = Object.entries<{ readonly description: string }>(properties)
      return {
        [path]: [description, alone.description],
        ...Object.fromEntries(byOperator.map(([operator, each]) => [`${path}.${operator}`, each.description])),
      }
    }
    const ignoringCase = {
      'posts.synopsis.iequals': 'It is this text, ignoring case.',
      'posts.synopsis.icontains': 'It contains this text, ignoring case.',
      'posts.synopsis.istartsWith': 'It begins with this text, ignoring case.',
      'posts.synopsis.iendsWith': 'It ends with this text, ignoring case.',
    }
    expect(said('posts.synopsis')).toEqual({
      ...(provider === 'postgresql' && ignoringCase),
      'posts.synopsis': ['A summary for lists.', 'It is one of these texts.'],
      'posts.synopsis.equals': 'It is this text.',
      'posts.synopsis.in': 'It is one of these texts.',
      'posts.synopsis.not': 'It is neither this text nor null.',
      'posts.synopsis.notIn': 'It is neither null nor one of these texts.',
      'posts.synopsis.lt': 'It comes before this text.',
      'posts.synopsis.lte': 'It is this text or comes before it.',
      'posts.synopsis.gt': 'It comes after this text.',
      'posts.synopsis.gte': 'It is this text or comes after it.',
      'posts.synopsis.contains': 'It contains this text.',
      'posts.synopsis.startsWith': 'It begins with this text.',
      'posts.synopsis.endsWith': 'It ends with this text.',
      'posts.synopsis.isNull': 'Whether it is null.',
    })
    expect(said('posts.title')).toMatchObject({
      'posts.title.lt': 'It comes before this text.',
      'posts.title.lte': 'It is this text or comes before it.',
    })
    expect(said('videos.rating')).toEqual({
      'videos.rating': ['From 0 to 5 stars.', 'It is one of these numbers.'],
      'videos.rating.equals': 'It is this number.',
      'videos.rating.in': 'It is one of these numbers.',
      'videos.rating.not': 'It is neither this number nor null.',
      'videos.rating.notIn': 'It is neither null nor one of these numbers.',
      'videos.rating.lt': 'It is less than this number.',
      'videos.rating.lte': 'It is at most this number.',
      'videos.rating.gt': 'It is more than this number.',
      'videos.rating.gte': 'It is at least this number.',
      'videos.rating.isNull': 'Whether it is null.',
    })
    expect({ ...said('videos.createdAt'), ...said('videos.featured') }).toMatchObject({
      'videos.createdAt.lt': 'It is before this instant.',
      'videos.createdAt.lte': 'It is at or before this instant.',
      'videos.createdAt.gt': 'It is after this instant.',
      'videos.createdAt.gte': 'It is at or after this instant.',
      'videos.featured': ['Whether it is shown on the front page.', 'It is one of these values.'],
      'videos.featured.equals': 'It is this value.',
      'videos.featured.in': 'It is one of these values.',
      'videos.featured.not': 'It is not this value.',
    })
    expect({ ...said('videos.owner'), ...said('videos.tags') }).toEqual({
      'videos.owner': ['Conditions on `owner`.', 'It has one of these ids.'],
      'videos.owner.equals': 'It has this id.',
      'videos.owner.in': 'It has one of these ids.',
      'videos.owner.not': 'It has an id, and it is not this one.',
      'videos.owner.notIn': 'It has an id, and it is none of these.',
      'videos.owner.exists': 'Whether it leads to a resource.',
      'videos.owner.isNull': 'Whether it leads to no resource.',
      'videos.tags': ['Conditions on `tags`.', 'It has a resource with one of these ids.'],
      'videos.tags.equals': 'It has a resource with this id.',
      'videos.tags.in': 'It has a resource with one of these ids.',
      'videos.tags.exists': 'Whether it leads to a resource.',
    })
  })
})
