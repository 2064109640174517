import { describe, expect, test } from 'vitest'
import { changesBetween, diff, documentOf, edited, inferredOf, served } from '../../../../test/support/api-files.ts'
import { inPlace } from '../../../../test/support/openapi-in-place.ts'
import { readSurface } from '../../src/diff/read-surface.ts'
import type { Surface } from '../../src/diff/surface.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is edited wherever one could be edited by hand
type Document = any
type Edit = (document: Document) => void

const bearer = { type: 'http', scheme: 'bearer' }
const documentWith = (...schemes: readonly (readonly [name: string, scheme: object])[]) =>
  documentOf(served({ openapi: { securitySchemes: Object.fromEntries(schemes) } }))
const secured = inPlace(documentWith(['token', bearer]), 'responses')

const after = (...edits: readonly Edit[]): Document => {
  const document = structuredClone(secured)
  for (const edit of edits) edit(document)
  return document
}

const scheme =
  (known: object): Edit =>
  ({ components }) => {
    components.securitySchemes.token = known
  }

const guestless: Edit = ({ paths }) => {
  paths['/api/v1/posts'].get.security = [{ token: [] }]
}
const noToken: Edit = ({ paths }) => {
  paths['/api/v1/posts'].get.security = [{}]
}

const demanding: Edit = ({ components }) => {
  components.schemas['posts.update'].properties.data.properties.attributes.required = ['title']
}
const demandingAny: Edit = ({ components }) => {
  components.schemas['posts.update'].properties.data.required.push('attributes')
}

/** Another media type of what one operation is sent, or answers. */
const retyped =
  (part: (operation: Document) => Document): Edit =>
  ({ paths }) => {
    const holder = part(paths['/api/v1/posts'].post)
    holder.content = { 'application/json': holder.content['application/vnd.api+json'] }
  }
const more =
  (part: (operation: Document) => Document): Edit =>
  ({ paths }) => {
    const { content } = part(paths['/api/v1/posts'].post)
    content['application/json'] = content['application/vnd.api+json']
  }

const sent = ({ requestBody }: Document) => requestBody
const shown = ({ responses }: Document) => responses[201]

const unlisted =
  (path: string, ...names: readonly string[]): Edit =>
  ({ paths }) => {
    const operation = paths[`/api/v1/${path}`].get
    operation.parameters = operation.parameters.filter(
      ({ $ref = '' }) => !names.some((name) => $ref.endsWith(`/${name}`)),
    )
  }

type Row = readonly [name: string, now: Document, forth: readonly string[], back: readonly string[], old?: Document]

const rows: readonly Row[] = [
  [
    'a way to sign in that keeps its name',
    after(scheme({ type: 'apiKey', in: 'header', name: 'X-Key' })),
    ['+ API security scheme token: may be header x-key', '- API security scheme token: is never http bearer any more'],
    ['+ API security scheme token: may be http bearer', '- API security scheme token: is never header x-key any more'],
  ],
  [
    'a way to sign in that is told of in other words',
    after(scheme({ type: 'http', scheme: 'Bearer', bearerFormat: 'JWT', description: 'From the account page.' })),
    [],
    [],
  ],
  [
    'one flow of a way to sign in',
    after(
      scheme({
        type: 'oauth2',
        flows: {
          implicit: { authorizationUrl: 'https://a.example/i', scopes: {} },
          password: { tokenUrl: 'https://a.example/t', scopes: {} },
        },
      }),
    ),
    ['+ API security scheme token: may be oauth2 password https://a.example/t'],
    ['- API security scheme token: is never oauth2 password https://a.example/t any more'],
    after(
      scheme({
        type: 'oauth2',
        flows: { implicit: { authorizationUrl: 'https://a.example/i', scopes: { all: 'All.' } } },
      }),
    ),
  ],
  [
    'where it signs in',
    after(scheme({ type: 'openIdConnect', openIdConnectUrl: 'https://b.example' })),
    [
      '+ API security scheme token: may be openIdConnect https://b.example',
      '- API security scheme token: is never openIdConnect https://a.example any more',
    ],
    [
      '+ API security scheme token: may be openIdConnect https://a.example',
      '- API security scheme token: is never openIdConnect https://b.example any more',
    ],
    after(scheme({ type: 'openIdConnect', openIdConnectUrl: 'https://a.example' })),
  ],
  [
    'whether guests may ask',
    after(guestless),
    ['- posts GET /posts without signing in: gone'],
    ['+ posts GET /posts without signing in: new'],
  ],
  [
    'whether an endpoint takes a way to sign in',
    after(noToken),
    ['- posts GET /posts by token: gone'],
    ['+ posts GET /posts by token: new'],
  ],
  [
    'a second way to sign in, at all endpoints',
    documentWith(['token', bearer], ['key', { type: 'apiKey', in: 'query', name: 'key' }]),
    ['+ API security scheme key: new'],
    ['- API security scheme key: gone'],
  ],
  [
    'ways to sign in where there was none',
    secured,
    ['+ API security scheme token: new'],
    ['- API security scheme token: gone'],
    documentOf({}),
  ],
  [
    'whether an update has to have an attribute',
    after(demanding),
    ['- posts PATCH /posts/{id} without attribute title: refused'],
    ['+ posts PATCH /posts/{id} without attribute title: accepted'],
  ],
  [
    'whether an update has to have attributes, one of them by name',
    after(demandingAny, demanding),
    ['- posts PATCH /posts/{id} without attribute title: refused'],
    ['+ posts PATCH /posts/{id} without attribute title: accepted'],
  ],
  [
    'whether an update has to have attributes, whichever they are',
    after(demandingAny),
    ['- posts PATCH /posts/{id} without attributes: refused'],
    ['+ posts PATCH /posts/{id} without attributes: accepted'],
  ],
  [
    'which media type is taken',
    after(retyped(sent)),
    ['+ posts POST /posts takes application/json: new', '- posts POST /posts takes application/vnd.api+json: gone'],
    ['+ posts POST /posts takes application/vnd.api+json: new', '- posts POST /posts takes application/json: gone'],
  ],
  [
    'another media type that is taken as well',
    after(more(sent)),
    ['+ posts POST /posts takes application/json: new'],
    ['- posts POST /posts takes application/json: gone'],
  ],
  [
    'which media type an answer has',
    after(retyped(shown)),
    ['+ posts POST /posts answers application/json: new', '- posts POST /posts answers application/vnd.api+json: gone'],
    ['+ posts POST /posts answers application/vnd.api+json: new', '- posts POST /posts answers application/json: gone'],
  ],
  [
    'another media type that an answer may have',
    after(more(shown)),
    ['+ posts POST /posts answers application/json: new'],
    ['- posts POST /posts answers application/json: gone'],
  ],
  [
    'which parameters one endpoint has of those of a type',
    after(unlisted('users/{id}/posts', 'sort.posts', 'include.posts'), unlisted('posts', 'If-None-Match')),
    [
      '- posts header If-None-Match of GET /posts: gone',
      '- users include of GET /users/{id}/posts: gone',
      '- users sort of GET /users/{id}/posts: gone',
    ],
    [
      '+ posts header If-None-Match of GET /posts: new',
      '+ users include of GET /users/{id}/posts: new',
      '+ users sort of GET /users/{id}/posts: new',
    ],
  ],
  ['whether an endpoint names sparse fieldsets', after(unlisted('users/{id}/posts', 'fields')), [], []],
]

describe.each(rows)('%s', (_name, now, forth, back, old = secured) => {
  test('that is another', () => expect(changesBetween(readSurface(old), readSurface(now))).toEqual(forth))

  test('that is what it was again', () => expect(changesBetween(readSurface(now), readSurface(old))).toEqual(back))
})

describe('what the ids of a type are, which no document says,', () => {
  const inferred = (id: string) => {
    const [type] = id.split(' ')
    const edits = [['id    Int    @id @default(autoincrement())\n  name', `id ${id}\n  name`]] as const
    return inferredOf(edited(...edits, ['authorId Int\n', `authorId ${type}\n`]).prisma as string)
  }
  const [numbers, large, uuids] = ['Int @id', 'BigInt @id', 'String @id @default(uuid())'].map(inferred) as [
    Surface,
    Surface,
    Surface,
  ]

  test('breaks clients when it is another', () => {
    expect(changesBetween(numbers, uuids)).toContain('- users ids: is String, was integer')
    expect(changesBetween(uuids, numbers)).toContain('- users ids: is integer, was String')
  })

  test('is the same of small and of large numbers', () => {
    expect(changesBetween(numbers, large)).toEqual([])
    expect(changesBetween(large, numbers)).toEqual([])
  })
})

describe('filters of earlier versions', () => {
  const ref = (name: string) => ({ $ref: `#/components/parameters/${name}` })
  const list = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 }
  const contains = { type: 'string' }
  const many = { content: { 'application/vnd.api+json': { schema: { $ref: '#/components/schemas/posts.many' } } } }
  const schemas = {
    'posts.many': { properties: { data: { type: 'array', items: { $ref: '#/components/schemas/posts.resource' } } } },
    'posts.resource': { properties: { type: { const: 'posts' }, attributes: { properties: { title: contains } } } },
  }
  const shownBy = (own: readonly object[], related: readonly object[], components: object) => ({
    openapi: '3.1.0',
    info: { title: 'Blog', version: '1' },
    tags: [{ name: 'users' }, { name: 'posts' }],
    paths: {
      '/v1/openapi.json': { get: { responses: {} } },
      '/v1/posts': { get: { tags: ['posts'], parameters: own, responses: { 200: many } } },
      '/v1/users/{id}/posts': { get: { tags: ['users'], parameters: related, responses: { 200: many } } },
    },
    components: { schemas, ...components },
  })
  const byOperator = [ref('filter.posts.title'), ref('filter.posts.title.contains')]
  const query = (name: string, schema: object) => ({ name, in: 'query', schema })
  const operators = shownBy(byOperator, byOperator, {
    parameters: {
      'filter.posts.title': query('filter[title]', list),
      'filter.posts.title.contains': query('filter[title][contains]', contains),
    },
  })
  const both = { anyOf: [list, { type: 'object', properties: { contains } }] }
  const object = (name: string, schema: object) => ({ ...query(name, schema), style: 'deepObject', explode: true })
  const family = [ref('filter.posts')]
  const families = shownBy(family, family, {
    parameters: { 'filter.posts': object('filter', { type: 'object', properties: { title: both } }) },
  })
  const fields = shownBy([ref('filters.title-abc')], [ref('filter')], {
    parameters: {
      'filters.title-abc': object('filter[title]', { $ref: '#/components/schemas/filter-text-abc' }),
      filter: object('filter', { type: 'object', additionalProperties: true }),
    },
    schemas: { ...schemas, 'filter-text-abc': both },
  })
  const [old, large, now] = [operators, families, fields].map(readSurface) as [Surface, Surface, Surface]

  test('are those of today', () => {
    expect(changesBetween(old, now)).toEqual([])
    expect(changesBetween(now, old)).toEqual([])
    expect(changesBetween(large, now)).toEqual([])
    expect([...now.parts.keys()]).toEqual(
      expect.arrayContaining(['posts filter[title][contains]', 'users filter[title] of GET /users/{id}/posts']),
    )
  })

  test('are gone where the open one of a relation is', () => {
    const without = readSurface({
      ...fields,
      paths: { ...fields.paths, '/v1/users/{id}/posts': shownBy([], [], {}).paths['/v1/users/{id}/posts'] },
    })
    expect(changesBetween(now, without)).toEqual([
      '- users filter[title] of GET /users/{id}/posts: gone',
      '- users filter[title][contains] of GET /users/{id}/posts: gone',
    ])
  })
})

describe('a document that no server of this kind wrote', () => {
  const info = { title: 'Trees', version: '1' }
  const node = (more: object = {}) => ({
    type: 'object',
    properties: {
      parent: { $ref: '#/components/schemas/Node' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      anything: true,
      ...more,
    },
  })
  const foreign = (schema: object) => ({
    openapi: '3.1.0',
    info,
    tags: [{ name: 'trees' }],
    paths: {
      '/trees': {
        get: { tags: ['trees'], operationId: 'trees.viewAny' },
        post: { requestBody: { $ref: '#/components/requestBodies/Tree' } },
      },
    },
    components: {
      requestBodies: { Tree: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } } },
      parameters: {
        'filter.trees.a': { name: 'filter[a]', in: 'query', content: { 'application/json': {} } },
        'sort.trees': { name: 'sort', in: 'query', schema: { type: 'string' } },
      },
      schemas: {
        Node: schema,
        Loop: { anyOf: [{ $ref: '#/components/schemas/Loop' }, { type: 'null' }] },
        'trees.resource': {
          properties: {
            relationships: { properties: { next: { properties: { data: { $ref: '#/components/schemas/Loop' } } } } },
          },
        },
      },
    },
  })

  test('is compared without answers, and with schemas that lead back to themselves', async () => {
    const files = {
      'a.json': JSON.stringify(foreign(node())),
      'b.json': JSON.stringify(foreign(node({ name: { type: 'string' } }))),
    }
    expect(await diff(files, 'a.json', 'a.json')).toEqual({
      status: 0,
      said: 'a.json → a.json: nothing changed for clients',
      complained: '',
    })
    expect(await diff(files, 'b.json', 'a.json')).toEqual({
      status: 1,
      said: `b.json → a.json: 1 change breaks clients, 0 do not

breaking
  API
    document of POST /trees.name: gone`,
      complained: 'error 1 change breaks clients.',
    })
  })

  test('is compared where it has no component at all', async () => {
    const paths = { '/a': { get: { responses: { 200: { description: 'There.' } } }, put: {} } }
    const files = { 'a.json': JSON.stringify({ openapi: '3.1.0', info, paths }) }
    expect(await diff(files, 'a.json', 'a.json')).toMatchObject({ status: 0, complained: '' })
  })
})
