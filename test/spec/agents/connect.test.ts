import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { browserAccept } from '../../support/pages.ts'

// How people learn to connect their agents: docs/agents.md.

const api = useApi()
const page = async (path: string) => {
  const response = await fetch(api.url(path), { headers: { accept: browserAccept, 'accept-language': 'en' } })
  return { status: response.status, text: await response.text() }
}

test('a page shows the URL of a server, and the files of known clients', async () => {
  const { status, text } = await page('/api/v2/-browse/own/agents')
  const [address = '', , ...files] = [...text.matchAll(/<pre>([^<]*)<\/pre>/g)].map(([, each = '']) => each)
  expect([status, address]).toEqual([200, expect.stringMatching(/^https:\/\/[^/]+\/api\/v2\/-mcp$/)])
  const headers = { Authorization: 'Bearer <token>' }
  const unescaped = (html: string) =>
    html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  expect(files.map((each) => JSON.parse(unescaped(each)))).toEqual([
    { mcpServers: { v2: { url: address, headers } } },
    { servers: { v2: { type: 'http', url: address, headers } } },
  ])
})

test('the menu leads to it, where agents may use the server', async () => {
  const link = '<a href="/api/v2/-browse/own/agents">Connect an agent</a>'
  expect((await page('/api/v2/videos')).text).toContain(link)
  expect((await page('/api/v2/-browse/own/agents')).text).toContain(link)
  expect((await page('/api/v1')).text).not.toContain('-browse/own/agents')
  expect((await page('/api/v1/-browse/own/agents')).status).toBe(404)
})
