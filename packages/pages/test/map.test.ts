import { english } from '@prismapi/jsonapi/document/text'
import { everybody } from '@prismapi/openapi/caller'
import { expect, test } from 'vitest'
import { compiledApi } from '../../../test/support/api-files.ts'
import { largeSchema } from '../../../test/support/large-schema.ts'
import { resourceMap, startPage } from '../src/map/map.ts'

const apiOf = (server: ReturnType<typeof compiledApi>) => ({ ...server, audience: everybody(server) }) as never
const mapOf = (server: ReturnType<typeof compiledApi>): string =>
  resourceMap(apiOf(server), { counts: new Map(), recent: null }).textIn(english)

test('a server with few types is drawn', () => {
  const text = mapOf(compiledApi({}))
  expect([text.includes('<svg'), text.includes('data-find')]).toEqual([true, false])
})

test('of a server with many, types are found by their names', () => {
  const text = mapOf(compiledApi({ prisma: largeSchema(302) }))
  expect([text.includes('<svg'), text.includes('data-find'), text.match(/<section class="card">/g)?.length]).toEqual([
    false,
    true,
    302,
  ])
})

test('and stand below their first letter', () => {
  const text = mapOf(compiledApi({ prisma: largeSchema(302) }))
  const headings = [...text.matchAll(/<h2 id="(group-\d+)">([A-Z])<\/h2>/g)].map(([, id, letter]) => [id, letter])
  const letters = headings.map(([, letter]) => letter)
  expect(letters).toEqual([...new Set(letters)].sort())
  expect(text.match(/<h3>/g)?.length).toBe(302)
})

test('and nothing is asked of the database for them', async () => {
  const server = compiledApi({ prisma: largeSchema(302) })
  const page = await startPage({ ctx: { limits: server.limits } as never, api: apiOf(server) })
  expect(page.textIn(english)).toBe(mapOf(server))
})
