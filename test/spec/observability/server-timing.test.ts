import { describe, expect, test } from 'vitest'
import { theExample, useServers } from '../../support/servers.ts'

const prefer = { headers: { Prefer: 'server-timing' } }
const tag = { data: { type: 'tags', attributes: { name: 'timed' } } }

/** The names and descriptions of a header, in their order; each has a duration. */
function timingsOf(headers: Headers): string[] {
  const header = headers.get('Server-Timing') ?? ''
  return header.split(', ').map((each) => {
    expect(each).toMatch(/;dur=\d+\.\d\d$/)
    return each.replace(/;dur=.*/, '')
  })
}

describe('outside of production', () => {
  const api = useServers(async () => ({ ...(await theExample()), production: false }))

  test('who prefers it is told what each stage took, and the queries by model', async () => {
    const { status, headers } = await api.as(1)('GET', '/api/v1/posts/1?include=author,tags', prefer)
    expect(status).toBe(200)
    expect(headers.get('Preference-Applied')).toBe('server-timing')
    expect(timingsOf(headers).sort()).toEqual(
      [
        'total',
        'authenticate',
        'read;desc="Post"',
        'authorize',
        'query',
        'read;desc="User"',
        'read;desc="Tag"',
        'serialize',
      ].sort(),
    )
  })

  test('what was done several times has their sum', async () => {
    const { headers } = await api.as(1)('GET', '/api/v1/posts?page[size]=2', prefer)
    expect(timingsOf(headers)).toContain('read;desc="Post x2"')
  })

  test('writes, too, and refusals', async () => {
    const written = await api.as(1)('POST', '/api/v1/tags', { ...prefer, body: tag })
    expect(written.status).toBe(201)
    expect(timingsOf(written.headers)).toEqual(expect.arrayContaining(['validate', 'authorize', 'serialize']))
    expect(timingsOf(written.headers).some((each) => each.startsWith('write'))).toBe(true)
    const refused = await api.as(null)('GET', '/api/v1/users', prefer)
    expect(refused.status).toBe(403)
    expect(timingsOf(refused.headers)).toEqual(['total', 'authenticate', 'authorize'])
  })

  test('an unreadable target is no reason to fail', async () => {
    const { status, headers } = await api.as(null)('GET', '/api/v1/%E0%A4%A', prefer)
    expect([status, timingsOf(headers)]).toEqual([400, ['total']])
  })

  test('the total is at least that of each stage', async () => {
    const { headers } = await api.as(1)('GET', '/api/v1/tags/1', prefer)
    const [total = 0, ...stages] = (headers.get('Server-Timing') ?? '')
      .split(', ')
      .map((each) => Number(each.split('=').at(-1)))
    expect(Math.max(...stages)).toBeLessThanOrEqual(total)
  })

  test.each(['respond-async, server-timing', 'Server-Timing', 'wait=10, server-timing'])(
    '%s asks for it',
    async (value) => {
      const { headers } = await api.as(1)('GET', '/api/v1/tags/1', { headers: { Prefer: value } })
      expect(headers.has('Server-Timing')).toBe(true)
    },
  )

  test.each([undefined, 'return=minimal', 'x="server-timing"'])('%s does not', async (value) => {
    const { headers } = await api.as(1)(
      'GET',
      '/api/v1/tags/1',
      value === undefined ? {} : { headers: { Prefer: value } },
    )
    expect([headers.has('Server-Timing'), headers.has('Preference-Applied')]).toEqual([false, false])
  })
})

describe('in production', () => {
  const api = useServers(async () => ({ ...(await theExample()), production: true }))

  test('nobody is told', async () => {
    const { status, headers } = await api.as(1)('GET', '/api/v1/tags/1', prefer)
    expect([status, headers.has('Server-Timing'), headers.has('Preference-Applied')]).toEqual([200, false, false])
  })
})
