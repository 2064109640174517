import type { CompiledServer } from '@prismapi/core/server/compile'
import { english } from '@prismapi/jsonapi/document/text'
import { expect, test } from 'vitest'
import { compiledApi } from '../../../test/support/api-files.ts'
import { largeSchema } from '../../../test/support/large-schema.ts'
import { type Docs, pagesOf } from '../src/compile-pages.ts'
import { layout } from '../src/frame/layout.ts'
import { docsPage } from '../src/reference/page.ts'

const reader = { user: null, seal: null, back: '', servers: [] }
const pageOf = async (server: CompiledServer, named: ReadonlySet<string> | null, menu: readonly string[] | null) => {
  const page = await docsPage({ server, reader, api: null }, pagesOf(server).docs as Docs, { named, menu })
  return layout(english, page)
}
const specOf = (page: string) => /data-document="([^"]+)"/.exec(page)?.[1]

test('the reference of a server with few relations is the whole', async () => {
  const page = await pageOf(compiledApi({}), null, null)
  expect([specOf(page), page.includes('<select')]).toEqual(['/api/v1/docs/openapi.json', false])
})

test('of a server with many it is that of one type, and leads to the others', async () => {
  const server = compiledApi({ prisma: largeSchema(120) })
  const menu = [...server.schemas.byType.keys()]
  const types = menu
  const first = await pageOf(server, null, menu)
  const asked = await pageOf(server, new Set(types.slice(7, 8)), menu)
  expect([specOf(first), specOf(asked)]).toEqual([
    `/api/v1/docs/openapi.json?types=${types[0]}`,
    `/api/v1/docs/openapi.json?types=${types[7]}`,
  ])
  expect(asked.match(/<option/g)).toHaveLength(120)
  expect(asked).toContain(`<option selected>${types[7]}</option>`)
})
