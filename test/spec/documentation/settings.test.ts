import { health, PagePagination } from 'prismapi'
import { describe, expect, test } from 'vitest'
import Posts from '../../../src/app/v1/post.schema.ts'
import V1 from '../../../src/app/v1/server.ts'
import { users } from '../../support/api.ts'
import { fencesThatAre } from '../../support/documentation/checks.ts'
import { seenOf } from '../../support/documentation/shown.ts'
import { exampleWith, theExample, useServers } from '../../support/servers.ts'

// What pages show of settings that the example does not have.

/** What the page shows, and leaves to this file. */
function shownBy(page: string, language: string): string {
  const own = fencesThatAre('tested').filter(({ says }) => says.test === 'test/spec/documentation/settings.test.ts')
  const [fence] = own.filter((each) => each.page === page && each.language === language)
  return fence?.code ?? ''
}

describe('docs/authorization.md', () => {
  class Telling extends V1 {
    override readonly showsCan: boolean = true
  }
  const api = useServers(() => exampleWith(Telling))

  test('what the author of a post may do with it is what the page shows', async () => {
    const shown = JSON.parse(shownBy('docs/authorization.md', 'json'))
    const { body } = await api.as(users.member3)('GET', `/api/v1/posts/${shown.id}`)
    expect(seenOf(shown, body.data)).toEqual(shown)
  })
})

describe('docs/deployment.md', () => {
  const api = useServers(async () => ({
    ...(await theExample()),
    rateLimit: { points: 1000, duration: 60 },
    before: () => health({ checks: { database: () => Promise.reject(new Error('It is gone.')) } }),
  }))

  test('the third request within a minute is told of the limit as the page shows it', async () => {
    const ask = () => api.as(users.member3)('GET', '/api/v1/tags/1')
    await ask()
    await ask()
    const { headers } = await ask()
    const seen = ['RateLimit-Policy', 'RateLimit'].map((name) => `${name}: ${headers.get(name)}\n`).join('')
    const seconds = /t=\d+/g
    expect(seen.replace(seconds, 't=…')).toBe(shownBy('docs/deployment.md', 'http').replace(seconds, 't=…'))
  })

  test('a process without its database is not ready, as the page shows it', async () => {
    const { body, status } = await api.as(null)('GET', '/ready')
    expect([status, body]).toEqual([503, JSON.parse(shownBy('docs/deployment.md', 'json'))])
  })
})

describe('docs/pagination.md', () => {
  class Bounded extends Posts {
    override pagination() {
      return new PagePagination().withBoundedTotal(40)
    }
  }
  const api = useServers(async () => {
    const { servers } = await theExample()
    const [own] = servers
    return exampleWith(V1, { schemas: new Map([...(own?.schemas ?? []), ['Post', Bounded]]) })
  })

  test('of more posts than are counted the second page says what the page shows', async () => {
    const shown = JSON.parse(shownBy('docs/pagination.md', 'json'))
    const { body } = await api.as(null)('GET', '/api/v1/posts?page[number]=2&page[size]=20')
    const links = Object.entries(body.links).map(([name, url]) => [name, String(url).split('/api/v1')[1]])
    expect(seenOf(shown, { meta: body.meta, links: Object.fromEntries(links) })).toEqual(shown)
  })
})
