import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import compose from 'koa-compose'
import { accessLog, type Logger, requestId, Schema } from 'prismapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { theExample, useServers } from '../../support/servers.ts'

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

interface Line {
  readonly level: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

const lines: Line[] = []
const log = (level: string) => (fields: object, message: string) =>
  void lines.push({ level, fields: { ...fields }, message })
const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }

class Tags extends Schema<'Tag'> {}

const failing = openServer(
  'failing',
  { Tag: Tags },
  {
    serving(phase) {
      phase.reading('Tag', () => {
        throw new Error('boom')
      })
      phase.created('Tag', (_, { afterCommit }) =>
        afterCommit(() => {
          throw new Error('too late')
        }),
      )
    },
  },
)

const api = useServers(async () => {
  const { policies, servers } = await theExample()
  const before = () => compose([requestId(), accessLog({ logger })])
  return { policies, servers: [...servers, failing], logger, before, production: false }
})
beforeEach(() => {
  lines.length = 0
})

const get = (path: string, id?: string) =>
  api.as(null)('GET', path, id === undefined ? {} : { headers: { 'X-Request-Id': id } })
const idOf = ({ headers }: { headers: Headers }) => headers.get('X-Request-Id')

describe('X-Request-Id', () => {
  test.each(['7b3f-1', 'a', 'x'.repeat(128), 'Root=1-67891233-abcdef012345678912345678', 'a.b_c:d~e+f/g=h@i-j'])(
    'of the client is that of the answer: %s',
    async (id) => {
      expect(idOf(await get('/api/v1/tags/1', id))).toBe(id)
    },
  )

  test.each(['', 'x'.repeat(129), 'two words', 'a"b', 'a{b}', 'a,b', 'ünïcode'])(
    'that could be anything else is replaced, and not repeated: %j',
    async (id) => {
      expect(idOf(await get('/api/v1/tags/1', id))).toBeNull()
      await expect.poll(() => lines.length).toBe(1)
      expect(lines[0]?.fields.requestId).toMatch(uuid)
    },
  )

  test('is new for each request that has none, whose answer is the same then', async () => {
    const ids = [idOf(await get('/api/v1/tags/1')), idOf(await get('/api/v1/tags/1'))]
    expect(ids).toEqual([null, null])
    await expect.poll(() => lines.length).toBe(2)
    const [first, second] = lines.map(({ fields }) => fields.requestId)
    expect([first, second]).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)])
    expect(first).not.toBe(second)
  })

  test.each([
    ['/api/v1/nothing', 404],
    ['/api/v1/users', 403],
    ['/api/failing/tags', 500],
    ['/elsewhere', 404],
  ])('is on errors: %s', async (path, status) => {
    const answer = await get(path, 'r1')
    expect([answer.status, idOf(answer)]).toEqual([status, 'r1'])
  })
})

describe('the log', () => {
  test('has a line for each request, without its query', async () => {
    await get('/api/v1/tags/1?fields[tags]=name', 'r1')
    await expect.poll(() => lines.length).toBe(1)
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'Request',
        fields: {
          requestId: 'r1',
          method: 'GET',
          path: '/api/v1/tags/1',
          status: 200,
          milliseconds: expect.any(Number),
        },
      },
    ])
  })

  test('has the id with each refusal', async () => {
    await get('/api/v1/users', 'r2')
    await expect.poll(() => lines.length).toBe(2)
    expect(lines.map(({ fields }) => [fields.requestId, fields.status])).toEqual([
      ['r2', 403],
      ['r2', 403],
    ])
  })

  test('has the id of the request, and that of the error, with what nobody foresaw', async () => {
    const { body } = await get('/api/failing/tags', 'r3')
    expect(lines[0]).toMatchObject({
      level: 'error',
      fields: { requestId: 'r3', id: body.errors[0].id, method: 'GET', path: '/api/failing/tags' },
    })
  })

  test.each([
    ['late', {}],
    ['late and explained', { Prefer: 'explain' }],
  ])('has the id with work that fails behind the commit: %s', async (name, preference) => {
    const body = { data: { type: 'tags', attributes: { name } } }
    const headers = { 'X-Request-Id': 'r4', ...preference }
    const { status } = await api.as(1)('POST', '/api/failing/tags', { body, headers })
    expect(status).toBe(201)
    expect(lines.find(({ level }) => level === 'error')).toMatchObject({
      message: 'Work after a commit failed',
      fields: { requestId: 'r4', err: new Error('too late') },
    })
  })

  test('has no line of a level that it does not have', async () => {
    const answered = async (isLevelEnabled: () => boolean) => {
      const app = new Koa().use(accessLog({ logger: { ...logger, isLevelEnabled } })).use((ctx) => {
        ctx.body = String(ctx.res.listenerCount('close'))
      })
      const server = app.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const listeners = Number(await (await fetch(`http://127.0.0.1:${port}/`)).text())
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      return listeners
    }
    // Nothing waits for the end of its answer, even.
    expect((await answered(() => true)) - (await answered(() => false))).toBe(1)
    expect(lines).toHaveLength(1)
  })
})
