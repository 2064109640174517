import { Authorizer, deny, Policy, type Rules, Schema, Server, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { inLanes } from '../../support/in-lanes.ts'
import { type Ask, plain, useServers } from '../../support/servers.ts'

// Nothing is shared but the database: neither two servers of one process nor two requests of one server see each
// other's scopes, hooks and authorizers, however they interleave.

class Open extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>) {
    can([this.reads, 'create', 'update'])
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4))

/** Shows posts with an even id, creates them as user 4, and denies nothing. */
class Even extends Server {
  override readonly name = 'even'
  override async serving(phase: Serving) {
    await pause()
    phase.scope('Post', { id: { in: ids.filter((id) => id % 2 === 0) } })
    await pause()
    phase.creating('Post', () => ({ authorId: 4, content: 'even' }))
  }
}

class Refusing extends Authorizer {
  viewAny() {
    return true
  }
  create() {
    return true
  }
  view() {
    return true
  }
  update() {
    return deny('Odd posts are final.')
  }
  delete = this.update
  viewRelated = this.view
  viewRelationship = this.view
  updateRelationship = this.update
  attach = this.update
  detach = this.update
}

/** Shows posts with an odd id, creates them as user 5, and denies to change them. */
class Odd extends Server {
  override readonly name = 'odd'
  override async serving(phase: Serving) {
    phase.authorizer(Refusing)
    await pause()
    phase.scope('Post', { id: { in: ids.filter((id) => id % 2 === 1) } })
    phase.creating('Post', () => ({ authorId: 5, content: 'odd' }))
  }
}

const ids = Array.from({ length: 60 }, (_, i) => i + 1)
const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => Number(id))

class Small extends Schema<'Post'> {
  override type = 'small-posts'
  override perPage = 7
}

// How long a write may wait for others, and hold the database, is a limit of its own. Both pass while much else wants the processor.
const transactions = { timeout: 60_000, holdMilliseconds: 60_000, maxWait: 60_000 }

describe('two servers in one process', () => {
  const servers = useServers(() => ({
    servers: [plain(Even), plain(Odd, { schemas: new Map([['Post', Small]]) })],
    policies: new Map([['Post', Open]]),
    transactions,
  }))

  type Name = 'even' | 'odd'
  type Asked = Promise<{ readonly got: unknown; readonly expected: unknown }>
  const ask: Ask = (...request) => servers.as(null)(...request)
  const typeOf = (name: Name) => (name === 'even' ? 'posts' : 'small-posts')
  const urlOf = (name: Name) => `/api/${name}/${typeOf(name)}`

  async function list(name: Name): Asked {
    const { status, body } = await ask('GET', urlOf(name))
    const own = ids.filter((id) => id % 2 === (name === 'even' ? 0 : 1)).slice(0, name === 'even' ? 15 : 7)
    return { got: [status, idsOf(body)], expected: [200, own] }
  }

  async function lookAt(name: Name, turn: number): Asked {
    const own = 2 * (1 + (turn % 29)) - (name === 'even' ? 0 : 1)
    const both = await Promise.all([own, own + 1].map((id) => ask('GET', `${urlOf(name)}/${id}`)))
    return { got: both.map(({ status }) => status), expected: [200, 404] }
  }

  async function add(name: Name, turn: number): Asked {
    const slug = `made-${turn}`
    const data = { type: typeOf(name), attributes: { title: 'T', slug, content: 'x' } }
    const { status, body } = await ask('POST', urlOf(name), { body: { data } })
    const row = await servers.db.post.findUnique({ where: { slug } })
    const expected = [201, typeOf(name), name === 'even' ? 4 : 5, name]
    return { got: [status, body.data?.type, row?.authorId, row?.content], expected }
  }

  async function change(name: Name, turn: number): Asked {
    const id = name === 'even' ? '2' : '1'
    const data = { type: typeOf(name), id, attributes: { title: `Title ${turn}` } }
    const { status, body } = await ask('PATCH', `${urlOf(name)}/${id}`, { body: { data } })
    const expected = name === 'even' ? [200, undefined] : [403, 'Odd posts are final.']
    return { got: [status, body.errors?.[0].detail], expected }
  }

  test('answer 1,000 interleaved requests each by its own scopes, schemas, hooks and authorizers', async () => {
    const kinds = [list, lookAt, add, change]
    const asking = Array.from({ length: 1_000 }, (_, turn) => () => {
      const ask = kinds[(turn >> 1) % kinds.length] as typeof add
      return ask(turn % 2 === 0 ? 'even' : 'odd', turn)
    })
    // Some at a time: more of them are a test of how long writes may wait for a connection.
    const results = await inLanes(10, asking)
    const answers = results.map((result) =>
      result.status === 'fulfilled' ? result.value : { got: result.reason, expected: 'an answer' },
    )
    expect(answers.map(({ got }) => got)).toEqual(answers.map(({ expected }) => expected))
    expect(answers).toHaveLength(1_000)
  })
})

describe('requests of different users at the same time', () => {
  class PerUser extends Server {
    override readonly name = 'mine'
    override async serving(phase: Serving) {
      await pause()
      phase.scope('Post', (user) => (user ? { authorId: user.id } : { id: { in: [] } }))
      await pause()
      phase.creating('Post', () => ({ authorId: phase.user?.id ?? 1 }))
    }
  }
  const servers = useServers(() => ({
    servers: [plain(PerUser)],
    policies: new Map([['Post', Open]]),
    transactions,
  }))

  test('100 at once each see what is theirs, and create it as themselves', async () => {
    const everybody = [null, 3, 4, 5, 6, 7, 8, 9, 10, users.admin]
    const before = await servers.db.post.findMany({ select: { id: true, authorId: true }, orderBy: { id: 'asc' } })
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, turn) => {
        const id = everybody[turn % everybody.length] ?? null
        const { body } = await servers.as(id)('GET', '/api/mine/posts?page[size]=100')
        return { id, got: idsOf(body), total: body.meta.page.total }
      }),
    )
    expect(answers).toEqual(
      answers.map(({ id }) => {
        const own = before.filter(({ authorId }) => authorId === id).map((row) => row.id)
        return { id, got: own, total: own.length }
      }),
    )
    await Promise.all(
      Array.from({ length: 40 }, (_, turn) => {
        const attributes = { title: 'T', slug: `by-${turn}`, content: 'C' }
        const body = { data: { type: 'posts', attributes } }
        return servers.as(3 + (turn % 8))('POST', '/api/mine/posts', { body })
      }),
    )
    const made = await servers.db.post.findMany({ where: { slug: { startsWith: 'by-' } } })
    expect(made.map(({ slug, authorId }) => [slug, authorId]).sort()).toEqual(
      Array.from({ length: 40 }, (_, turn) => [`by-${turn}`, 3 + (turn % 8)]).sort(),
    )
  })
})
