import { expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { browserAccept } from '../../support/pages.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// A page takes nobody for a guest whom the application could not look up.

class Shown extends V1 {
  override readonly browsable = true
}
const api = useServers(async () => ({
  ...(await exampleWith(Shown)),
  authenticate: async () => {
    throw new Error('The database is away.')
  },
}))

test('where the user cannot be found out, a page says what is wrong, and not who is asking', async () => {
  const response = await fetch(`${api.at}/api/v1/posts`, { headers: { Accept: browserAccept } })
  const text = await response.text()
  expect([response.status, response.headers.get('Content-Type')]).toEqual([500, 'text/html; charset=utf-8'])
  expect(text).toContain('<h1>Error 500</h1>')
  expect(text).not.toMatch(/You are|Sign in/)
})
