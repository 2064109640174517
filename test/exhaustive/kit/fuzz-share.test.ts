import { fuzz } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import { expect, test } from 'vitest'
import { callers, useTested } from '../../support/kit.ts'

// `fuzz` asks for much that is answered: what is refused at once says little of a server.

const parameters = ['sort', 'filter', 'fields', 'page', 'include'] as const
const answered = new Map<string, { asked: number; done: number }>()

const count: Middleware = async (ctx, next) => {
  await next()
  for (const name of parameters) {
    if (!new RegExp(`[?&]${name}(\\[|=)`).test(ctx.url)) continue
    const { asked, done } = answered.get(name) ?? { asked: 0, done: 0 }
    answered.set(name, { asked: asked + 1, done: done + (ctx.status === 200 ? 1 : 0) })
  }
}

const { guest = {}, admin = {} } = callers
const { tested } = useTested({ callers: { guest, admin }, before: (ctx, next) => count(ctx, next) })

test('at least a third of what is asked with each parameter is answered', async () => {
  for (const { run } of fuzz(tested, { seed: 1, runs: 5 })) await run()
  const shares = parameters.map((name) => {
    const { asked, done } = answered.get(name) ?? { asked: 0, done: 0 }
    return [name, asked >= 30, done / asked >= 1 / 3]
  })
  expect(shares).toEqual(parameters.map((name) => [name, true, true]))
}, 120_000)
