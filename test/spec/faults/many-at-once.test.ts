import { setTimeout as sleep } from 'node:timers/promises'
import { Schema, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { type TextAnswer, useServers } from '../../support/servers.ts'

// R7: far more requests than connections. All are answered, as they should be or with 503; then everything is free again.

class Tags extends Schema<'Tag'> {}
class Posts extends Schema<'Post'> {}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const schemas = { Tag: Tags, Post: Posts }
const posts = { data: [{ type: 'posts', id: '1' }] }

describe('200 reads and 100 writes at one time', () => {
  const servers = useServers(() => ({ policies: new Map(), servers: [openServer('v1', schemas)] }))
  const ask: ReturnType<typeof servers.as> = (...args) => servers.as(null)(...args)
  const create = (n: number) => {
    const data = { type: 'tags', attributes: { name: `many ${n}` }, ...(n % 2 && { relationships: { posts } }) }
    return ask('POST', '/api/v1/tags', { body: { data } })
  }

  test('are all answered, and what was acknowledged is there', async () => {
    const writing: Promise<TextAnswer>[] = []
    const reading: Promise<TextAnswer>[] = []
    for (let n = 0; n < 100; n++) {
      writing.push(create(n))
      reading.push(ask('GET', '/api/v1/tags/1'), ask('GET', '/api/v1/posts?include=tags'))
    }
    const [written, read] = [await Promise.all(writing), await Promise.all(reading)]
    expect(read.filter(({ status }) => status !== 200)).toEqual([])
    expect(written.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
    const acknowledged = written.filter(({ status }) => status === 201).length
    expect(acknowledged).toBeGreaterThan(50)
    expect(await servers.db.tag.count({ where: { name: { startsWith: 'many ' } } })).toBe(acknowledged)
    expect(await Promise.all(times(20, async (n) => (await create(1000 + n)).status))).toEqual(times(20, () => 201))
  })
})

describe('500 changes of one row by 100 clients', () => {
  const servers = useServers(() => ({
    policies: new Map(),
    servers: [openServer('v1', schemas)],
    transactions: { maxWait: 60_000, timeout: 60_000 },
  }))
  const change = async (name: string) => {
    const body = { data: { type: 'tags', id: '1', attributes: { name } } }
    return (await servers.as(null)('PATCH', '/api/v1/tags/1', { body })).status
  }

  test('are all made: none is kept up by those that came after it', async () => {
    const clients = times(100, async (client) => {
      const statuses: number[] = []
      for (let turn = 0; turn < 5; turn++) statuses.push(await change(`${client} ${turn}`))
      return statuses
    })
    expect(await Promise.all(clients)).toEqual(times(100, () => times(5, () => 200)))
    expect((await servers.db.tag.findUniqueOrThrow({ where: { id: 1 } })).name).toMatch(/^\d+ 4$/)
  }, 60_000)
})

describe('transactions', () => {
  /** How long the next of them stay open. */
  let open = 0
  const serving = (phase: Serving) => {
    phase.saving('Tag', async (_, { db }) => {
      await db.tag.count()
      await sleep(open)
      return {}
    })
  }
  const servers = useServers(() => ({
    policies: new Map(),
    servers: [openServer('v1', schemas, { serving })],
    transactions: { maxWait: 200, timeout: 400 },
  }))
  const create = (name: string) =>
    servers.as(null)('POST', '/api/v1/tags', { body: { data: { type: 'tags', attributes: { name } } } })

  test('that take longer than createApi({ transactions }) allows are 503, and nothing of them is kept', async () => {
    open = 700
    const { status, headers } = await create('too long')
    expect({ status, after: headers.get('Retry-After') }).toEqual({ status: 503, after: '1' })
    open = 0
    expect(await servers.db.tag.count({ where: { name: 'too long' } })).toBe(0)
    expect((await create('too long')).status).toBe(201)
  })
})
