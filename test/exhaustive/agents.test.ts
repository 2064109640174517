import { mcp } from '@prismapi/mcp'
import { leaks } from '@prismapi/testing/kit'
import { afterAll, describe, expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { frontOfAgents } from '../support/agents/front.ts'
import { fillWorld, hiddenWhere } from '../support/hidden-world.ts'
import { HidingServer } from '../support/hiding-servers.ts'
import { callers, useTested } from '../support/kit.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// Whatever asks an application asks the door of agents: nothing that HTTP would not answer, and nothing dearer.

const patience = 60_000
const few = { guest: callers.guest ?? {}, admin: callers.admin ?? {} }
const hiding = await exampleWith(HidingServer)

describe('the leak walk', () => {
  const front = frontOfAgents('/api/v1')
  const parts = { ...hiding, features: [mcp()] }
  const world = useTested({ parts, before: front, callers: few, prepare: fillWorld })
  afterAll(() => expect(front.asked).toBeGreaterThan(100))
  for (const check of leaks(world.tested, { client: world.client, hidden: hiddenWhere, sample: 40 }))
    test(check.name, check.run, patience)
})

const questions = [
  '/posts',
  '/posts?page[size]=100&include=author.posts.comments',
  '/posts?include=comments.author&fields[posts]=title,comments&sort=-title',
  '/posts?filter[title][contains]=a&filter[author][exists]=true',
  '/posts?filter[or][0][title][startsWith]=A&filter[or][1][author.name][contains]=e',
  '/posts?filter[id]=1,2,3&include=tags',
  '/posts?filter[author]=3',
  '/posts?filter[comments.content][contains]=e',
  '/posts/1?include=author,comments',
  '/posts/1/comments?sort=-createdAt',
  '/posts/1/author',
  '/users?filter[email][contains]=example',
  '/users/1?fields[users]=email,role',
  '/users?sort=email',
  '/videos?filter[rating][gte]=2&page[number]=2&page[size]=3',
  '/videos?sort=owner.name&include=owner',
  '/comments?include=commentable&page[size]=50',
  '/tags?include=posts.author,videos.owner',
  '/tags?filter[nothing]=1',
  '/posts?sort=nothing',
  '/posts?page[size]=100000',
  '/posts/0',
  '/nothing/1',
]

describe.each([
  ['with the usual limits', {}],
  ['where little may be asked', { cost: 150, documentBytes: 20_000, resources: 50 }],
])('questions %s', (_, limits) => {
  class Limited extends V1 {
    override readonly limits = limits
  }
  const front = frontOfAgents('/api/v1')
  const parts = async () => ({ ...(await exampleWith(Limited)), features: [mcp()] })
  const api = useServers(parts)
  const agents = useServers(async () => ({ ...(await parts()), before: () => front }))

  test.each([null, 1, 3])(
    'are answered to %s as by HTTP, or refused alike',
    async (user) => {
      const [ask, asAgent] = [api.as(user), agents.as(user)]
      const statuses = new Map<number, number>()
      for (const url of questions) {
        const [byHttp, byTool] = [await ask('GET', `/api/v1${url}`), await asAgent('GET', `/api/v1${url}`)]
        statuses.set(byHttp.status, (statuses.get(byHttp.status) ?? 0) + 1)
        const { links: _own, ...told } = byTool.body
        const { links: _its, ...shown } = byHttp.body
        expect({ url, status: byTool.status, told }).toEqual({ url, status: byHttp.status, told: shown })
      }
      expect(statuses.get(200)).toBeGreaterThan(2)
      expect(statuses.get(400)).toBeGreaterThan(2)
    },
    patience,
  )

  test('are asked by tools', () => expect(front.asked).toBeGreaterThan(60))
})
