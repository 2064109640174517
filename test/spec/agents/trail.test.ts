import { Policy, type Rules } from 'prismapi'
import { expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { openAgent } from '../../support/agents/client.ts'
import { users } from '../../support/api.ts'
import { exampleWith, theExample, useServers } from '../../support/servers.ts'

// The trail names the client of an agent beside its user.

class Audited extends V2 {
  override readonly live = { trail: true }
}
class ChangePolicy extends Policy {
  override abilities({ can }: Rules) {
    can(this.reads)
  }
}
const api = useServers(async () => {
  const { servers, policies } = await exampleWith(Audited)
  const { features } = await theExample()
  return { servers, features, policies: new Map([...policies, ['Change', ChangePolicy]]) as never }
})

test('a change by an agent is one of its user, and says which client it was', async () => {
  const { call } = await openAgent(api, { user: users.admin, name: 'Claude: Code' })
  const { data } = await call('create', { type: 'tags', attributes: { name: 'by an agent' } })
  const { body } = await api.as(users.admin)('GET', `/api/v2/changes?filter[resource]=tags:${data.data.id}`)
  expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
    {
      user: String(users.admin),
      agent: 'Claude Code',
      request: expect.stringMatching(/^agent:Claude Code:[\da-f-]{36}$/),
    },
  ])
})

test('a client that only calls its request so is none', async () => {
  const ask = api.as(users.admin)
  const body = { data: { type: 'tags', attributes: { name: 'by a client' } } }
  const created = await ask('POST', '/api/v2/tags', { body, headers: { 'X-Request-Id': 'agent:me:1' } })
  const trail = await ask('GET', `/api/v2/changes?filter[resource]=tags:${created.body.data.id}`)
  expect(trail.body.data[0].attributes.agent).toBe(null)
})
