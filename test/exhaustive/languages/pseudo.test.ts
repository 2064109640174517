import type { CompiledServer } from '@prismapi/core/server/compile'
import { eachOf } from '@prismapi/testing/internal/kit/each-of'
import { type RowIds, writingEndpoints } from '@prismapi/testing/internal/kit/fuzz/arbitrary-documents'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mediaType, users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { atomic } from '../../support/idempotency.ts'
import { ownTexts, pseudo, pseudoCatalogue, pseudoTag } from '../../support/pseudo.ts'
import { askedUrls } from '../../support/readers/asked-urls.ts'
import { videoId } from '../../support/seeded.ts'
import {
  type Ask,
  type Database,
  type Running,
  startServers,
  type TextAnswer,
  theExample,
} from '../../support/servers.ts'

// Every refusal that other tests meet, told in a language that has none of the letters of English.

/** What the example says itself. */
const own = ['Only editors may pick.', 'The post is published already.', 'A :attribute has at most :max letters.']
const tag = pseudoTag
const catalogue = pseudoCatalogue(own)

const wordsOf = (text: string): readonly string[] => (text.match(/[A-Za-z]+/g) ?? []).map((word) => word.toLowerCase())
const english = new Set(wordsOf([...ownTexts, ...own].join(' ')))

interface Refused {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

let database: Database
let running: Running
let ask: Ask
/** Names that the server has, and what the formats call members. */
const names = new Set(
  wordsOf('atomic operations results ref href lid op data attributes relationships meta type id upsert by query'),
)
beforeAll(async () => {
  database = await openTestDatabase()
  running = await startServers(database, { ...(await theExample()), languages: { [tag]: catalogue } })
  ask = running.as(users.admin)
  for (const { schemas } of running.api.servers)
    for (const { type, model, attributes, relations } of schemas.byType.values())
      for (const name of [type, model.name, ...attributes.keys(), ...relations.keys()])
        for (const word of wordsOf(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))) names.add(word)
})
afterAll(async () => {
  await running.close()
  await database.close()
})

/** What a client can tell two refusals by, but the texts and the number of a 500. */
const meaningOf = ({ status, body }: TextAnswer) => ({
  status,
  jsonapi: body.jsonapi,
  errors: body.errors.map(({ title: _, detail: __, id: ___, ...error }: Record<string, unknown>) => error),
})

/** The words of the catalogue that are left in a text, but those that the client sent. */
function leftIn(text: string, { method, path, body }: Refused): readonly string[] {
  const sent = new Set(wordsOf(`${method} ${decoded(path)} ${JSON.stringify(body ?? '')}`))
  return wordsOf(text).filter((word) => english.has(word) && !sent.has(word) && !names.has(word))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Sends each request, again in the pseudo language where it is refused; the number of its refusals, by title. */
async function tellAll(requests: readonly Refused[]): Promise<ReadonlyMap<string, number>> {
  const faults: unknown[] = []
  const seen = new Map<string, number>()
  await eachOf(requests, async (request) => {
    const { method, path, headers = {}, body } = request
    const plain = await ask(method, path, { headers, ...(body !== undefined && { body }) })
    if (plain.status < 400 || method === 'HEAD') return
    const told = await ask(method, path, {
      headers: { ...headers, 'Accept-Language': tag },
      ...(body !== undefined && { body }),
    })
    if (told.headers.get('Content-Language') !== tag) faults.push([method, path, told.headers.get('Content-Language')])
    try {
      expect(meaningOf(told)).toEqual(meaningOf(plain))
    } catch (error) {
      faults.push([method, path, (error as Error).message])
    }
    for (const { title, detail = '' } of told.body.errors) {
      seen.set(title, (seen.get(title) ?? 0) + 1)
      const left = [...wordsOf(title), ...leftIn(detail, request)]
      if (left.length > 0) faults.push([method, path, title, detail, left])
    }
  })
  expect(faults).toEqual([])
  return seen
}

test('the pseudo language has no letter of English outside of gaps', () => {
  const literal = Object.values(catalogue)
    .join('')
    .replaceAll(/:[a-z]\w*/g, '')
  expect(wordsOf(literal)).toEqual([])
})

test('what the tests of the example read', { timeout: 600_000 }, async () => {
  const seen = await tellAll(askedUrls().map((path) => ({ method: 'GET', path })))
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining(['Invalid Query Parameter', 'Not Found', 'Bad Request'].map(pseudo)),
  )
})

const rows: RowIds = new Map<string, readonly string[]>([
  ...['posts', 'comments', 'tags', 'users', 'profiles'].map((type) => [type, ['1', '2', '3']] as [string, string[]]),
  ['videos', [videoId(1), videoId(2)]],
])

/** Documents that are nearly right, the same in each run. */
function written({ schemas, basePath, version }: CompiledServer): readonly Refused[] {
  const endpoints = [...schemas.byType.values()].flatMap((schema) => writingEndpoints({ schemas, rows }, schema))
  const documents = endpoints.flatMap(({ method, path, documents }) =>
    fc
      .sample(documents, { seed: 7, numRuns: 15 })
      .map((body): Refused => ({ method, path: basePath + path, headers: { 'Content-Type': mediaType }, body })),
  )
  if (version !== '1.1') return documents
  const codes = { POST: 'add', PATCH: 'update', DELETE: 'remove' }
  const operations = documents.map(({ method, path, body }): Refused => {
    const href = path.slice(basePath.length)
    const operation = { op: codes[method as keyof typeof codes], href, ...(body as object) }
    return {
      method: 'POST',
      path: `${basePath}/operations`,
      headers: { Accept: atomic, 'Content-Type': atomic },
      body: { 'atomic:operations': [operation] },
    }
  })
  return [...documents, ...operations]
}

describe.each([0, 1])('server %i', (at) => {
  test('documents of every type and relationship, atomic ones among them', { timeout: 600_000 }, async () => {
    const seen = await tellAll(written(running.api.servers[at] as CompiledServer))
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining(['Non-Compliant JSON:API Document', 'Unprocessable Entity'].map(pseudo)),
    )
  })
})

test('what HTTP says of requests', async () => {
  const tags = '/api/v1/tags'
  const requests: readonly Refused[] = [
    { method: 'GET', path: tags, headers: { Accept: 'text/plain' } },
    { method: 'POST', path: tags, headers: { 'Content-Type': 'text/plain' }, body: {} },
    { method: 'POST', path: tags, headers: { 'Content-Type': mediaType, 'Content-Encoding': 'zip' }, body: {} },
    { method: 'POST', path: tags, headers: { 'Content-Type': mediaType, 'Content-Encoding': 'gzip' }, body: {} },
    { method: 'POST', path: tags, headers: { 'Content-Type': mediaType } },
    { method: 'POST', path: tags, headers: { 'Content-Type': mediaType }, body: [] },
    { method: 'PUT', path: tags },
    { method: 'GET', path: '/nowhere' },
    { method: 'GET', path: `/api/v1/${'x'.repeat(9000)}` },
    { method: 'GET', path: tags, headers: { Authorization: 'Bearer x.y.z' } },
    { method: 'GET', path: tags, headers: { 'If-None-Match': 'none' } },
    { method: 'GET', path: `${tags}/1`, headers: { 'If-Match': '"other"' } },
    { method: 'GET', path: `${tags}?filter[name][gt]=%00` },
    { method: 'GET', path: `${tags}?page[number]=0&page[size]=x` },
  ]
  const seen = await tellAll(requests)
  const titles = ['Not Acceptable', 'Unsupported Media Type', 'Method Not Allowed', 'Invalid JSON', 'Unauthorized']
  expect([...seen.keys()]).toEqual(expect.arrayContaining(titles.map(pseudo)))
})
