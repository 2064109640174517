import { conformance, fuzz, leaks } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import { expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { failureOf, useTested } from '../../support/kit.ts'
import { exampleWith } from '../../support/servers.ts'

// The kit asks below the values that it is told, where a base path has parameters.

class OfTenant extends V1 {
  override readonly basePath = '/api/:organization/v1'
}

const asked = new Set<string>()
const before: Middleware = (ctx, next) => {
  asked.add(ctx.path.split('/').slice(0, 4).join('/'))
  return next()
}
const { tested, client } = useTested({ parts: await exampleWith(OfTenant), callers: { guest: {} }, before })
const told = { ...tested, params: { organization: 'acme' } }

test('each request is below them, and so are the links of answers', async () => {
  const checks = conformance(told, { links: 0 })
  expect(await failureOf(checks, 'v1 answers guest as JSON:API says: tags')).toBe('nothing failed')
  expect([...asked]).toEqual(['/api/acme/v1'])
})

const each = [
  ['conformance', conformance],
  ['fuzz', fuzz],
  ['leaks', (kit: typeof tested) => leaks(kit, { client: client(), hidden: { Tag: { id: 1 } } })],
] as const

test.each(each)('%s without them says what to pass', (_, make) => {
  expect(() => make(tested)).toThrow(
    'The base path of v1 is /api/:organization/v1. Pass the values of its parameters: { organization: … }.',
  )
})
