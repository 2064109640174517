import { randomUUID } from 'node:crypto'
import { type AskedActions, type Hidden, leaks } from '@prismapi/testing/kit'
import { conflict, meta, number, Policy, type Rules, Schema, type Serving, string } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import V1 from '../../../src/app/v1/server.ts'
import V2 from '../../../src/app/v2/server.ts'
import { callers, failureOf, shownBy, useTested } from '../../support/kit.ts'
import { type Database, exampleWith } from '../../support/servers.ts'

// What `leaks` says of applications that hide a tag from those who read, and not from those who write or ask for an action.

const { admin = {} } = callers
const hidden: Hidden = { Tag: { name: { startsWith: 'classified' } } }
const addTag = async (db: Database['writer']) => {
  await db.tag.create({ data: { id: 901, name: 'classified matter', posts: { connect: { id: 1 } } } })
}

/** A scope that is forgotten where clients write by that method. */
function hide(phase: Serving, method: string | undefined): void {
  if (phase.method !== method) phase.scope('Tag', { NOT: { name: { startsWith: 'classified' } } })
}
const serversBut = (method?: string) => ({
  v1: class extends V1 {
    override serving(phase: Serving): void {
      super.serving(phase)
      hide(phase, method)
    }
  },
  v2: class extends V2 {
    override serving(phase: Serving): void {
      super.serving(phase)
      hide(phase, method)
    }
  },
})

type Own = 'weigh' | 'names' | 'touch'

class AllowsActions extends Policy<'Tag', Own> {
  override abilities({ can }: Rules<'Tag', Own>): void {
    can(this.reads)
    can(['weigh', 'names', 'touch'])
  }
}

interface Planted {
  readonly method?: string
  /** Of tags. */
  readonly schema?: typeof Schema<'Tag'>
  readonly actions?: AskedActions
  readonly server?: 'v1' | 'v2'
}

/** What the check of writes says of the example with such a tag. */
async function useWrites({ method, schema, actions, server = 'v1' }: Planted) {
  const { policies, servers } = await exampleWith(serversBut(method)[server])
  const withSchema = (schemas: (typeof servers)[number]['schemas']) =>
    schema ? new Map([...schemas, ['Tag', schema] as const]) : schemas
  const open = schema ? new Map([...policies, ['Tag', AllowsActions] as const]) : policies
  const parts = { policies: open, servers: servers.map((each) => ({ ...each, schemas: withSchema(each.schemas) })) }
  const { tested, client } = useTested({ parts, callers: { admin }, prepare: addTag })
  const checks = leaks(tested, { client, hidden, writes: true, sample: Infinity, ...(actions && { actions }) })
  return async () => {
    const said = await failureOf(checks, `${server} answers admin who writes of hidden rows as of missing ones`)
    return said.split('\n  ')
  }
}

describe.each(['v1', 'v2'] as const)('a scope that holds on %s', async (server) => {
  const failure = await useWrites({ server })
  test('holds for writes', async () => expect(await failure()).toEqual(['nothing failed']))
})

describe.each([
  ['PATCH', 'v1', ['PATCH /api/v1/tags/901 {"data":{"type":"tags","id":"901"}}']],
  ['DELETE', 'v1', ['DELETE /api/v1/tags/901']],
  ['POST', 'v1', ['POST /api/v1/posts/1/relationships/tags {"data":[{"type":"tags","id":"901"}]}']],
  ['POST', 'v2', ['POST /api/v2/operations {"atomic:operations":[{"op":"remove","ref":{"type":"tags","id":"901"}}]}']],
] as const)('a scope that is forgotten by %s on %s', async (method, server, lines) => {
  const failure = await useWrites({ method, server })
  test('is missed by writes', async () => {
    const [first, ...told] = await failure()
    expect(first).toBe('Hidden rows are told by writes and actions:')
    for (const line of lines)
      expect(told).toContainEqual(expect.stringContaining(`${line} as admin: is told from a missing one: …20`))
  })
})

/** Asks for the number of posts of a tag, and for the names of all tags. */
class Careful extends Schema<'Tag'> {
  override actions() {
    return [
      this.action('weigh', {
        on: 'collection',
        rules: { tag: number().required() },
        async handle({ input, find }) {
          const tag = await find('Tag', input.tag)
          if (tag === null) throw conflict('There is no such tag.')
          return tag
        },
      }),
      this.action('names', {
        on: 'collection',
        method: 'GET',
        handle: async ({ list }) => meta({ names: (await list('Tag')).map(({ name }) => name) }),
      }),
      this.action('touch', { handle: ({ row }) => row }),
    ]
  }
}

/** Does the same by the client that knows no scopes. */
class Careless extends Schema<'Tag'> {
  override actions() {
    return [
      this.action('weigh', {
        on: 'collection',
        rules: { tag: number().required() },
        async handle({ input, db }) {
          const tag = await db.tag.findUnique({ where: { id: input.tag } })
          if (tag === null) throw conflict('There is no such tag.')
          return tag
        },
      }),
      this.action('names', {
        on: 'collection',
        method: 'GET',
        handle: async ({ db }) => meta({ names: (await db.tag.findMany()).map(({ name }) => name) }),
      }),
    ]
  }
}
const actions: AskedActions = { 'tags.weigh': { tag: 2 } }

describe('actions that ask through the scopes', async () => {
  const failure = await useWrites({ schema: Careful, actions })
  test('tell of nothing', async () => expect(await failure()).toEqual(['nothing failed']))
})

describe('actions that ask the database', async () => {
  const failure = await useWrites({ schema: Careless, actions })
  test('tell of hidden rows by what they find, and by what they answer', async () => {
    const lines = await failure()
    expect(lines).toEqual(
      expect.arrayContaining([...shownBy('docs/testing-kit.md', 'leaky-writes')].map((line) => line.trim())),
    )
    expect(lines).toContainEqual(
      expect.stringContaining(
        'POST /api/v1/tags/-actions/weigh {"meta":{"tag":901}} as admin: is told from a missing one: …',
      ),
    )
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^GET \/api\/v1\/tags\/-actions\/names as admin: tells classified matter at \.meta\.names\.\d+$/,
      ),
    )
  })
})

/** Answers each time with another secret, and where `tell` says so, with more. */
const issuing = (tell: (note: string, db: Database['writer']) => Promise<string | null>) =>
  class Issuing extends Schema<'Tag'> {
    override actions() {
      return [
        this.action('weigh', {
          on: 'collection',
          rules: { note: string().required() },
          handle: async ({ input, db }) =>
            meta({ secret: `${randomUUID()}\n"${Math.random()}"`, tells: await tell(input.note, db as never) }),
        }),
      ]
    }
  }
const issue: AskedActions = { 'tags.weigh': { note: '2' } }

describe('an action that answers each time with another secret', async () => {
  const failure = await useWrites({ schema: issuing(async () => null) as never, actions: issue })
  test('tells of nothing', async () => expect(await failure()).toEqual(['nothing failed']))
})

describe('such an action that asks the database', async () => {
  const tell = async (note: string, db: Database['writer']) =>
    (await db.tag.count({ where: { id: Number(note) } })) > 0 ? 'there' : null
  const failure = await useWrites({ schema: issuing(tell) as never, actions: issue })
  test('tells of hidden rows beside its secret', async () => {
    expect(await failure()).toContainEqual(
      expect.stringMatching(
        /^POST \/api\/v1\/tags\/-actions\/weigh {"meta":{"note":"901"}} as admin: is told from a missing one: .*"there"/,
      ),
    )
  })
})

test('an action that no type has is named', async () => {
  const parts = await exampleWith(V1)
  const { tested, client } = { tested: { ...parts, resources, app: 'http://127.0.0.1:1' }, client: {} }
  expect(() => leaks(tested, { client, hidden, actions: { 'posts.publsh': {} } })).toThrow(
    "leaks({ actions: { 'posts.publsh' } }): no such action. Name one of posts.publish.",
  )
})
