import type { Context } from 'koa'
import { forbidden, invalidField, type PrismApi } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { badParameter, expectAnswer, expectErrors, invalid } from '../support/answers.ts'
import { origin, users } from '../support/api.ts'
import { at, documentOf, identifier, jsonapi, postResource, sparse, tagResource } from '../support/row-documents.ts'
import { exampleWith, useServers } from '../support/servers.ts'

/** Routes of the application's own; the rows are those that a route would have read. */
const routes: Record<string, (api: PrismApi, ctx: Context) => Promise<void>> = {
  '/one': (api, ctx) => api.respond(ctx, 'v1').data('Post', { id: 1 }),
  '/hidden': (api, ctx) => api.respond(ctx, 'v1').data('Post', { id: 5 }),
  '/none': (api, ctx) => api.respond(ctx, 'v1').data('Post', null),
  '/many': (api, ctx) => api.respond(ctx, 'v1').data('Post', [{ id: 5 }, { id: 2 }, { id: 1 }, { id: 2 }]),
  '/empty': (api, ctx) => api.respond(ctx, 'v1').data('Tag', []),
  '/made': (api, ctx) => api.respond(ctx, 'v1').data('Tag', { id: 2 }, { status: 201 }),
  '/meta': (api, ctx) => api.respond(ctx, 'v1').meta({ rows: 3 }, { status: 202 }),
  '/error': (api, ctx) => api.respond(ctx, 'v1').errors(forbidden('Not here.')),
  '/errors': (api, ctx) =>
    api
      .respond(ctx, 'v1')
      .errors(
        forbidden('Not here.'),
        invalidField({ detail: 'The name is invalid.', pointer: '/meta/name', code: 'name' }),
      ),
  '/nonsense': (api, ctx) => api.respond(ctx, 'v1').data('Tag', [{ name: 'nameless' }]),
  '/nowhere': async (api, ctx) => {
    try {
      api.respond(ctx, 'v9')
    } catch (error) {
      await api.respond(ctx, 'v1').meta({ message: (error as Error).message })
    }
  },
}

const api = useServers(async () => ({
  ...(await exampleWith(V1)),
  before: (prismapi) => (ctx, next) => routes[ctx.path]?.(prismapi, ctx) ?? next(),
}))
const guest: ReturnType<typeof api.as> = (...args) => api.as(null)(...args)
const posts = (...ids: number[]) => api.db.post.findMany({ where: { id: { in: ids } }, orderBy: { id: 'desc' } })

describe('data', () => {
  test('one row is a resource, which has its own URL', async () => {
    const [row] = await posts(1)
    if (row) expectAnswer(await guest('GET', '/one'), 200, documentOf(at('/posts/1'), postResource(row)))
    expect.assertions(1)
  })

  test('the headers are those of the server', async () => {
    const { headers } = await guest('GET', '/one')
    expect(headers.get('Content-Type')).toBe('application/vnd.api+json')
    expect(headers.get('Vary')).toBe('Accept')
    expect(headers.get('Cache-Control')).toBe('private, no-cache')
  })

  test('several rows are a collection in the order given, each once, without those that the caller may not see', async () => {
    const rows = await posts(2, 1)
    expectAnswer(
      await guest('GET', '/many'),
      200,
      documentOf(
        `${origin}/many`,
        rows.map((row) => postResource(row)),
      ),
    )
    const { body } = await api.as(users.admin)('GET', '/many')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['5', '2', '1'])
  })

  test.each(['/hidden', '/none'])('a row that is hidden, and none, are null: %s', async (path) => {
    expectAnswer(await guest('GET', path), 200, documentOf(`${origin}${path}`, null))
  })

  test('no rows are an empty collection', async () => {
    expectAnswer(await guest('GET', '/empty'), 200, documentOf(`${origin}/empty`, []))
  })

  test('with a status of its own', async () => {
    const tag = await api.db.tag.findUniqueOrThrow({ where: { id: 2 } })
    expectAnswer(await guest('POST', '/made'), 201, documentOf(at('/tags/2'), tagResource(tag)))
  })

  test('include and fields of the URL are honoured, other parameters are the route’s', async () => {
    const query = { include: 'author', 'fields[posts]': 'author', 'fields[users]': 'name', page: 3, month: '2024-05' }
    const path = `/one?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)] as [string, string]))}`
    const row = await api.db.post.findUniqueOrThrow({ where: { id: 1 }, include: { author: true } })
    const { relationships } = postResource(row, { author: identifier('users', row.authorId) })
    expectAnswer(
      await guest('GET', path),
      200,
      documentOf(
        at('/posts/1', query),
        { ...sparse('posts', 1), relationships: { author: relationships.author } },
        { included: [sparse('users', row.authorId, { name: row.author.name })] },
      ),
    )
  })

  test('a path that leads nowhere is an error document', async () => {
    expectErrors(
      await guest('GET', '/one?include=nobody'),
      badParameter('include', 'Include path nobody is not allowed.'),
    )
  })

  test('credentials that are wrong are an error document', async () => {
    const answer = await guest('GET', '/one', { headers: { Authorization: 'Bearer wrong' } })
    expectErrors(answer, { status: '401', title: 'Unauthorized', detail: expect.any(String) })
  })

  test('rows that do not say which they are are a mistake of the route: 500', async () => {
    const answer = await guest('GET', '/nonsense')
    expectErrors(answer, { status: '500', title: 'Internal Server Error', id: expect.any(String) })
  })
})

test('meta', async () => {
  const links = { self: `${origin}/meta?a=b` }
  expectAnswer(await guest('GET', '/meta?a=b'), 202, { jsonapi, links, meta: { rows: 3 } })
})

test('one error, and several, with the status that they share', async () => {
  const error = { status: '403', title: 'Forbidden', detail: 'Not here.' }
  const answer = await guest('GET', '/error')
  expectErrors(answer, error)
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expectAnswer(await guest('GET', '/errors'), 400, {
    jsonapi,
    errors: [error, invalid('name', 'The name is invalid.', '/meta/name')],
  })
})

test('a server that there is not', async () => {
  const { body } = await guest('GET', '/nowhere')
  expect(body.meta).toEqual({ message: 'There is no server v9. There are: v1.' })
})
