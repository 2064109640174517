import { Policy, type Rules, Schema } from 'prismapi'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import { expectErrorsOf11, expectNothing, relatedNotFound } from '../../support/answers.ts'
import { authSecret } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { fresh } from '../../support/idempotency.ts'
import {
  link,
  linkRefused,
  linkServers,
  makePost,
  makeUser,
  makeVideo,
  ownPolicies,
} from '../../support/links/servers.ts'
import { atomic } from '../../support/operations.ts'
import { browserOf } from '../../support/pages.ts'
import { useServers } from '../../support/servers.ts'

// Ways around the question who may change a row that keeps a link: none of them writes.

class UserPolicy extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>) {
    can([this.reads, 'create', this.writes])
  }
}

class PostSchema extends Schema<'Post'> {
  override softDelete = 'deletedAt' as const
}

type Moment = 'preparing' | 'updating'

/** What another request does, once, while one of a user is written. */
let meanwhile: Readonly<Partial<Record<Moment, () => Promise<unknown>>>> = {}
async function overtaken(moment: Moment): Promise<void> {
  const work = meanwhile[moment]
  if (!work) return
  meanwhile = {}
  await work()
}
const api = useServers(() => ({
  production: false,
  ...linkServers({
    policies: { ...ownPolicies, User: UserPolicy },
    schemas: { Post: PostSchema },
    serving(phase) {
      phase.creating('User', () => ({ passwordHash: 'x' }))
      phase.scope('Post', () => ({ slug: { not: { startsWith: 'hidden' } } }))
      // Before the transaction, and inside of it.
      phase.preparing('User', () => overtaken('preparing'))
      phase.updating('User', () => overtaken('updating'))
    },
  }),
}))

let ann: number
let ben: number
let count = 0
let annsPost: string
let annsVideo: string
let bensVideo: string
beforeEach(async () => {
  count++
  ann = await makeUser(api, `ann-${count}`)
  ben = await makeUser(api, `ben-${count}`)
  annsPost = String((await makePost(api, ann, `ann-${count}`)).id)
  annsVideo = (await makeVideo(api, ann, `ann-${count}`)).id
  bensVideo = (await makeVideo(api, ben, `ben-${count}`)).id
})
afterEach(() => {
  meanwhile = {}
})

const byId = { orderBy: { id: 'asc' } } as const
const state = async () => [
  await api.db.post.findMany(byId),
  await api.db.video.findMany(byId),
  await api.db.user.findMany(byId),
]

/** The answer of a request that writes nothing. */
async function unwritten<T>(work: () => Promise<T>): Promise<T> {
  const before = await state()
  const answer = await work()
  expect(await state()).toEqual(before)
  return answer
}

const author = (id: string) => `You may not change the author of posts ${id}.`
const owner = (id: string) => `You may not change the owner of videos ${id}.`
const relationship = (of: number, name: string) => `/api/v1/users/${of}/relationships/${name}`
const operate = (...operations: readonly object[]) =>
  api.as(ben)('POST', '/api/v1/operations', {
    headers: { 'Content-Type': `${atomic};profile="urn:prismapi:profile:upsert"` },
    body: { 'atomic:operations': operations },
  })

describe('by an operation', () => {
  test('remove of the relationship', async () => {
    const ref = { type: 'users', id: String(ann), relationship: 'videos' }
    const answer = await unwritten(() => operate({ op: 'remove', ref, ...link('videos', bensVideo, annsVideo) }))
    expect([answer.status, answer.body.errors]).toEqual([
      403,
      [linkRefused(owner(annsVideo), '/atomic:operations/0/data/1')],
    ])
    const href = relationship(ann, 'videos')
    const named = await unwritten(() => operate({ op: 'remove', href, ...link('videos', annsVideo) }))
    expect([named.status, named.body.errors]).toEqual([
      403,
      [linkRefused(owner(annsVideo), '/atomic:operations/0/data/0')],
    ])
  })

  test('two that pass a row on', async () => {
    const ref = (id: number) => ({ type: 'users', id: String(id), relationship: 'videos' })
    const answer = await unwritten(() =>
      operate(
        { op: 'remove', ref: ref(ben), ...link('videos', bensVideo) },
        { op: 'add', ref: ref(ben), ...link('videos', bensVideo, annsVideo) },
      ),
    )
    expect([answer.status, answer.body.errors]).toEqual([
      403,
      [linkRefused(owner(annsVideo), '/atomic:operations/1/data/1')],
    ])
    // What is nobody's in between belongs to who takes it: the policy says so.
    const passed = await operate(
      { op: 'remove', ref: ref(ben), ...link('videos', bensVideo) },
      { op: 'add', ref: ref(ann), ...link('videos', bensVideo) },
    )
    expect([passed.status, (await api.db.video.findUniqueOrThrow({ where: { id: bensVideo } })).ownerId]).toEqual([
      204,
      ann,
    ])
  })
})

test('by [] in the place of all', async () => {
  expectErrorsOf11(
    await unwritten(() => api.as(ben)('PATCH', relationship(ann, 'videos'), { body: { data: [] } })),
    linkRefused(owner(annsVideo), '/data'),
  )
  const data = { type: 'users', id: String(ann), relationships: { videos: { data: [] } } }
  expectErrorsOf11(
    await unwritten(() => api.as(ben)('PATCH', `/api/v1/users/${ann}`, { body: { data } })),
    linkRefused(owner(annsVideo), '/data/relationships/videos'),
  )
})

describe('by a key', () => {
  test('what was refused is refused again, and what was done is not done again', async () => {
    const headers = { 'Idempotency-Key': fresh() }
    const send = (ids: readonly string[], withKey: object) =>
      api.as(ben)('POST', relationship(ben, 'videos'), { headers: { ...withKey }, body: link('videos', ...ids) })
    const first = await unwritten(() => send([annsVideo], headers))
    const again = await unwritten(() => send([annsVideo], headers))
    for (const answer of [first, again]) expectErrorsOf11(answer, linkRefused(owner(annsVideo), '/data/0'))
    const free = await makeVideo(api, null, `free-${count}`)
    const other = { 'Idempotency-Key': fresh() }
    expectNothing(await send([free.id], other))
    await api.db.video.update({ where: { id: free.id }, data: { ownerId: ann } })
    expectNothing(await unwritten(() => send([free.id], other)))
    expectErrorsOf11(await unwritten(() => send([free.id], {})), linkRefused(owner(free.id), '/data/0'))
  })
})

describe('by an upsert that finds its user', () => {
  test('whose videos are replaced', async () => {
    const { email } = await api.db.user.findUniqueOrThrow({ where: { id: ann } })
    const data = {
      type: 'users',
      attributes: { name: 'U', email },
      relationships: { videos: link('videos', bensVideo) },
    }
    const answer = await unwritten(() => operate({ op: 'update', data, meta: { upsert: { by: ['email'] } } }))
    expect([answer.status, answer.body.errors]).toEqual([
      403,
      [linkRefused(owner(annsVideo), '/atomic:operations/0/data/relationships/videos')],
    ])
  })
})

describe('by a form of a page', () => {
  const browser = browserOf({ url: (path) => api.at + path, authorization: async () => '' })
  const submit = async (path: string, fields: Readonly<Record<string, string>>) => {
    const session = Buffer.from(`Bearer ${await signToken(ben, authSecret)}`).toString('base64url')
    return browser.submit(path, fields, { Cookie: `prismapi-browse=${session}` })
  }

  test('is refused in words, and nothing is written', async () => {
    for (const [path, fields, detail] of [
      [relationship(ben, 'posts'), { '-method': 'POST', 'many posts:/data': annsPost }, author(annsPost)],
      [relationship(ben, 'posts'), { '-method': 'PATCH', 'many posts:/data': annsPost }, author(annsPost)],
      [relationship(ann, 'videos'), { '-method': 'DELETE', 'many videos:/data': annsVideo }, owner(annsVideo)],
      [relationship(ann, 'videos'), { '-method': 'PATCH', 'many videos:/data': '' }, owner(annsVideo)],
      [
        '/api/v1/users?-new=',
        {
          'string:/data/attributes/name': 'N',
          'string:/data/attributes/email': `form-${count}@example.com`,
          'many posts:/data/relationships/posts/data': annsPost,
        },
        author(annsPost),
      ],
    ] as const) {
      const { status, text } = await unwritten(() => submit(path, fields))
      expect([path, status, text.includes(detail)]).toEqual([path, 403, true])
    }
  })
})

describe('a post that is not seen', () => {
  test('is not found where it was deleted softly, or a scope hides it', async () => {
    const trashed = await makePost(api, ben, `trashed-${count}`)
    await api.db.post.update({ where: { id: trashed.id }, data: { deletedAt: new Date() } })
    const hidden = await makePost(api, ben, `hidden-${count}`)
    for (const { id } of [trashed, hidden]) {
      expectErrorsOf11(
        await unwritten(() => api.as(ben)('POST', relationship(ben, 'posts'), { body: link('posts', annsPost, id) })),
        relatedNotFound('/data/1'),
      )
      const data = { type: 'users', id: String(ben), relationships: { posts: link('posts', id, annsPost) } }
      expectErrorsOf11(
        await unwritten(() => api.as(ben)('PATCH', `/api/v1/users/${ben}`, { body: { data } })),
        relatedNotFound('/data/relationships/posts/data/0'),
      )
    }
    // They stay where the rest is replaced.
    const kept = await makePost(api, ann, `kept-${count}`)
    await api.db.post.update({ where: { id: kept.id }, data: { deletedAt: new Date() } })
    const { status } = await api.as(ben)('PATCH', relationship(ann, 'posts'), { body: link('posts', annsPost) })
    expect([status, (await api.db.post.findUniqueOrThrow({ where: { id: kept.id } })).authorId]).toEqual([200, ann])
  })
})

describe('a video that its caller may not view, where that hides it everywhere', () => {
  class HidingVideoPolicy extends Policy<'Video'> {
    override abilities({ can, cannot }: Rules<'Video'>) {
      can([this.reads, this.writes])
      cannot('view')
      can('view', { title: { startsWith: 'shown' } })
    }
  }
  const policies = { ...ownPolicies, User: UserPolicy, Video: HidingVideoPolicy }
  const hiding = useServers(() => linkServers({ policies, viewEverywhere: true }))

  test('is not found, and stays where the others are replaced, whatever may be updated', async () => {
    const [ann, ben] = [await makeUser(hiding, 'ann'), await makeUser(hiding, 'ben')]
    const [hidden, others] = [await makeVideo(hiding, ann, 'hidden'), await makeVideo(hiding, ben, 'hidden, too')]
    const shown = await makeVideo(hiding, ann, 'shown')
    const owners = async () =>
      Object.fromEntries((await hiding.db.video.findMany()).map(({ id, ownerId }) => [id, ownerId]))
    const url = relationship(ann, 'videos')
    const before = await owners()
    expectErrorsOf11(
      await hiding.as(ann)('POST', url, { body: link('videos', shown.id, others.id) }),
      relatedNotFound('/data/1'),
    )
    expectErrorsOf11(
      await hiding.as(ann)('DELETE', url, { body: link('videos', hidden.id) }),
      relatedNotFound('/data/0'),
    )
    expect(await owners()).toEqual(before)
    const { status } = await hiding.as(ann)('PATCH', url, { body: link('videos') })
    expect([status, await owners()]).toEqual([200, { ...before, [shown.id]: null }])
  })
})

describe('while another request writes', () => {
  const moments: readonly Moment[] = provider === 'postgresql' ? ['preparing', 'updating'] : ['preparing']

  test.each(moments)('who has lost the right by then is refused: %s', async (moment) => {
    const { id } = await makeVideo(api, null, `lost-${count}`)
    meanwhile = { [moment]: () => api.db.video.update({ where: { id }, data: { ownerId: ann } }) }
    const data = {
      type: 'users',
      id: String(ben),
      attributes: { name: 'B' },
      relationships: { videos: link('videos', bensVideo, id) },
    }
    expectErrorsOf11(
      await api.as(ben)('PATCH', `/api/v1/users/${ben}`, { body: { data } }),
      linkRefused(owner(id), '/data/relationships/videos/data/1'),
    )
    expect(meanwhile).toEqual({})
    expect(await api.db.user.findUniqueOrThrow({ where: { id: ben } })).toMatchObject({ name: `ben-${count}` })
    expect(await api.db.video.findUniqueOrThrow({ where: { id } })).toMatchObject({ ownerId: ann })
  })

  test('who loses the right in between is refused, whichever comes first', async () => {
    // Ben takes what is nobody's, and Ann takes it at the same time: it is one of theirs, and the other is refused.
    for (let i = 0; i < 10; i++) {
      const { id } = await makeVideo(api, null, `race-${count}-${i}`)
      const callers = [ann, ben]
      const answers = await Promise.all(
        callers.map((caller) => api.as(caller)('POST', relationship(caller, 'videos'), { body: link('videos', id) })),
      )
      const { ownerId } = await api.db.video.findUniqueOrThrow({ where: { id } })
      expect(answers.map(({ status }, n) => [callers[n], status])).toEqual(
        callers.map((caller) => [caller, caller === ownerId ? 204 : 403]),
      )
    }
  })
})

describe('a thousand rows', () => {
  const aThousand = Array.from({ length: 1000 }, (_, i) => i)
  const changes = (queries: readonly string[]) => queries.filter((sql) => /^\s*(INSERT|UPDATE|DELETE)/i.test(sql))

  /** The user, the rows that come and those that go, beside what is read. */
  const expectFew = (queries: readonly string[]) => {
    expect(changes(queries).length).toBeLessThanOrEqual(4)
    expect(queries.length).toBeLessThan(25)
  }

  test('that a method judges are written by a few statements', async () => {
    const title = `many-${count}`
    const data = aThousand.map((i) => ({ title, url: 'https://videos.example/1', ownerId: i % 2 ? null : ben }))
    await api.db.video.createMany({ data })
    const ids = (await api.db.video.findMany({ where: { title } })).map(({ id }) => id)
    const queries = await api.queriesOf(async () => {
      const body = link('videos', ...ids)
      expect((await api.as(ben)('PATCH', relationship(ben, 'videos'), { body })).status).toBe(200)
    })
    expect(await api.db.video.count({ where: { ownerId: ben, title } })).toBe(1000)
    expect(await api.db.video.findUniqueOrThrow({ where: { id: bensVideo } })).toMatchObject({ ownerId: null })
    expectFew(queries)
  })

  test('that the database judges are asked by a few statements', async () => {
    const content = `many-${count}`
    const ofPost = { content, authorId: ben, postId: Number(annsPost) }
    await api.db.comment.createMany({ data: aThousand.map(() => ofPost) })
    const mine = (await api.db.comment.findMany({ where: { content } })).map(({ id }) => id)
    const { id: theirs } = await api.db.comment.create({ data: { ...ofPost, authorId: ann } })
    const send = (ids: readonly number[], to: number) =>
      api.as(ben)('POST', relationship(to, 'comments'), { body: link('comments', ...ids) })
    const carl = await makeUser(api, `carl-${count}`)
    const refused = await api.queriesOf(async () => {
      expectErrorsOf11(
        await send([...mine.slice(0, 999), theirs], carl),
        linkRefused(`You may not change the author of comments ${theirs}.`, '/data/999'),
      )
    })
    expect([changes(refused), refused.length < 25]).toEqual([[], true])
    expect(await api.db.comment.count({ where: { authorId: ben, content } })).toBe(1000)
    const queries = await api.queriesOf(async () => expectNothing(await send(mine, carl)))
    expectFew(queries)
    expect(await api.db.comment.count({ where: { authorId: carl, content } })).toBe(1000)
  })
})
