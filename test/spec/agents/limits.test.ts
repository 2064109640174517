import { mcp } from '@prismapi/mcp'
import type { Server } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import PostSchema from '../../../src/app/v2/post.schema.ts'
import V2 from '../../../src/app/v2/server.ts'
import { rawCall } from '../../support/agents/front.ts'
import { authSecret, users } from '../../support/api.ts'
import { addPost } from '../../support/rows.ts'
import { type Parts, theExample, useServers } from '../../support/servers.ts'

// What agents may ask less than other clients, and what is asked about because an application says so.

const url = (api: { readonly at: string }) => `${api.at}/api/v2/-mcp`

async function ask(api: { readonly at: string }, name: string, args: object) {
  const Authorization = `Bearer ${await signToken(users.admin, authSecret)}`
  const response = await rawCall(url(api), { name, arguments: args }, { Authorization })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  return { status: response.status, headers: response.headers, ...((await response.json()) as any) }
}

async function served(limits: Server['limits'], schemas = new Map<string, unknown>()): Promise<Parts> {
  class Limited extends V2 {
    override readonly limits = limits as V2['limits']
  }
  const { policies, servers } = await theExample()
  const own = servers.find(({ server }) => server === V2)
  if (!own) throw new Error('The example has no second server.')
  const parts = { ...own, server: Limited, schemas: new Map([...own.schemas, ...(schemas as typeof own.schemas)]) }
  return { policies, servers: [parts], features: [mcp()] }
}

describe('limits.agent', () => {
  const tighter = useServers(() => served({ resources: 50, agent: { resources: 3 } }))
  const looser = useServers(() => served({ resources: 3, agent: { resources: 50 } }))
  const first = (ids: number) => ({
    type: 'tags',
    filter: { id: Array.from({ length: ids }, (_, i) => String(i + 1)) },
  })

  test('may be tighter than those of other clients', async () => {
    const { result } = await ask(tighter, 'list', first(4))
    expect(result).toMatchObject({ isError: true, structuredContent: { errors: [{ code: 'too-many-resources' }] } })
    expect((await ask(tighter, 'list', first(3))).result.structuredContent.data).toHaveLength(3)
    expect((await tighter.as(users.admin)('GET', '/api/v2/tags?filter[id]=1,2,3,4')).body.data).toHaveLength(4)
  })

  test('open nothing', async () => {
    const { result } = await ask(looser, 'list', first(4))
    expect(result).toMatchObject({ isError: true, structuredContent: { errors: [{ code: 'too-many-resources' }] } })
  })
})

test('a call of a tool is one request of a rate limit', async () => {
  const { result: _, ...first } = await ask(limited, 'list', { type: 'tags' })
  expect(first.headers.get('RateLimit')).toMatch(/;r=1;/)
  expect((await limited.as(users.admin)('GET', '/api/v2/tags/1')).headers.get('RateLimit')).toMatch(/;r=0;/)
  expect((await ask(limited, 'list', { type: 'tags' })).status).toBe(429)
})
const limited = useServers(async () => ({ ...(await served({})), rateLimit: { points: 2, duration: 60 } }))

test('an action that is declared destructive is asked about first', async () => {
  const post = await addPost(acting.db)
  const args = { type: 'posts', id: String(post.id), action: 'publish' }
  const { result: asked } = await ask(acting, 'act', args)
  expect(asked).toMatchObject({
    resultType: 'input_required',
    inputRequests: { confirm: { params: { message: 'Carry out publish with 1 of posts? It cannot be taken back.' } } },
  })
  expect(await acting.db.post.findFirst({ where: { id: post.id } })).toMatchObject({ synopsis: post.synopsis })
  const { result } = await ask(acting, 'act', { ...args, dryRun: true })
  expect(result).not.toHaveProperty('isError', true)
  expect(await acting.db.post.findFirst({ where: { id: post.id } })).toMatchObject({ synopsis: post.synopsis })
})

class Wiping extends PostSchema {
  override actions() {
    return [
      this.action('publish', {
        destructive: true,
        handle: async ({ row, db }) => {
          await db.post.update({ where: { id: row.id }, data: { synopsis: 'wiped' } })
        },
      }),
    ]
  }
}
const acting = useServers(() => served({}, new Map([['Post', Wiping]])))
