import {
  type AuthorizationRequest,
  deny,
  Policy,
  PolicyAuthorizer,
  ResourceRequest,
  Schema,
  Server,
  type Serving,
} from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectErrors, forbidden } from '../support/answers.ts'
import { users } from '../support/api.ts'
import { plain, useServers } from '../support/servers.ts'

class Api extends Server {
  override readonly name: string = 'v1'
}

describe('D9: who decides', () => {
  const named = (name: string) =>
    class extends PolicyAuthorizer {
      override view(_request: AuthorizationRequest): ReturnType<typeof deny> {
        return deny(`By ${name}.`)
      }
    }
  const [Listed, Beside, Default] = [named('the list'), named('its place'), named('the default')]

  class Refusing extends Policy<'Post'> {
    override view() {
      return deny('By the policy.')
    }
    override viewAuthor() {
      return deny('The policy keeps it.')
    }
  }
  class Asked extends ResourceRequest<'Post'> {
    override authorize() {
      return this.user?.role === 'ADMIN' ? true : this.user?.role === 'EDITOR' ? false : null
    }
  }

  class One extends Api {
    override readonly name = 'policies'
  }
  class Two extends Api {
    override readonly name = 'default'
    override serving(phase: Serving) {
      phase.authorizer(Default)
    }
  }
  class Three extends Api {
    override readonly name = 'beside'
    override serving(phase: Serving) {
      phase.authorizer(Default)
    }
  }
  class Four extends Api {
    override readonly name: string = 'list'
    override serving(phase: Serving) {
      phase.authorizer(Default)
      phase.authorizer(Listed, ['Post', 'Video'])
    }
  }
  class Off extends Four {
    override readonly name: string = 'off'
    override authorizable() {
      return false
    }
  }
  class OffForPosts extends Schema<'Post'> {
    override authorizable() {
      return false
    }
  }
  const authorizers = new Map([['Post', Beside]])
  const asked = new Map([['Post', { request: Asked, query: null, collectionQuery: null }]])
  const servers = useServers(() => ({
    servers: [
      plain(One, { requests: asked }),
      plain(Two),
      plain(Three, { authorizers }),
      plain(Four, { authorizers, requests: asked }),
      plain(Off, { authorizers }),
      plain(
        class extends Four {
          override readonly name: string = 'off-for-posts'
        },
        { schemas: new Map([['Post', OffForPosts]]) },
      ),
    ],
    policies: new Map([['Post', Refusing]]),
  }))
  const view = (server: string, path = '/posts/1', userId: number | null = null) =>
    servers.as(userId)('GET', `/api/${server}${path}`)

  test.each([
    ['policies', 'By the policy.'],
    ['default', 'By the default.'],
    ['beside', 'By its place.'],
    ['list', 'By the list.'],
  ])('on the server "%s"', async (server, detail) => {
    expectErrors(await view(server), forbidden(detail))
  })

  test('an authorizer beside a schema is for that type; the default is for all others', async () => {
    expectErrors(await view('beside', '/tags/2'), forbidden('By the default.'))
    expectErrors(await view('list', '/tags/2'), forbidden('By the default.'))
  })

  test('a list is for each of its types', async () => {
    expectErrors(await view('list', '/videos/00000000-0000-4000-8000-000000000001'), forbidden('By the list.'))
  })

  test('the request class is asked before all of them: true and false are final, null is not', async () => {
    for (const [server, detail] of [
      ['policies', 'By the policy.'],
      ['list', 'By the list.'],
    ] as const) {
      expect((await view(server, '/posts/1', users.admin)).status).toBe(200)
      expectErrors(await view(server, '/posts/1', users.editor), forbidden('This action is unauthorized.'))
      expectErrors(await view(server, '/posts/1', users.member3), forbidden(detail))
    }
  })

  test('a server that is not authorizable asks nobody, and neither does a type', async () => {
    expect((await view('off')).status).toBe(200)
    expect((await view('off', '/tags/2')).status).toBe(200)
    expect((await view('off-for-posts')).status).toBe(200)
    expectErrors(await view('off-for-posts', '/tags/2'), forbidden('By the default.'))
  })

  test('an authorizer may ask the policy after all', async () => {
    expectErrors(await view('beside', '/posts/1/author'), forbidden('The policy keeps it.'))
  })
})
