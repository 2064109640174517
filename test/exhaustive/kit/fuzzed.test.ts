import { fuzz } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import V2 from '../../../src/app/v2/server.ts'
import { callers, failureOf, shownBy, useTested } from '../../support/kit.ts'
import { exampleWith } from '../../support/servers.ts'

// What `fuzz` says of an application that fails: the example behind a middleware that spoils its answers.

const parts = await exampleWith(V1)
const v2 = await exampleWith(V2)
const { guest = {} } = callers
let spoil: Middleware
const { tested } = useTested({ parts, callers: { guest }, before: (ctx, next) => spoil(ctx, next) })

const failsAt =
  (what: RegExp): Middleware =>
  (ctx, next) => {
    if (what.test(ctx.url)) ctx.throw(500)
    return next()
  }

test('it only reads, unless it is allowed more', () => {
  const namesOf = (writes: boolean) => fuzz(tested, { writes }).map(({ name }) => name)
  const types = ['users', 'profiles', 'posts', 'tags', 'videos', 'comments']
  const named = (what: string) => `v1 answers whatever is asked in good form: ${what}`
  expect(namesOf(false)).toEqual([...types.map((type) => named(`reads of ${type}`)), named('pages')])
  expect(namesOf(true)).toEqual([
    ...types.flatMap((type) => [named(`reads of ${type}`), named(`writes of ${type}`)]),
    named('pages'),
  ])
})

test('an answer of 5xx is told by the smallest request that has one, and the seed', async () => {
  spoil = failsAt(/sort=/)
  const name = 'v1 answers whatever is asked in good form: reads of tags'
  const message = await failureOf(fuzz(tested, { seed: 5 }), name)
  expect(message.split('\n')).toEqual([
    'Not answered in good form; fuzz(…, { seed: 5 }) asks the same again:',
    '  GET /api/v1/tags?sort=id as guest: the answer is 500 Internal Server Error',
    '  GET /api/v1/tags/1/relationships/posts?sort=id as guest: the answer is 500 Internal Server Error',
    '  GET /api/v1/tags/1/relationships/videos?sort=id as guest: the answer is 500 Internal Server Error',
    '  GET /api/v1/tags/1/posts?sort=id as guest: the answer is 500 Internal Server Error',
    '  GET /api/v1/tags/%00/videos?sort=id as guest: the answer is 500 Internal Server Error',
  ])
  expect(message.split('\n')).toEqual(shownBy('docs/testing-kit.md', 'fuzzed'))
})

/** Fails where the example has an answer. */
const failsWhereAnswered =
  (what: RegExp): Middleware =>
  async (ctx, next) => {
    await next()
    if (ctx.status === 200 && what.test(ctx.url)) ctx.throw(500)
  }

test.each([1, 2, 3, 4, 5])('a sort that is taken, and fails, is found by seed %i', async (seed) => {
  spoil = failsWhereAnswered(/[?&]sort=/)
  expect(await failureOf(fuzz(tested, { seed }), 'v1 answers whatever is asked in good form: reads of posts')).toMatch(
    /^Not answered in good form; .+\n {2}GET \/api\/v1\/posts\?sort=\S+ as guest: the answer is 500 Internal Server Error/,
  )
})

test('an action that fails is found', async () => {
  spoil = failsAt(/-actions/)
  const checks = fuzz(tested, { seed: 1, writes: true, runs: 5 })
  expect(await failureOf(checks, 'v1 answers whatever is asked in good form: writes of posts')).toMatch(
    /\n {2}POST \/api\/v1\/posts\/\d+\/-actions\/publish as guest with .+: the answer is 500 Internal Server Error/,
  )
})

describe('a server with statistics', () => {
  const figures = useTested({ parts: v2, callers: { guest }, before: (ctx, next) => spoil(ctx, next) })
  const readsOf = (type: string) =>
    failureOf(fuzz(figures.tested, { seed: 1 }), `v2 answers whatever is asked in good form: reads of ${type}`)

  test('figures that are answered, and fail, are found', async () => {
    spoil = failsWhereAnswered(/[?&]withStats/)
    const message = await readsOf('videos')
    expect(message).toMatch(/\n {2}GET \/api\/v2\/videos\?withStats\S+ as guest: the answer is 500/)
    expect(message).toMatch(/\n {2}GET \/api\/v2\/videos\/-stats\?groupBy\S+ as guest: the answer is 500/)
  })
})

test('the same seed asks the same', async () => {
  spoil = failsAt(/include/)
  const name = 'v1 answers whatever is asked in good form: reads of posts'
  const [one, other] = [
    await failureOf(fuzz(tested, { seed: 7 }), name),
    await failureOf(fuzz(tested, { seed: 7 }), name),
  ]
  expect(one).toBe(other)
})

test('a body that is no document is told with the request that was answered with it', async () => {
  spoil = async (ctx, next) => {
    await next()
    if (ctx.method === 'POST') Object.assign(ctx, { body: 'oops', type: 'text/plain' })
  }
  const name = 'v1 answers whatever is asked in good form: writes of tags'
  expect((await failureOf(fuzz(tested, { seed: 1, writes: true, runs: 5 }), name)).split('\n').slice(0, 2)).toEqual([
    'Not answered in good form; fuzz(…, { seed: 1 }) asks the same again:',
    expect.stringMatching(
      /^ {2}POST \/api\/v1\/tags as guest with .+: the Content-Type is text\/plain; charset=utf-8, not application\/vnd.api\+json; the body is no JSON$/,
    ),
  ])
})

describe('somebody who is not known', () => {
  const typo = { Authorization: 'Bearer typo' }
  const blind = (caller: string) =>
    `every collection of /api/v1 answers ${caller} 401, so nothing is tested. Look at the headers in \`callers\`.`

  test('is told by every check, and the guest beside is not', async () => {
    spoil = (_, next) => next()
    for (const { run } of fuzz({ ...tested, callers: { guest, admin: typo } }, { seed: 1 }))
      await expect(run()).rejects.toThrow(`Nothing is seen:\n  ${blind('admin')}`)
  })

  test('is a guest as well, where nobody else is known', async () => {
    spoil = (ctx, next) => (ctx.path.startsWith('/api/v1/') ? ctx.throw(401) : next())
    for (const { run } of fuzz(tested, { seed: 1 })) await expect(run()).rejects.toThrow(blind('guest'))
  })
})

test('what is kept is never deleted, however its id is spelled in a URL', async () => {
  const deleted: string[] = []
  // Nothing is deleted here: what is asked for is a row that is not there.
  spoil = (ctx, next) => {
    if (ctx.method !== 'DELETE' || ctx.path.includes('relationships')) return next()
    deleted.push(ctx.path)
    ctx.url = ctx.originalUrl = '/api/v1/tags/2000000011'
    return next()
  }
  const asked = async (keep: readonly string[]) => {
    deleted.length = 0
    const checks = fuzz(tested, { seed: 1, writes: true, runs: 60, keep })
    await failureOf(checks, 'v1 answers whatever is asked in good form: writes of tags')
    return deleted
  }
  expect(await asked([])).toEqual(expect.arrayContaining(['/api/v1/tags/%00', '/api/v1/tags/1']))
  expect(await asked(['tags/\u0000', 'tags/1'])).not.toContain('/api/v1/tags/%00')
  expect(deleted).not.toContain('/api/v1/tags/1')
})
