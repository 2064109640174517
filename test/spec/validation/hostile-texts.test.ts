import { ResourceRequest, Schema, string } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// A rule takes no longer for a text that was made to take long: only as its length has it.

class Tags extends Schema<'Tag'> {}
let rule = () => string()
class TagRequest extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: rule() }
  }
}
const api = useServers(() => ({
  policies: new Map(),
  servers: [openServer('ruled', { Tag: Tags }, { requests: { Tag: { request: TagRequest } } })],
}))

const long = 400_000
/** Of yup's own expression, each dot more took twice as long: forty of them would have taken hours. */
const dots = 24

const hostile: Readonly<Record<'url' | 'email' | 'uuid', readonly string[]>> = {
  url: [
    `http://${'a.'.repeat(dots)}"`,
    `http://${'a.'.repeat(dots)} `,
    `http://a.example/${'%aa'.repeat(long / 3)}"`,
    `http://${'a'.repeat(long)}"`,
    `${'http://'.repeat(long / 7)}"`,
  ],
  email: [
    `${'a'.repeat(long)}@`,
    `a@${'a-'.repeat(long / 2)}"`,
    `a@${'a.'.repeat(long / 2)}"`,
    `${'a@'.repeat(long / 2)}"`,
  ],
  uuid: ['0'.repeat(long), '00000000-'.repeat(long / 9)],
}

describe.each(Object.entries(hostile))('%s()', (name, texts) => {
  test.each(texts.map((text) => [`${text.slice(0, 24)}… of ${text.length} characters`, text]))(
    '%s',
    async (_, text) => {
      rule = () => string()[name as keyof typeof hostile]()
      const body = { data: { type: 'tags', attributes: { name: text } } }
      const before = process.cpuUsage()
      const { status } = await api.as(null)('POST', '/api/ruled/tags', { body })
      const { user, system } = process.cpuUsage(before)
      expect(status).toBe(422)
      expect((user + system) / 1e6).toBeLessThan(1)
    },
  )
})
