import { compileServer } from '@prismapi/core/server/compile'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import { openApiDocument } from '@prismapi/openapi/document'
import { Server } from 'prismapi'
import { compiledFeatures } from 'prismapi/internal/usual/compiled-features'
import { expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { resourcesOf } from '../../support/resources-of.ts'

// Names that people read: in lists of operations, and as functions of clients that are made of a document.

const api = useApi()

interface Operation {
  readonly operationId: string
  readonly summary: string
}
type Item = Readonly<Record<string, Operation>>

const namesAt = async (paths: readonly string[]) => {
  const { body } = await api.as(users.admin).get('/api/v2/openapi.json')
  return Object.fromEntries(
    paths.map((path) => {
      const { parameters: _, ...item } = body.paths[`/api/v2${path}`] as Item
      return [path, Object.values(item).map(({ operationId, summary }) => [operationId, summary])]
    }),
  )
}

test('operations are called what they do, of one and of many', async () => {
  expect(
    await namesAt([
      '',
      '/openapi.json',
      '/operations',
      '/posts',
      '/posts/{id}',
      '/posts/-stats',
      '/posts/{id}/author',
      '/posts/{id}/relationships/author',
      '/posts/{id}/comments',
      '/videos/{id}/relationships/tags',
      '/users',
      '/posts/{id}/-actions/publish',
    ]),
  ).toEqual({
    '': [['getStart', 'Get the types and their URLs']],
    '/openapi.json': [['getOpenApi', 'Get this document']],
    '/operations': [['runOperations', 'Run several operations, all of them or none']],
    '/posts': [
      ['listPosts', 'List posts'],
      ['createPost', 'Create a post'],
    ],
    '/posts/{id}': [
      ['getPost', 'Get a post'],
      ['updatePost', 'Update a post'],
      ['deletePost', 'Delete a post'],
    ],
    '/posts/-stats': [['getPostStatistics', 'Get statistics of posts']],
    '/posts/{id}/author': [['getPostAuthor', "Get a post's author"]],
    '/posts/{id}/relationships/author': [
      ['getPostAuthorId', "Get the id of a post's author"],
      ['setPostAuthor', "Set a post's author"],
    ],
    '/posts/{id}/comments': [['listPostComments', "List a post's comments"]],
    '/videos/{id}/relationships/tags': [
      ['listVideoTagIds', "List the ids of a video's tags"],
      ['replaceVideoTags', "Replace a video's tags"],
      ['addVideoTags', 'Add tags to a video'],
      ['removeVideoTags', 'Remove tags from a video'],
    ],
    '/users': [
      ['listUsers', 'List users'],
      ['createUser', 'Create a user'],
    ],
    '/posts/{id}/-actions/publish': [['publishPost', 'Publish a post']],
  })
})

class V1 extends Server {
  override readonly name = 'v1'
}

const say = () => {}
const logger = { debug: say, info: say, warn: say, error: say }
const environment = { policies: new Map(), baseUrl: 'https://a.example', production: true, logger }

test('two operations never have one name, and names with several words are words', () => {
  const schema = `
    model Post {
      id       Int        @id
      author   PostAuthor @relation(fields: [authorId], references: [id])
      authorId Int
    }
    model PostAuthor {
      id    Int    @id
      posts Post[]
    }
    model HourlyOrder {
      id Int @id
    }
    model News {
      id Int @id
    }
    model Lens {
      id    Int    @id
      bases Base[]
    }
    model Base {
      id     Int  @id
      lens   Lens @relation(fields: [lensId], references: [id])
      lensId Int
    }`
  const resources = resourcesOf(`datasource db {\n  provider = "postgresql"\n}\n${schema}`, 'postgresql')
  const parts = { server: V1, schemas: new Map(), authorizers: new Map(), requests: new Map() }
  const server = compileServer(parts, {
    ...environment,
    resources,
    cursorSeal: cursorSeal(null),
    features: compiledFeatures,
  })
  const { paths } = openApiDocument(server) as { readonly paths: Readonly<Record<string, Item>> }
  const names = (path: string) =>
    Object.values(paths[`/api/v1${path}`] ?? {}).flatMap(({ operationId, summary }) =>
      operationId ? [[operationId, summary]] : [],
    )
  expect([names('/posts/{id}/author'), names('/post-authors/{id}')[0]]).toEqual([
    [['getPostAuthor2', "Get a post's author"]],
    ['getPostAuthor', 'Get a post author'],
  ])
  expect(names('/hourly-orders/{id}')[0]).toEqual(['getHourlyOrder', 'Get an hourly order'])
  expect(names('/news')).toEqual([
    ['listNews', 'List news'],
    ['createNews', 'Create a news record'],
  ])
  expect(names('/lenses')).toEqual([
    ['listLenses', 'List lenses'],
    ['createLens', 'Create a lens'],
  ])
  expect(names('/lenses/{id}/relationships/bases')[0]).toEqual(['listLensBaseIds', "List the ids of a lens's bases"])
})
