import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Schema, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { mediaType } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept } from '../../support/pages.ts'
import { jsonapi } from '../../support/row-documents.ts'
import { useServers } from '../../support/servers.ts'

// A request has its time, and a write somebody who waits for it; what is not answered in time is not written.

class Tags extends Schema<'Tag'> {}
class Users extends Schema<'User'> {}

type Hook = 'reading' | 'saving' | 'saved'
/** The hook that waits until it is let go. */
let held: { readonly hook: Hook; readonly gate: Promise<void> } | null = null
/** The hooks that have begun, and those that have come to their end. */
const seen: string[] = []
const pass = async (hook: Hook) => {
  seen.push(hook)
  if (held?.hook === hook) await held.gate
  seen.push(`${hook} ended`)
}

/** Does the work while a hook waits; then lets it go, and comes back when all that follows it must be over. */
async function holding(hook: Hook, work: () => Promise<void>): Promise<void> {
  seen.length = 0
  let letGo = () => {}
  held = { hook, gate: new Promise((resolve) => (letGo = resolve)) }
  try {
    await work()
    expect(seen).toContain(hook)
    expect(seen).not.toContain(`${hook} ended`)
  } finally {
    held = null
    letGo()
  }
  await sleep(150)
}

const serving = (phase: Serving) => {
  phase.reading('Tag', () => pass('reading'))
  phase.saving('Tag', async (_, { db }) => {
    // It asks for the transaction, so the write is none of a single statement.
    await db.user.count()
    await pass('saving')
    return {}
  })
  phase.saved('Tag', () => pass('saved'))
}
const singly = (phase: Serving) => {
  phase.saving('Tag', async () => {
    await pass('saving')
    return {}
  })
}

const limits = { requestMilliseconds: 800 }
const schemas = { Tag: Tags, User: Users }
const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  servers: [
    openServer('hooks', schemas, { limits, serving }),
    openServer('plain', schemas, { limits, serving: singly }),
    openServer('patient', schemas, { limits: { requestMilliseconds: Number.POSITIVE_INFINITY }, serving }),
  ],
}))

const ask: ReturnType<typeof servers.as> = (...args) => servers.as(null)(...args)
const busy = { jsonapi, errors: [{ status: '503', title: 'Service Unavailable' }] }
const create = (name: string, server = 'hooks') =>
  ask('POST', `/api/${server}/tags`, { body: { data: { type: 'tags', attributes: { name } } } })
const count = (name: string) => servers.db.tag.count({ where: { name } })

describe('a request that takes longer than its time', () => {
  test('is 503 with Retry-After, while its work goes on', async () => {
    await holding('reading', async () => {
      const { status, headers, body } = await ask('GET', '/api/hooks/tags/1')
      expect({ status, after: headers.get('Retry-After'), type: headers.get('Content-Type'), body }).toEqual({
        status: 503,
        after: '1',
        type: mediaType,
        body: busy,
      })
    })
    expect((await ask('GET', '/api/hooks/tags/1')).status).toBe(200)
  })

  test('is a page that reads more than its document', async () => {
    await holding('reading', async () => {
      const { status, headers } = await ask('GET', '/api/hooks', { headers: { Accept: browserAccept } })
      expect([status, headers.get('Retry-After')]).toEqual([503, '1'])
    })
  })

  test('HEAD has no body', async () => {
    await holding('reading', async () => {
      const { status, text } = await ask('HEAD', '/api/hooks/tags/1')
      expect({ status, text }).toEqual({ status: 503, text: '' })
    })
  })

  test('is one of many: the others are answered', async () => {
    await holding('reading', async () => {
      const late = ask('GET', '/api/hooks/tags/1')
      while (seen.length === 0) await sleep(5)
      const waiting = held
      held = null
      expect((await ask('GET', '/api/hooks/users/1')).status).toBe(200)
      held = waiting
      expect((await late).status).toBe(503)
    })
  })

  test.each<[string, Hook]>([
    ['before its row is written', 'saving'],
    ['behind it, before the commit', 'saved'],
  ])('writes nothing: %s', async (when, hook) => {
    await holding(hook, async () => {
      const { status, body } = await create(`late ${when}`)
      expect({ status, body }).toEqual({ status: 503, body: busy })
    })
    expect(await count(`late ${when}`)).toBe(0)
    expect((await create(`in time ${when}`)).status).toBe(201)
  })

  test('writes nothing by a statement of its own, either', async () => {
    await holding('saving', async () => expect((await create('late and plain', 'plain')).status).toBe(503))
    expect(await count('late and plain')).toBe(0)
    expect((await create('in time and plain', 'plain')).status).toBe(201)
  })

  test('has any time where the server says so', async () => {
    let created: ReturnType<typeof create> | undefined
    await holding('saved', async () => {
      created = create('patient', 'patient')
      await sleep(1000)
    })
    expect((await created)?.status).toBe(201)
  })

  test('that is not sent in time is 408, and its connection ends', async () => {
    const headers = { 'Content-Type': mediaType, 'Content-Length': '500' }
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = http.request(`${servers.at}/api/hooks/tags`, { method: 'POST', headers })
      request.on('response', resolve).on('error', reject).write('{"data":')
    })
    const text = (await answer.setEncoding('utf8').toArray()).join('')
    expect({ status: answer.statusCode, connection: answer.headers.connection, body: JSON.parse(text) }).toEqual({
      status: 408,
      connection: 'close',
      body: {
        jsonapi,
        errors: [{ status: '408', title: 'Request Timeout', detail: 'The request was not complete in time.' }],
      },
    })
  })
})

describe('R8: a client that goes away while it is being served', () => {
  const leave = async (method: string, path: string, body?: object) => {
    const headers = { Accept: mediaType, ...(body && { 'Content-Type': mediaType }) }
    // A connection of its own: one that the server has closed meanwhile would fail before it is served.
    const request = http.request(`${servers.at}${path}`, { method, headers, agent: false })
    let failed: Error | null = null
    request.on('error', (error) => {
      failed = error
    })
    request.end(body && JSON.stringify(body))
    while (!seen.includes(held?.hook as string)) {
      if (failed) throw failed
      await sleep(5)
    }
    request.destroy()
    // The server has to hear of it.
    await sleep(20)
  }

  // More often than there are connections.
  test('has written nothing, and its connection serves the next', async () => {
    const data = { type: 'tags', attributes: { name: 'gone' } }
    for (let n = 0; n < 12; n++) await holding('saved', () => leave('POST', '/api/patient/tags', { data }))
    expect(await count('gone')).toBe(0)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => create(`after ${n}`, 'patient')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  })

  test('leaves nothing behind by reading', async () => {
    for (let n = 0; n < 12; n++) await holding('reading', () => leave('GET', '/api/patient/tags/1'))
    expect((await ask('GET', '/api/patient/tags/1')).status).toBe(200)
  })
})

test('nothing of all this is unforeseen', () => {
  expect(servers.logs.filter(({ level }) => level === 'error')).toEqual([])
})
