import { afterAll, beforeAll, expect, test } from 'vitest'
import { redirect } from '../../../../src/http/pages/html.ts'
import { type TinyServer, tinyServer } from '../tiny-server.ts'

let server: TinyServer
beforeAll(async () => {
  server = await tinyServer((ctx) => redirect(ctx, ctx.path + ctx.search))
})
afterAll(() => server.close())

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
