import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TinyServer, tinyServer } from '../../../core/test/http/tiny-server.ts'
import { redirect, respondHtml } from '../../src/serving/html.ts'

let server: TinyServer
let pages: TinyServer
const large = Array.from({ length: 200_000 }, (_, i) => i * 7919).join(' ')
beforeAll(async () => {
  server = await tinyServer((ctx) => redirect(ctx, ctx.path + ctx.search))
  pages = await tinyServer(async (ctx) => {
    let doesOther = false
    setImmediate(() => {
      doesOther = true
    })
    await respondHtml(ctx, 200, large)
    ctx.set('Does-Other', String(doesOther))
  })
})
afterAll(async () => {
  await server.close()
  await pages.close()
})

test.each([
  ['/posts?sort=id', '/posts?sort=id'],
  ['//evil.example/?a', '/evil.example/?a'],
  ['///evil.example/', '/evil.example/'],
  ['/\\evil.example?a=//b', '/evil.example?a=//b'],
  ['/posts//1', '/posts//1'],
])('a browser that asks for %s is sent to %s, which is of this host', async (target, expected) => {
  const answer = await server.raw(`GET ${target} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`)
  expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 303 See Other')
  expect(/^Location: (.*)$/m.exec(answer)?.[1]?.trim()).toBe(expected)
})

describe('a large page that is compressed', () => {
  const headers = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none', 'Accept-Encoding': 'gzip' }

  test('lets the server do other work meanwhile', async () => {
    const answer = await fetch(`http://127.0.0.1:${pages.port}/`, { headers })
    expect([answer.headers.get('Content-Encoding'), answer.headers.get('Does-Other')]).toEqual(['gzip', 'true'])
    expect((await answer.text()) === large).toBe(true)
  })

  test('says how long it is, to HEAD as to GET', async () => {
    const told = async (method: string) => {
      const { status, headers: of } = await pages.send({ method, headers })
      return [status, of['content-encoding'], of['transfer-encoding'], Number(of['content-length'])]
    }
    const get = await told('GET')
    expect(get).toEqual([200, 'gzip', undefined, expect.any(Number)])
    expect(get[3]).toBeLessThan(large.length)
    expect(await told('HEAD')).toEqual(get)
  })
})
