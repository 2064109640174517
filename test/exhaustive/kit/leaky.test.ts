import { deny, Policy, Schema, type Serving, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import V1 from '../../../src/app/v1/server.ts'
import { type Hidden, leaks, removeHidden } from '../../../src/testing/kit/index.ts'
import { callers, failureOf, shownBy, useTested } from '../../support/kit.ts'
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

/** The application with such a tag, and the same one without it. */
function useLeaks(parts: Awaited<ReturnType<typeof exampleWith>>) {
  const own = { parts, callers: { guest } }
  const { tested, client } = useTested({ ...own, prepare: addTag })
  const twin = useTested({ ...own, prepare: addAndRemoveTag })
  const options = { client, hidden }
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
    test('is checked in three ways', () => expect(checks.map(({ name }) => name)).toEqual([read, filtered, missing]))
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
