import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultLimits } from '@prismapi/jsonapi/request/limits'
import Koa from 'koa'
import { onClientError, Schema, Server, serverOptions } from 'prismapi'
import type { Limits } from 'prismapi/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mediaType } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { raw } from '../../support/raw.ts'
import { type Database, plain, type Running, startServers } from '../../support/servers.ts'

// S16, S17: each limit has a default and can be set; what equals it passes, and one above is refused with a 4xx that says so.

const small: Partial<Limits> = {
  bodyBytes: 700,
  parsedBytes: 6000,
  bodyDepth: 6,
  maxPageSize: 7,
  resources: 5000,
  documentBytes: 1_000_000,
  includeDepth: 2,
  includePaths: 2,
  sortKeys: 2,
  filterTerms: 3,
  filterDepth: 2,
  filterValues: 3,
  filterLength: 9,
  searchLength: 7,
  linkage: 2,
  operations: 2,
  urlLength: 600,
  parameters: 4,
  headers: 8,
}

class Everything extends Schema {}
const schemas = new Map(['User', 'Profile', 'Post', 'Tag', 'Video', 'Comment'].map((model) => [model, Everything]))

abstract class Open extends Server {
  override readonly version = '1.1'
  override readonly ignoresUnknownParameters = true
  override authorizable() {
    return false
  }
}
class Usual extends Open {
  override readonly name = 'usual'
}
class Small extends Open {
  override readonly name = 'small'
  override readonly limits = small
}

let database: Database
let running: Running
beforeAll(async () => {
  database = await openTestDatabase()
  const servers = [Usual, Small].map((server) => plain(server, { schemas: schemas as never }))
  // How long a write may take is a limit of its own.
  const transactions = { timeout: 60_000, holdMilliseconds: 60_000 }
  running = await startServers(database, { policies: new Map(), servers, transactions })
})
afterAll(async () => {
  await running.close()
  await database.close()
})

interface Probe {
  readonly method?: string
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function statusOf(server: string, { method = 'GET', path, body, headers = {} }: Probe) {
  const type = { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(body ?? '')) }
  const answer = await raw(`${running.at}/api/${server}${path}`, {
    method,
    headers: { ...(body !== undefined && type), ...headers },
    ...(body !== undefined && { body }),
  })
  const [{ detail, source }] = answer.body?.errors ?? [{}]
  return { status: answer.status, ...(detail && { detail }), ...(source?.parameter && { at: source.parameter }) }
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const relations = ['author', 'posts']
/** `author.posts.author…` from a post. */
const hops = (count: number) => times(count, (n) => relations[n % 2]).join('.')
/** Paths that a post has, more than may be included at one time. */
const paths = ['', '.posts', '.comments', '.videos', '.profile', '.posts.tags', '.posts.author', '.posts.comments']
  .map((rest) => `author${rest}`)
  .concat(['author.comments.author', 'author.videos.tags', 'author.videos.owner', 'author.profile.user'])
  .concat(
    ['', '.posts', '.videos', '.posts.tags', '.posts.author', '.videos.owner', '.videos.tags'].map(
      (rest) => `tags${rest}`,
    ),
  )
  .concat(['', '.author', '.author.posts'].map((rest) => `comments${rest}`))
const tag = (rest: string) => `{"data":{"type":"tags","attributes":{"name":"n${Math.random()}"}}${rest}}`
const nested = (levels: number) => `,"meta":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`
const identifiers = (count: number) => times(count, (n) => ({ type: 'posts', id: String(n + 100_000) }))
const atomic = `${mediaType};ext="https://jsonapi.org/ext/atomic"`
const addNothing = { op: 'add', ref: { type: 'posts', id: '1', relationship: 'tags' }, data: [] }

/** A request that needs so much, what it gets if that is allowed, and what is said otherwise. */
const limits: readonly [keyof Limits, (amount: number) => Probe, number, number, string | null][] = [
  [
    'bodyBytes',
    (n) => ({ method: 'POST', path: '/tags', body: tag('').padEnd(n) }),
    201,
    413,
    'must not be larger than',
  ],
  ['bodyDepth', (n) => ({ method: 'POST', path: '/tags', body: tag(nested(n - 2)) }), 201, 400, 'nest deeper than'],
  ['maxPageSize', (n) => ({ path: `/posts?page[size]=${n}` }), 200, 400, 'must not be greater than'],
  ['includeDepth', (n) => ({ path: `/posts/1?include=${hops(n)}` }), 200, 400, null],
  ['includePaths', (n) => ({ path: `/posts/1?include=${paths.slice(0, n)}` }), 200, 400, null],
  [
    'sortKeys',
    (n) => ({ path: `/posts?sort=${['title', 'slug', 'content', 'createdAt', 'updatedAt', 'synopsis'].slice(0, n)}` }),
    200,
    400,
    null,
  ],
  [
    'filterTerms',
    (n) => ({ path: `/posts?${times(n, (i) => `filter[or][${i}][id]=1`).join('&')}` }),
    200,
    400,
    'terms',
  ],
  ['filterDepth', (n) => ({ path: `/posts?filter[${hops(n)}.${n % 2 ? 'name' : 'title'}]=x` }), 200, 400, 'deep'],
  ['filterValues', (n) => ({ path: `/posts?filter[id]=${times(n, (i) => i + 1)}` }), 200, 400, 'values in one list'],
  ['filterLength', (n) => ({ path: `/posts?filter[title]=${'x'.repeat(n)}` }), 200, 400, 'longer than'],
  ['searchLength', (n) => ({ path: `/posts?filter[title][contains]=${'x'.repeat(n)}` }), 200, 400, 'longer than'],
  [
    'linkage',
    (n) => ({ method: 'PATCH', path: '/tags/1/relationships/posts', body: JSON.stringify({ data: identifiers(n) }) }),
    404,
    400,
    'cannot have more than',
  ],
  [
    'operations',
    (n) => ({
      method: 'POST',
      path: '/operations',
      body: JSON.stringify({ 'atomic:operations': times(n, () => addNothing) }),
      headers: { 'Content-Type': atomic },
    }),
    204,
    400,
    null,
  ],
  ['parameters', (n) => ({ path: `/posts?${times(n, (i) => `x${i}=1`).join('&')}` }), 200, 400, 'parameters'],
  // Host and Connection are of every request.
  [
    'headers',
    (n) => ({ path: '/posts/1', headers: Object.fromEntries(times(n - 2, (i) => [`X-${i}`, '1'])) }),
    200,
    431,
    'header fields',
  ],
]

describe.each(['usual', 'small'])('on the server %s', (server) => {
  const limitOf = (name: keyof Limits): number => ({ ...defaultLimits, ...(server === 'small' && small) })[name]

  test.each(limits)('%s', async (name, probe, passes, refused, words) => {
    const limit = limitOf(name)
    expect(await statusOf(server, probe(limit))).toMatchObject({ status: passes })
    const answer = await statusOf(server, probe(limit + 1))
    expect(answer).toMatchObject({ status: refused, detail: expect.stringContaining(words ?? '') })
    expect(answer.detail).toMatch(new RegExp(`\\b${limit}\\b`))
  })

  test('parsedBytes', async () => {
    const limit = limitOf('parsedBytes')
    // Each empty array takes 56 bytes, and four and a half for its text; the members around them take 1,460.
    const listed = (bytes: number) => tag(`,"meta":{"x":[${times(Math.floor((bytes - 1460) / 60.5), () => '[]')}]}`)
    const detail = `The request body must not take more than ${limit} bytes once it is parsed.`
    const probe = { method: 'POST', path: '/tags' }
    expect(await statusOf(server, { ...probe, body: listed(0.98 * limit) })).toMatchObject({ status: 201 })
    expect(await statusOf(server, { ...probe, body: listed(1.02 * limit) })).toEqual({ status: 400, detail })
  })

  test('urlLength', async () => {
    const limit = limitOf('urlLength')
    const path = (length: number) => ({ path: '/posts/'.padEnd(length - `/api/${server}`.length, 'x') })
    expect(await statusOf(server, path(limit))).toMatchObject({ status: 404 })
    expect(await statusOf(server, path(limit + 1))).toEqual({ status: 414, detail: 'The URL is too long.' })
  })
})

test('each limit is tried, but for the time', () => {
  const tried = [
    ...limits.map(([name]) => name),
    'urlLength',
    // By test/features/query-method.test.ts.
    'queryBytes',
    // By test/features/exports-that-end.test.ts.
    'exportRows',
    'parsedBytes',
    'requestMilliseconds',
    'cost',
    'resources',
    'documentBytes',
  ]
  expect(tried.sort()).toEqual(Object.keys(defaultLimits).sort())
})

test.each([
  [{ bodyByte: 3 }, /^Server small: limits\.bodyByte is no limit\. Limits are: bodyBytes, /],
  [{ bodyBytes: -1 }, /^Server small: limits\.bodyBytes is -1\. Make it a number from 0 on/],
  [{ bodyBytes: Number.NaN }, /limits\.bodyBytes is NaN/],
  [{ bodyBytes: '1mb' }, /limits\.bodyBytes is 1mb/],
])('%j is refused at boot', async (limits, message) => {
  class Wrong extends Small {
    override readonly limits = limits as never
  }
  const servers = [plain(Wrong, { schemas: schemas as never })]
  await expect(startServers(database, { policies: new Map(), servers })).rejects.toThrow(message)
})

describe('serverOptions limit what Node reads', () => {
  test('headers of 15 KB pass, and of 17 KB are 431 with a document', async () => {
    const koa = new Koa().use((ctx) => {
      ctx.status = 204
    })
    const server = createServer(serverOptions, koa.callback()).on('clientError', onClientError)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect((await raw(url, { headers: { 'X-Long': 'x'.repeat(15_000) } })).status).toBe(204)
    const { status, body } = await raw(url, { headers: { 'X-Long': 'x'.repeat(17_000) } })
    const title = 'Request Header Fields Too Large'
    expect({ status, body }).toEqual({
      status: 431,
      body: { jsonapi: { version: '1.0' }, errors: [{ status: '431', title }] },
    })
    await new Promise((resolve) => server.close(resolve))
  })

  test('a client that is slow with its request has 10 s for headers and 30 s for all of it', () => {
    expect(serverOptions).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 })
  })
})
