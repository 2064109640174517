import type { Middleware } from 'koa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStreamProxy } from '../../scripts/reliability/stream-proxies.ts'
import { hasProgram } from '../../scripts/scaling/programs.ts'
import { mediaType } from '../support/api.ts'
import { theExample, useServers } from '../support/servers.ts'

// QUERY through what stands before servers: the method, its body, and the headers by which its responses are kept.

/** HAProxy asks whether the server is there. */
const readiness: Middleware = (ctx, next) => {
  if (ctx.path !== '/ready') return next()
  ctx.status = 200
}

const api = useServers(async () => ({ ...(await theExample()), before: () => readiness }))
const form = 'application/x-www-form-urlencoded'

async function ask(at: string, method: string, body: string | null, headers: Record<string, string> = {}) {
  const response = await fetch(`${at}/api/v1/posts`, {
    method,
    headers: {
      ...{ Accept: mediaType, 'Accept-Encoding': 'identity' },
      ...(body !== null && { 'Content-Type': form }),
      ...headers,
    },
    ...(body !== null && { body }),
  })
  const told = ['accept-query', 'allow', 'cache-control', 'content-type', 'etag', 'vary'].map(
    (name) => [name, response.headers.get(name)] as const,
  )
  return { status: response.status, headers: Object.fromEntries(told), text: await response.text() }
}

/** Of 60 kB. */
const long = `filter[title][in]=${Array.from({ length: 400 }, (_, i) => `${i}-`.padEnd(150, 'x')).join()}`

describe.each(['haproxy', 'nginx'] as const)('%s', (name) => {
  const isThere = hasProgram(name)
  let proxy: Awaited<ReturnType<typeof startStreamProxy>> | undefined
  beforeAll(async () => {
    if (isThere) proxy = await startStreamProxy(name, Number(new URL(api.at).port))
  })
  afterAll(() => proxy?.stop())
  const through = () => `http://127.0.0.1:${proxy?.port}`

  test.skipIf(!isThere).each([
    ['a short question', 'QUERY', 'page[size]=2&sort=-createdAt', 200],
    ['a question that no URL has room for', 'QUERY', encodeURI(long), 200],
    ['a question that the server refuses', 'QUERY', 'filter[nothing]=1', 400],
    ['one of which it has no text', 'QUERY', '', 200],
    ['OPTIONS', 'OPTIONS', null, 204],
  ])('passes %s, and the response as it is', async (_, method, body, status) => {
    const direct = await ask(api.at, method, body)
    expect(direct).toMatchObject({ status, headers: { 'accept-query': `"${form}"` } })
    expect(await ask(through(), method, body)).toEqual(direct)
  })

  test.skipIf(!isThere)('passes that the client has the response already', async () => {
    const body = 'page[size]=2'
    const { headers } = await ask(through(), 'QUERY', body)
    const again = await ask(through(), 'QUERY', body, { 'If-None-Match': String(headers.etag) })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag])
  })

  test.skipIf(!isThere)('answers a question of before by nothing that it has kept', async () => {
    const [one, other] = [await ask(through(), 'QUERY', 'page[size]=1'), await ask(through(), 'QUERY', 'page[size]=2')]
    expect(JSON.parse(one.text).data).toHaveLength(1)
    expect(JSON.parse(other.text).data).toHaveLength(2)
  })
})
