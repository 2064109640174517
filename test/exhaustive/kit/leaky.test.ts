import { type Hidden, leaks, removeHidden } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import { deny, Policy, Schema, type Serving, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import V1 from '../../../src/app/v1/server.ts'
import V2 from '../../../src/app/v2/server.ts'
import { callers, failureOf, shownBy, useTested } from '../../support/kit.ts'
import { changing, type Spoilt } from '../../support/sabotage.ts'
import { type Database, exampleWith } from '../../support/servers.ts'

// What `leaks` says of applications that show rows which they mean to hide: here it is a tag of one post.

const { guest = {} } = callers
const hidden: Hidden = { Tag: { name: { startsWith: 'classified' } } }
const addTag = async (db: Database['writer']) => {
  await db.tag.create({ data: { id: 901, name: 'classified matter', posts: { connect: { id: 1 } } } })
}
const addAndRemoveTag = async (db: Database['writer']) => {
  await addTag(db)
  await removeHidden({ resources, client: db, hidden })
}

const read = 'v1 tells guest nothing of hidden rows: whatever is read'
const filtered = 'v1 tells guest nothing of hidden rows: whatever is filtered by'
const missing = 'v1 answers guest of hidden rows as of missing ones'
const written = 'v1 answers guest who writes of hidden rows as of missing ones'

/** The application with such a tag, and the same one without it. */
function useLeaks(parts: Awaited<ReturnType<typeof exampleWith>>) {
  const own = { parts, callers: { guest } }
  const { tested, client } = useTested({ ...own, prepare: addTag })
  const twin = useTested({ ...own, prepare: addAndRemoveTag })
  const options = { client, hidden, sample: 100 }
  return { alone: leaks(tested, options), beside: leaks(tested, { ...options, without: twin.tested.app }) }
}

class Hiding extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.scope('Tag', { NOT: { name: { startsWith: 'classified' } } })
  }
}
const hiding = await exampleWith(Hiding)

describe('a scope that holds', () => {
  const { alone, beside } = useLeaks(hiding)
  describe.each([
    ['alone', alone],
    ['beside the same without the rows', beside],
  ])('%s', (_, checks) => {
    test('is checked in four ways', () =>
      expect(checks.map(({ name }) => name)).toEqual([read, filtered, missing, written]))
    test.each(checks)('$name', ({ run }) => run(), 60_000)
  })
})

const { policies, servers } = await exampleWith(V1)

/** Says no to whoever asks for it by its URL. */
class DenyingPolicy extends Policy<'Tag'> {
  override viewAny = () => true
  override view(_: User | null, tag: { readonly name: string }) {
    return tag.name.startsWith('classified') ? deny(undefined, { status: 404 }) : true
  }
  override viewPosts = this.view
  override viewVideos = this.view
}

/** Is not in its collection. */
class NarrowSchema extends Schema<'Tag'> {
  override indexQuery() {
    return { NOT: { name: { startsWith: 'classified' } } }
  }
}

describe('an index and a policy in the place of a scope', () => {
  const { alone, beside } = useLeaks({
    policies: new Map([...policies, ['Tag', DenyingPolicy]]),
    servers: servers.map((each) => ({ ...each, schemas: new Map([...each.schemas, ['Tag', NarrowSchema]]) })),
  })

  test('leave what is included, which is told by identifiers and values', async () => {
    const message = await failureOf(alone, read)
    expect(message.split('\n')).toEqual(expect.arrayContaining([...shownBy('docs/testing-kit.md', 'leaky')]))
    const lines = message.split('\n  ')
    expect(lines[0]).toBe('Hidden rows are told of:')
    expect(lines).toContain(
      'GET /api/v1/posts/1?include=tags as guest: tells 901 at .data.relationships.tags.data.2.id; tells 901 at .included.2.id; and 6 more',
    )
  })

  test('leave filters, which find what a value that no row has does not find', async () => {
    expect((await failureOf(alone, filtered)).split('\n  ')).toContain(
      'GET /api/v1/posts?filter[tags.none]=901 as guest: finds something else than a value that no row has',
    )
  })

  test('leave totals, which differ from those of the same database without the rows', async () => {
    expect((await failureOf(beside, filtered)).split('\n  ')).toContainEqual(
      expect.stringMatching(
        /^GET \/api\/v1\/posts\?filter\[tags\..+ as guest: is not what it is without the hidden rows: ….+"total":\d+.+ \/ ….+"total":\d+/,
      ),
    )
  })

  test('answer as if the row were missing', async () => {
    expect(await failureOf(alone, missing)).toBe('nothing failed')
  })
})

describe('an index alone', () => {
  const { alone } = useLeaks({
    policies,
    servers: servers.map((each) => ({ ...each, schemas: new Map([...each.schemas, ['Tag', NarrowSchema]]) })),
  })

  test('leaves the URL of the row, which is told from that of a missing one', async () => {
    expect((await failureOf(alone, missing)).split('\n  ')[1]).toBe(
      'GET /api/v1/tags/901 as guest: is told from a missing one: …{"jsonapi":{"version":"1.0"},"links":{"self":"https://api.example.org/api/v1/tags/901"},"data":{"type":"tags","id":"901" / …{"jsonapi":{"version":"1.0"},"errors":[{"status":"404","title":"Not Found"}]}',
    )
  })
})

describe('figures of a collection', () => {
  class HidingVideos extends V2 {
    override serving(phase: Serving): void {
      super.serving(phase)
      phase.scope('Video', { title: { not: 'Classified' } })
    }
  }
  const addVideo = async (db: Database['writer']) => {
    const url = 'https://example.org/classified'
    await db.video.create({ data: { title: 'Classified', url, durationSeconds: 99_999, rating: 5, featured: true } })
  }
  const count = ({ meta }: Spoilt) => {
    meta.stats['*'].count += 1
  }
  const plants: readonly (readonly [what: string, before: Middleware, leak: string])[] = [
    [
      'that count a hidden row',
      changing(/\/videos\?.*withStats\[\*\]=count$/, count),
      '/videos?withStats[*]=count as guest: count of * is 11, and of the resources on its pages 10',
    ],
    [
      'that have its value for the largest',
      changing(/\/videos\?.*withStats\[durationSeconds\]/, ({ meta }) => {
        meta.stats.durationSeconds.max = 99_999
      }),
      '/videos?withStats[*]=count&withStats[durationSeconds]=count,sum,avg,min,max as guest: max of durationSeconds is 99999, and of the resources on its pages 210',
    ],
    [
      'that sum up its values',
      changing(/\/videos\?.*withStats\[durationSeconds\]/, ({ meta }) => {
        meta.stats.durationSeconds.sum += 99_999
      }),
      '/videos?withStats[*]=count&withStats[durationSeconds]=count,sum,avg,min,max as guest: sum of durationSeconds is 100974, and of the resources on its pages 975',
    ],
    [
      'of groups that it is in',
      changing(/\/videos\/-stats\?groupBy=featured/, ({ meta }) => count({ meta: meta.groups[1] })),
      '/videos/-stats?groupBy=featured as guest: its groups have 11 rows, and its pages 10 resources',
    ],
  ]
  const useFigures = async (before?: Middleware) => {
    const planted = before ? { before } : {}
    const parts = await exampleWith(HidingVideos)
    const { tested, client } = useTested({ parts, callers: { guest }, prepare: addVideo, ...planted })
    const checks = leaks(tested, { client, hidden: { Video: { title: 'Classified' } }, sample: 0 })
    return () => failureOf(checks, read.replace('v1', 'v2'))
  }

  describe('that the scope narrows', async () => {
    const failure = await useFigures()
    test('tell of nothing', async () => expect(await failure()).toBe('nothing failed'))
  })

  describe.each(plants)('%s', async (_, before, leak) => {
    const failure = await useFigures(before)
    test('are found', async () => expect(await failure()).toBe(`Hidden rows are told of:\n  GET /api/v2${leak}`))
  })
})

describe('a test that cannot be one', () => {
  const { tested, client } = useTested({ parts: hiding, callers: { guest } })

  test('has no hidden row, and says so', async () => {
    await expect(leaks(tested, { client, hidden })[0]?.run()).rejects.toThrow(
      'leaks({ hidden: { Tag } }): no row of Tag is hidden, so nothing would be tested. Add one to the database.',
    )
  })

  test('would lose rows that may be seen with the hidden ones, and says which', async () => {
    const user = { id: 77, name: 'Owner', email: 'owner@example.com', passwordHash: 'x' }
    await client().user.create({ data: { ...user, profile: { create: { bio: 'Goes with its owner.' } } } })
    await expect(removeHidden({ resources, client: client(), hidden: { User: { id: 77 } } })).rejects.toThrow(
      'removeHidden: 1 rows of Profile went with rows that they need, and are not hidden themselves. Hide them as well, or let rows that may be seen not need hidden ones.',
    )
  })

  test('has rows that may be seen and cannot do without hidden ones, and says which', async () => {
    const user = removeHidden({ resources, client: client(), hidden: { User: { id: 3 } } })
    await expect(user).rejects.toThrow(
      'removeHidden: the hidden rows of User cannot be deleted. Rows that may be seen need them. Hide those as well, or remove them first.',
    )
  })
})
