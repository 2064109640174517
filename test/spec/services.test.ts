import {
  type AuthorizationRequest,
  deny,
  meta,
  Policy,
  PolicyAuthorizer,
  ResourceCollectionQuery,
  ResourceRequest,
  type RowOf,
  type Rules,
  Schema,
  Server,
  type Serving,
  string,
  type User,
} from 'prismapi'
import { beforeEach, expect, test } from 'vitest'
import { expectErrors } from '../support/answers.ts'
import { users } from '../support/api.ts'
import { read } from '../support/documentation/pages.ts'
import { useServers } from '../support/servers.ts'

// What the application hands to createApi({ services }) reaches each of its classes, and each event. Nothing lies in a module.

const told: string[] = []

/** What an application would register by `Register`; here nobody does, so each class says what it expects. */
interface Told {
  readonly tell: (text: string) => void
  readonly longest: number
  readonly banned: string
}
const services: Told = { tell: (text) => void told.push(text), longest: 12, banned: 'banned' }
const as = (given: unknown): Told => given as Told

class Listening extends Server {
  override readonly name = 'v1'
  override readonly models = ['Tag', 'Video', 'Profile'] as const
  override readonly limits = { maxPageSize: as(this.services).longest }

  override serving(phase: Serving): void {
    phase.scope('Tag', { name: { not: as(this.services).banned } })
    as(phase.services).tell('serving')
    phase.preparing('Tag', (_, event) => as(event.services).tell('preparing'))
    phase.saving('Tag', (_, event) => as(event.services).tell('saving'))
    phase.reading('Tag', (_, event) => as(event.services).tell('reading'))
    phase.creating('Tag', ({ name = '' }, { afterCommit }) => {
      afterCommit(async (event) => {
        as(event.services).tell(`committed ${await event.db.tag.count({ where: { name } })}`)
        await event.db.tag.create({ data: { name: `${name} too` } })
      })
    })
  }
}

class TagSchema extends Schema<'Tag'> {
  readonly limit = as(this.services).longest

  override fields() {
    return [
      this.attribute('size').computed(['name'], ({ name }) => name.length > as(this.services).longest - this.limit),
    ]
  }

  override actions() {
    return [
      this.action('tell', {
        on: 'collection',
        handle({ services: given, afterCommit }) {
          as(given).tell('action')
          afterCommit((event) => as(event.services).tell('after the action'))
          return meta({ longest: as(given).longest })
        },
      }),
    ]
  }
}

class TagPolicy extends Policy<'Tag', 'tell'> {
  override abilities({ can }: Rules<'Tag', 'tell'>) {
    can(['viewAny', 'create', 'tell'])
  }

  override view(_user: User | null, tag: RowOf<'Tag'>) {
    return tag.name !== as(this.services).banned
  }
}

class TagRequest extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string().required().max(as(this.services).longest) }
  }
}

class TagCollectionQuery extends ResourceCollectionQuery<'Tag'> {
  override rules() {
    as(this.services).tell('query')
    return {}
  }
}

class VideoAuthorizer extends PolicyAuthorizer<'Video'> {
  override viewAny(request: AuthorizationRequest) {
    as(request.services).tell('authorizer')
    return deny()
  }
}

const api = useServers(() => ({
  services: { ...services },
  policies: new Map([['Tag', TagPolicy]]),
  servers: [
    {
      server: Listening,
      schemas: new Map([['Tag', TagSchema]]),
      authorizers: new Map([['Video', VideoAuthorizer]]),
      requests: new Map([['Tag', { request: TagRequest, query: null, collectionQuery: TagCollectionQuery }]]),
    },
  ],
}))
const admin: ReturnType<typeof api.as> = (...args) => api.as(users.admin)(...args)
const tag = (name: string) => ({ body: { data: { type: 'tags', attributes: { name } } } })

beforeEach(() => {
  told.length = 0
})

test('hooks and their work after the commit have the services, and a client that sees what is committed', async () => {
  expect((await admin('POST', '/api/v1/tags', tag('fresh'))).status).toBe(201)
  // A hook may run more than once for a write.
  expect([...new Set(told)]).toEqual(['serving', 'preparing', 'saving', 'committed 1'])
  expect(await api.db.tag.count({ where: { name: 'fresh too' } })).toBe(1)
})

test('fields of a server read them, its limits among them', async () => {
  const { status, body } = await admin('GET', '/api/v1/tags?page[size]=13')
  expect([status, body.errors.map(({ source }: { source: object }) => source)]).toEqual([
    400,
    [{ parameter: 'page[size]' }],
  ])
  expect((await admin('GET', '/api/v1/tags?page[size]=12')).status).toBe(200)
})

test('rules read them, as a request class of one server does at boot, too', async () => {
  expectErrors(await admin('POST', '/api/v1/tags', tag('longer than twelve')), {
    status: '422',
    code: 'max',
    title: 'Unprocessable Entity',
    detail: 'The name field must not be greater than 12 characters.',
    source: { pointer: '/data/attributes/name' },
  })
})

test('actions, queries and authorizers', async () => {
  const { status, body } = await admin('POST', '/api/v1/tags/-actions/tell')
  expect({ status, meta: body.meta }).toEqual({ status: 200, meta: { longest: 12 } })
  expect((await admin('GET', '/api/v1/tags?fields[tags]=size&page[size]=1')).body.data[0].attributes).toEqual({
    size: true,
  })
  expect((await admin('GET', '/api/v1/videos')).status).toBe(403)
  expect(told).toEqual([
    ...['serving', 'action', 'after the action'],
    ...['serving', 'query', 'reading'],
    ...['serving', 'authorizer'],
  ])
})

test('a tool that reads a class has none, and is told so', () => {
  class Reading extends Schema<'Tag'> {
    readonly own = as(this.services)
  }
  const answer =
    'services.tell has no answer here: a tool reads this class, without createApi({ services }). Ask for it in a method that a request calls.'
  expect(() => new Reading().own.tell('something')).toThrow(answer)
  expect(read('docs/servers.md')).toContain(answer)
})

test('policies', async () => {
  const [first, banned] = await Promise.all(
    ['allowed', 'banned'].map((name) => api.db.tag.create({ data: { name: `${name}` } })),
  )
  expect((await admin('GET', `/api/v1/tags/${first?.id}`)).status).toBe(200)
  // The server's scope hides it, which reads them as well.
  expect((await admin('GET', `/api/v1/tags/${banned?.id}`)).status).toBe(404)
})
