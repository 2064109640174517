import type { CompiledServer } from '@prismapi/core/server/compile'
import { everybody } from '@prismapi/openapi/caller'
import { openApiDocument } from '@prismapi/openapi/document'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { badParameter } from '../../support/answers.ts'
import { openTestDatabase } from '../../support/database.ts'
import { type Database, type Running, startServers, theExample } from '../../support/servers.ts'

let database: Database
let running: Running
beforeAll(async () => {
  database = await openTestDatabase()
  running = await startServers(database, await theExample())
})
afterAll(async () => {
  await running.close()
  await database.close()
})

const serverOf = (name: string) => running.api.servers.find((each) => each.name === name) as CompiledServer
const documentOf = async (query: string) => (await running.as(1)('GET', `/api/v1/openapi.json${query}`)).body

describe('a part of the OpenAPI document', () => {
  test('has the paths of its types as the whole has them, and what these refer to', async () => {
    const [whole, part] = [await documentOf(''), await documentOf('?types=tags,profiles')]
    const own = Object.keys(whole.paths).filter((path) =>
      /^\/api\/v1(\/openapi\.json|\/(tags|profiles)\b.*)?$/.test(path),
    )
    expect(Object.keys(part.paths)).toEqual(own)
    const { '/api/v1/openapi.json': itself, ...paths } = part.paths
    expect(whole.paths).toMatchObject(paths)
    expect(itself.get.parameters[0].schema.items.enum).toEqual(['profiles', 'tags'])
    expect(part.tags.map(({ name }: { name: string }) => name)).toEqual(['profiles', 'tags'])
    const { included, ...schemas } = part.components.schemas
    expect(whole.components.schemas).toMatchObject(schemas)
    expect(included.items.anyOf.map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1))).toEqual(
      ['profiles', 'tags', 'users', 'posts', 'videos'].map((type) => `${type}.resource`),
    )
    expect(Object.keys(schemas)).not.toContain('comments.resource')
    expect(await new Validator().validate(part)).toEqual({ valid: true })
  })

  test('has another entity tag than others, and the same for the same types in another order', async () => {
    const tagOf = async (query: string) =>
      (await running.as(1)('GET', `/api/v1/openapi.json${query}`)).headers.get('ETag')
    const [one, same, other, whole] = [
      await tagOf('?types=tags,users'),
      await tagOf('?types=users&types=tags'),
      await tagOf('?types=tags'),
      await tagOf(''),
    ]
    expect(one).toBe(same)
    expect(new Set([one, other, whole]).size).toBe(3)
  })

  test.each(['/api/v1/openapi.json', '/api/v1/docs'])('of %s is one of types that there are', async (path) => {
    const { status, body } = await running.as(null)('GET', `${path}?types=tags,nonsense,`, {
      headers: { Accept: '*/*' },
    })
    const unknown = (type: string) => badParameter('types', `The server has no resource type ${type}.`)
    expect([status, body.errors]).toEqual([400, [unknown('nonsense'), unknown('')]])
  })
})

describe.each(['v1', 'v2'])('the OpenAPI document of %s', (name) => {
  const document = () =>
    openApiDocument(serverOf(name)) as {
      readonly info: { readonly description: string }
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
      readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
    }
  interface Operation {
    readonly parameters?: readonly { readonly $ref?: string }[]
    readonly responses: Readonly<Record<string, object>>
  }
  const operationsOf = ({ paths }: ReturnType<typeof document>) =>
    Object.values(paths).flatMap(({ parameters: _, ...methods }) => Object.values(methods))

  test('says that each operation may be answered by an error, and once which there are', () => {
    const { components } = document()
    const error = { $ref: '#/components/responses/4XX' }
    for (const { responses } of operationsOf(document())) expect(responses).toMatchObject({ '4XX': error })
    expect(components.responses?.['4XX']).toMatchObject({
      description: expect.stringContaining(
        '- 404 Not Found. There is no such resource, or none that the caller may see.',
      ),
      content: { 'application/vnd.api+json': { schema: { $ref: '#/components/schemas/errors' } } },
    })
    expect(document().info.description).toContain('Every operation may fail with 5XX and a document of errors, too')
  })

  test('says once what GET takes at the URLs of relations', () => {
    expect(document().info.description).toContain(
      'At the URLs of relations, too, GET takes `If-None-Match`, and may be answered by 304.',
    )
  })

  test('lists the filters of a type by field at its URL, and at those of relations one for all of them', () => {
    const { paths, components } = document()
    const listed = (path: string) =>
      (paths[`/api/${name}/${path}`]?.get?.parameters ?? []).flatMap(({ $ref = '' }) =>
        /\/filter/.test($ref) ? [$ref.slice('#/components/parameters/'.length)] : [],
      )
    const title = listed('posts').find((each) => each.startsWith('filters.title-')) as string
    expect(listed('posts').map((each) => each.replace(/-\w+$/, ''))).toEqual(
      expect.arrayContaining(['filters.id', 'filters.title', 'filters.author']),
    )
    expect(listed('tags/{id}/posts')).toEqual(['filter'])
    expect(components.parameters?.[title]).toEqual({
      name: 'filter[title]',
      in: 'query',
      description: expect.any(String),
      style: 'deepObject',
      explode: true,
      schema: { $ref: expect.stringMatching(/^#\/components\/schemas\/filter-text/) },
    })
    expect(components.parameters?.filter).toMatchObject({
      name: 'filter',
      style: 'deepObject',
      schema: { type: 'object', additionalProperties: true },
    })
  })

  test('has no component that nothing refers to, and none twice', () => {
    const { components, ...rest } = document()
    const text = JSON.stringify([rest, components])
    const all = Object.entries(components).flatMap(([family, parts]) =>
      family === 'securitySchemes'
        ? []
        : Object.entries(parts).map(([each, part]) => [`#/components/${family}/${each}`, part] as const),
    )
    expect(all.filter(([ref]) => !text.includes(`"${ref}"`)).map(([ref]) => ref)).toEqual([])
    // Orders and figures are called by their types.
    const shared = all.filter(([ref]) => /\/(?:responses|requestBodies)\/|\/parameters\/(?:filter|page)s/.test(ref))
    const texts = shared.map(([, part]) => JSON.stringify(part))
    expect(texts.filter((each, at) => texts.indexOf(each) < at)).toEqual([])
  })
})

test('a caller who may not ask for a type at its own URL is told of its filters where it is related', async () => {
  const server = serverOf('v1')
  const audience = { ...everybody(server), has: (id: string) => id !== 'comments.viewAny' }
  const { paths } = openApiDocument(server, audience) as {
    readonly paths: Readonly<
      Record<string, { readonly get: { readonly parameters: readonly { readonly $ref: string }[] } }>
    >
  }
  const refs = paths['/api/v1/posts/{id}/comments']?.get.parameters.map(({ $ref }) => $ref)
  expect(refs).toContainEqual(expect.stringContaining('#/components/parameters/filters.content-'))
  expect(refs).not.toContain('#/components/parameters/filter')
})
