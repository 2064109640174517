import { tokenScopes } from '@prismapi/auth'
import { describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import { scopes } from '../../../src/app/features.ts'
import { rawCall } from '../../support/agents/front.ts'
import { authSecret, users } from '../../support/api.ts'
import { addPost } from '../../support/rows.ts'
import { theExample, useServers } from '../../support/servers.ts'

// policies/agents: an agent may do what its user may, as far as it may itself.

const api = useServers(theExample)

async function ask(scope: string, method: string, path: string, body?: object) {
  const Authorization = `Bearer ${await signToken(users.admin, authSecret, { scope })}`
  return api.as(null)(method, path, { headers: { Authorization }, ...(body && { body }) })
}

async function toolsOf(scope: string) {
  const Authorization = `Bearer ${await signToken(users.admin, authSecret, { scope })}`
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  const call = async (name: string, args: object): Promise<any> => {
    const response = await rawCall(`${api.at}/api/v2/-mcp`, { name, arguments: args }, { Authorization })
    return ((await response.json()) as { result: unknown }).result
  }
  return { call, told: (await call('describe', {})).structuredContent.types }
}

describe('the token of an agent', () => {
  test('takes away from what its user may do, at every door', async () => {
    const { id } = await addPost(api.db)
    const body = { data: { type: 'posts', id: String(id), attributes: { title: 'No' } } }
    const refused = await ask('agent:reader', 'PATCH', `/api/v2/posts/${id}`, body)
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, 'insufficient_scope'])
    expect((await ask('agent:reader', 'GET', `/api/v2/posts/${id}`)).status).toBe(200)
    const { call, told } = await toolsOf('agent:reader')
    expect(
      (await call('update', { type: 'posts', id: String(id), attributes: { title: 'No' } })).structuredContent,
    ).toEqual(refused.body)
    expect(new Set(told.flatMap(({ tools }: { tools: string[] }) => tools))).toEqual(new Set(['list', 'get', 'stats']))
  })

  test('lets the commenter write comments and nothing else', async () => {
    const { told } = await toolsOf('agent:commenter')
    const writing = told.filter(({ tools }: { tools: string[] }) => tools.includes('create'))
    expect(writing.map(({ type }: { type: string }) => type)).toEqual(['comments'])
  })

  test('of several agents may do what each of them may', async () => {
    const { told } = await toolsOf('agent:commenter agent:reader')
    expect(told.some(({ tools }: { tools: string[] }) => tools.includes('create'))).toBe(false)
  })

  test('of an agent that is not known may do nothing', async () => {
    expect((await ask('agent:nobody', 'GET', '/api/v2/posts')).status).toBe(403)
    expect((await ask('agent:nobody agent:reader', 'GET', '/api/v2/posts')).status).toBe(403)
  })
})

test('an agent takes away from the other scopes of a token, and gives none', () => {
  const both = tokenScopes({ read: { '*': ['reads'] } }, { agents: { writer: { '*': ['writes'] } } })
  expect(both.names).toEqual(['read', 'agent:writer'])
  expect(both.ceilings?.map(({ name }) => name)).toEqual(['scope read', 'agent:writer'])
  expect(scopes.names).toEqual(['agent:reader', 'agent:commenter'])
})
