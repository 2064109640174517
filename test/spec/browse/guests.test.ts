import { Schema } from 'prismapi'
import { expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { browserOf } from '../../support/pages.ts'
import { useServers } from '../../support/servers.ts'

// What a page says of many rows that were changed is sealed for who is signed in: of guests, none could be told from another.

class Tag extends Schema<'Tag'> {}
const open = openServer('open', { Tag })
class Open extends open.server {
  override readonly name = 'open'
  override readonly version = '1.1'
}
const api = useServers(() => ({ policies: new Map(), production: false, servers: [{ ...open, server: Open }] }))

test('a guest gets no message that another guest could be sent', async () => {
  const { id } = await api.db.tag.create({ data: { name: 'of no use' } })
  const browser = browserOf({ url: (path) => api.at + path, authorization: async () => '' })
  const { text } = await browser.send(`/api/open/tags?-many=delete&-row=${id}`)
  const form = text.slice(text.indexOf('<form class="many-asked"'))
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const sent = Object.fromEntries(fields.map(([, name, value]) => [name, value?.replaceAll('&quot;', '"')]))
  const rows = /name="-row" value="([^"]*)"/.exec(form)?.[1]
  const { status, headers } = await browser.submit('/api/open/operations', {
    ...sent,
    '-row': rows?.replaceAll('&quot;', '"') ?? '',
  })
  expect([status, headers.get('Location')]).toEqual([303, '/api/open/tags'])
  expect(await api.db.tag.findUnique({ where: { id } })).toBeNull()
})
