import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { badParameter } from '../../support/answers.ts'
import { mediaType, origin, useApi } from '../../support/api.ts'

const api = useApi()

describe.each([
  ['/api/v1', '1.0'],
  ['/api/v2', '1.1'],
])('the OpenAPI document of %s', (base, version) => {
  const path = `${base}/openapi.json`
  const refusal = (error: object) => ({ jsonapi: { version }, errors: [error] })

  test('is a valid one, as JSON', async () => {
    const { status, headers, body } = await api.guest.get(path)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      vary: 'Accept, Authorization',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    })
    expect(await new Validator().validate(body)).toEqual({ valid: true })
  })

  test('is not sent again to who has it', async () => {
    const first = await api.guest.get(path)
    const etag = first.headers.get('ETag') as string
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await api.guest.get(path, { headers: { 'If-None-Match': header } })
      expect([again.status, again.body, again.headers.get('ETag')]).toEqual([304, undefined, etag])
    }
    const other = await api.guest.get(path, { headers: { 'If-None-Match': '"other"' } })
    expect([other.status, other.body]).toEqual([200, first.body])
  })

  test('answers HEAD without itself, OPTIONS with its methods, and nothing else', async () => {
    const { headers } = await api.guest.get(path)
    const head = await api.guest.request('HEAD', path)
    expect([head.status, head.body, head.headers.get('ETag')]).toEqual([200, undefined, headers.get('ETag')])
    const options = await api.guest.request('OPTIONS', path)
    expect([options.status, options.headers.get('Allow')]).toEqual([204, 'GET, HEAD, QUERY'])
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const body = { data: null }
      const refused = await api.guest.request(method, path, { body })
      expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, HEAD, QUERY'])
    }
  })

  test.each([
    '*/*',
    'application/*',
    'application/json',
    'application/json;charset=utf-8',
    'application/vnd.oai.openapi+json;version=3.1',
    'text/html, application/xml;q=0.9, */*;q=0.8',
    mediaType,
    '',
  ])('is sent to who accepts %s', async (accept) => {
    expect((await api.guest.get(path, { headers: { Accept: accept } })).status).toBe(200)
  })

  test.each(['text/html', 'application/json;q=0', 'application/yaml'])('is not what %s is', async (accept) => {
    const refused = await api.guest.get(path, { headers: { Accept: accept } })
    const error = { status: '406', title: 'Not Acceptable', detail: expect.any(String) }
    expect([refused.status, refused.body]).toEqual([406, refusal(error)])
  })

  test('has nothing to ask for', async () => {
    const refused = await api.guest.get(`${path}?page[size]=1`)
    expect([refused.status, refused.body]).toEqual([400, refusal(badParameter('page[size]'))])
  })

  test('names no field that is hidden, nor what only some callers may know of', async () => {
    const { body } = await api.guest.get(path)
    const text = JSON.stringify(body)
    expect(text).toContain('publishedAt')
    for (const name of ['passwordHash', 'authorId', 'deletedAt', 'trashed']) expect(text).not.toContain(name)
  })
})

test('the root of a 1.1 server links to it, that of a 1.0 server does not', async () => {
  const links = async (path: string) => (await api.guest.get(path)).body.links
  expect(await links('/api/v2')).toEqual({
    self: `${origin}/api/v2`,
    describedby: `${origin}/api/v2/openapi.json`,
  })
  expect(await links('/api/v1')).toEqual({ self: `${origin}/api/v1` })
})
