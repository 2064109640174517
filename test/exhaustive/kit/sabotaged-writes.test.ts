import { type ConformanceWrites, conformance } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { callers, failureOf, useTested } from '../../support/kit.ts'
import { makers } from '../../support/makers.ts'
import { answering, asking, itemsOf } from '../../support/sabotage.ts'
import { exampleWith } from '../../support/servers.ts'

// What `conformance` says of an application that writes wrongly, or answers wrongly to what is written.

const { guest = {}, admin = {} } = callers
const make = makers()
let spoil: Middleware
const { tested } = useTested({
  parts: await exampleWith(V1),
  callers: { guest, admin },
  before: (ctx, next) => spoil(ctx, next),
})

async function writing(how: Middleware, more: Partial<ConformanceWrites> = {}, type = 'tags'): Promise<string> {
  spoil = how
  const checks = conformance(tested, { writes: { as: 'admin', make, ...more } })
  return failureOf(checks, `v1 answers admin as JSON:API says: writes of ${type}`)
}

/** What differs from run to run. */
const plain = (message: string) =>
  message
    .replace(/tags\/\d+/g, 'tags/:id')
    .replace(/"id":"\d+"/g, '"id":":id"')
    .replace(/made \d+/g, 'made')
    .split('\n  ')

test('a created resource that does not say where it is', async () => {
  const how: Middleware = async (ctx, next) => {
    await next()
    ctx.remove('Location')
  }
  expect(await writing(how)).toBe('Not what JSON:API 1.0 says:\n  POST /api/v1/tags as admin: Location is missing')
})

test('a refused parameter that came too late', async () => {
  expect(await writing(asking('?bogus=1', ''))).toMatch(
    /^Not what JSON:API 1.0 says:\n {2}POST \/api\/v1\/tags\?bogus=1 as admin with \{.+\}: the status is 201, not 400\n/,
  )
})

test('a deleted resource that is still there', async () => {
  const how: Middleware = async (ctx, next) => {
    if (ctx.method !== 'DELETE' || ctx.url.endsWith('2000000011')) return next()
    ctx.vary('Accept')
    ctx.status = 204
  }
  expect((await writing(how)).replace(/tags\/\d+/g, 'tags/:id').split('\n  ')).toEqual([
    'Not what JSON:API 1.0 says:',
    'GET /api/v1/tags/:id as admin: the status is 200, not 404',
    'DELETE /api/v1/tags/:id as admin: the status is 204, not 404',
  ])
})

test('by somebody who is no caller is a mistake of the test', () => {
  const nobody = () => conformance(tested, { writes: { as: 'nobody', make } })
  expect(nobody).toThrow(
    "conformance({ writes: { as: 'nobody' } }): no such caller. Name one of `callers`: guest, admin.",
  )
})

test('a created resource that is not what was sent', async () => {
  const how = answering(['POST', 'GET'], (document) => {
    for (const { attributes = {} } of itemsOf(document)) attributes.name = 'something else'
  })
  expect(plain(await writing(how))).toEqual(
    expect.arrayContaining(['POST /api/v1/tags as admin: attributes.name is "something else", and "made" was sent']),
  )
})

test('an update with attributes that fails', async () => {
  const how: Middleware = async (ctx, next) => {
    await next()
    if (ctx.method === 'PATCH' && ctx.request.length > 60 && ctx.status === 200) ctx.status = 500
  }
  expect(plain(await writing(how))).toEqual(
    expect.arrayContaining([
      'PATCH /api/v1/tags/:id as admin with {"data":{"type":"tags","id":":id","attributes":{"name":"made"}}}: the status is 500, not 200 or 204',
    ]),
  )
})

test('an update that changes nothing', async () => {
  const how: Middleware = async (ctx, next) => {
    if (ctx.method === 'PATCH' && /^\/api\/v1\/tags\/\d+$/.test(ctx.url) && ctx.request.length > 60) {
      ctx.vary('Accept')
      ctx.status = 204
    } else await next()
  }
  expect(plain(await writing(how))).toEqual([
    'Not what JSON:API 1.0 says:',
    'GET /api/v1/tags/:id as admin: attributes.name is "made", and "made" was sent',
  ])
})

test('an update that answers what it did not write', async () => {
  const how = answering(['PATCH'], (document) => {
    for (const { attributes } of itemsOf(document)) if (attributes) attributes.name = 'something else'
  })
  expect(plain(await writing(how))).toEqual([
    'Not what JSON:API 1.0 says:',
    // Sent back as it was, and changed.
    'PATCH /api/v1/tags/:id as admin: attributes.name is "something else", and "made" was sent',
    'PATCH /api/v1/tags/:id as admin: attributes.name is "something else", and "made" was sent',
  ])
})

test('what the application decides is neither compared nor updated', async () => {
  const how = answering(['PATCH', 'POST', 'GET'], (document) => {
    for (const { attributes = {} } of itemsOf(document)) if ('name' in attributes) attributes.name = 'another'
  })
  expect(await writing(how, { adjusted: { tags: ['name'] } })).toBe('nothing failed')
})

describe('a mistake of the test is', () => {
  const known = 'users, profiles, posts, tags, videos, comments'
  const mistakes: readonly (readonly [what: string, writes: Partial<ConformanceWrites>, message: string])[] = [
    [
      'a type that nobody serves',
      { make: { tag: make.tags as never } },
      `conformance({ writes: { make: { tag } } }): no server creates such a type. Name one of ${known}.`,
    ],
    [
      'a decided attribute that is none',
      { adjusted: { tags: ['label'] } },
      "conformance({ writes: { adjusted: { tags: ['label'] } } }): no such attribute. Name one of name.",
    ],
    [
      'a decided attribute of no type',
      { adjusted: { tag: ['name'] } },
      "conformance({ writes: { adjusted: { tag: ['name'] } } }): no server has such a type.",
    ],
  ]

  test.each(mistakes)('%s', (_, more, message) => {
    expect(() => conformance(tested, { writes: { as: 'admin', make, ...more } })).toThrow(message)
  })
})
