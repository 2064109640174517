import { Policy, Schema, Server, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { mediaType } from '../../support/api.ts'
import { jsonapi } from '../../support/row-documents.ts'
import { plain, useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

// R13: what an application throws costs that request only; its client is told nothing of it, and nothing is written.

const secret = 'the inside of the application'
/** The place that fails now. */
let failing = ''
const at = (place: string): void => {
  if (failing === place) throw new TypeError(secret)
}

class Tags extends Schema<'Tag'> {
  override fields() {
    return [
      this.attribute('length').computed(['name'], ({ name }) => {
        at('a computed field')
        return name.length
      }),
    ]
  }
  override filters() {
    return [
      this.filter('odd', {
        where: () => {
          at('a filter')
          return { id: 1 }
        },
      }),
    ]
  }
}

class TagPolicy extends Policy<'Tag'> {
  override viewAny() {
    return true
  }
  override view() {
    at('a policy')
    return true
  }
  override create() {
    at('a policy')
    return true
  }
  override delete() {
    at('a policy')
    return true
  }
}

class Fragile extends Server {
  override readonly name = 'fragile'
  override readonly models = ['Tag'] as const
  override serving(phase: Serving) {
    at('the serving phase')
    phase.scope('Tag', () => {
      at('a scope')
      return null
    })
    phase.reading('Tag', () => at('a hook before reading'))
    phase.read('Tag', () => at('a hook behind reading'))
    phase.saving('Tag', () => {
      at('a hook before a write')
      return {}
    })
    phase.saved('Tag', () => at('a hook behind a write'))
    phase.deleting('Tag', () => at('a hook before a write'))
    phase.deleted('Tag', () => at('a hook behind a write'))
  }
}

const servers = useServers(() => ({
  production: true,
  policies: new Map([['Tag', TagPolicy]]) as never,
  servers: [plain(Fragile, { schemas: new Map([['Tag', Tags]]) as never })],
}))
const ask: ReturnType<typeof servers.as> = (...args) => servers.as(null)(...args)

const requests = {
  list: () => ask('GET', '/api/fragile/tags?filter[odd]=1'),
  one: () => ask('GET', '/api/fragile/tags/1'),
  create: () =>
    ask('POST', '/api/fragile/tags', { body: { data: { type: 'tags', attributes: { name: `new ${failing}` } } } }),
  destroy: () => ask('DELETE', '/api/fragile/tags/12'),
}
const reads = ['list', 'one'] as const
const writes = ['create', 'destroy'] as const

describe('an exception in', () => {
  test.each<[string, readonly (keyof typeof requests)[]]>([
    ['the serving phase', [...reads, ...writes]],
    ['a scope', [...reads, ...writes]],
    ['a policy', ['one', ...writes]],
    ['a filter', ['list']],
    ['a computed field', reads],
    ['a hook before reading', reads],
    ['a hook behind reading', reads],
    ['a hook before a write', writes],
    ['a hook behind a write', writes],
  ])('%s: 500 without a detail, nothing is written, and the next request is answered', async (place, names) => {
    const before = await snapshot(servers.db)
    for (const name of names) {
      failing = place
      const { status, headers, body, text } = await requests[name]()
      failing = ''
      expect({ name, status, type: headers.get('Content-Type'), body }).toEqual({
        name,
        status: 500,
        type: mediaType,
        body: { jsonapi, errors: [{ id: expect.any(String), status: '500', title: 'Internal Server Error' }] },
      })
      expect(text).not.toContain(secret)
      expect((await requests.one()).status).toBe(200)
    }
    expect(await snapshot(servers.db)).toEqual(before)
  })
})
