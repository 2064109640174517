import { PagePagination, Policy, type Rules, Schema, type User } from 'prismapi'
import { describe, expect, test, vi } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import { authSecret, useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, browserOf } from '../../support/pages.ts'
import { addPost, addTag, addUser } from '../../support/rows.ts'
import { theExample, useServers } from '../../support/servers.ts'

// What the start page tells beside the types: how many resources there are, and what changed last.

const api = useApi()
const browser = browserOf(api)

/** The numbers beside the types. */
const countsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/<h2>(?:<a href="[^"]*">)?([\w-]+)(?:<\/a>)? <small>([^<]*)<\/small><\/h2>/g)].map(
      ([, type, count]) => [(type as string).toLowerCase(), count as string],
    ),
  )

/** What changed last, in the order of the page: what it is called, where it leads, what it is, when. */
const recentIn = (text: string) => {
  const [, list = ''] = /<h2 id="recent">Recently changed<\/h2>\n<ul class="plain links">(.*?)<\/ul>/s.exec(text) ?? []
  return [...list.matchAll(/<li><a href="([^"]*)">([^<]*)<\/a> <small>(?:([^<·]*) · )?<time datetime="([^"]*)">/g)].map(
    ([, href, name, type, at]) => ({ href, name, type, at }),
  )
}

const pageAs = async (userId: number | null, base = '/api/v1') => {
  const headers: Record<string, string> = userId === null ? {} : { Cookie: (await browser.signIn(userId, base)).cookie }
  const { status, text } = await browser.send(base, { headers })
  expect(status).toBe(200)
  return text
}

const types = ['users', 'profiles', 'posts', 'tags', 'videos', 'comments'] as const

/** The types whose pages never say how many there are: everybody may list all of them. */
const uncounted: Partial<Record<(typeof types)[number], () => Promise<number>>> = {
  videos: () => api.db.video.count(),
  comments: () => api.db.comment.count(),
}

/** How many of each type the API says that there are, or shows: of what the caller may list. */
async function toldTo(userId: number | null): Promise<Readonly<Record<string, string>>> {
  const asking = userId === null ? api.guest : api.as(userId)
  const told = await Promise.all(
    types.map(async (type) => {
      const { status, body } = await asking.get(`/${type}`)
      if (status !== 200) return []
      return [[type, String(body.meta?.page?.total ?? (await uncounted[type]?.()) ?? body.data?.length)] as const]
    }),
  )
  return Object.fromEntries(told.flat())
}

const callers = [
  ['a guest', null],
  ['a member', users.member3],
  ['an editor', users.editor],
  ['an administrator', users.admin],
] as const

describe('counts', () => {
  test.each(callers)('are the totals that the API tells %s', async (_, userId) => {
    await addPost(api.db, { publishedAt: null })
    const counts = countsIn(await pageAs(userId))
    expect(counts).toEqual(await toldTo(userId))
    // Only an administrator may list users.
    expect(['users', 'posts', 'videos', 'comments'].map((type) => type in counts)).toEqual([
      userId === users.admin,
      true,
      true,
      true,
    ])
  })

  test('are not counted again as long as nobody has committed', async () => {
    const isCount = (sql: string) => /^\s*select count\(\*\)/i.test(sql)
    // A member is asked about for what is published by now, which is another question each time.
    const countsFor = async (userId: number) => (await api.queriesOf(() => pageAs(userId))).filter(isCount)
    await countsFor(users.admin)
    await vi.waitFor(async () => expect(await countsFor(users.admin)).toEqual([]), { timeout: 100_000, interval: 5 })
    await addTag(api.db)
    expect((await countsFor(users.admin)).length).toBeGreaterThan(0)
  })

  test('are beside the types on every page, of either server', async () => {
    const railAt = async (base: string) => {
      const { status, text } = await browser.send(`${base}/-browse/counts`, {})
      expect(status).toBe(200)
      return JSON.parse(text)
    }
    const counts = { videos: String(await api.db.video.count()), comments: String(await api.db.comment.count()) }
    expect(await railAt('/api/v1')).toEqual(await toldTo(null))
    expect(await railAt('/api/v2')).toMatchObject({ ...counts, posts: (await toldTo(null)).posts })
  })

  test('are written as the reader writes numbers, and need no script', async () => {
    await api.db.tag.createMany({ data: Array.from({ length: 1000 }, (_, i) => ({ name: `one of many ${i}` })) })
    const text = await pageAs(null)
    expect(countsIn(text).tags).toBe((await api.db.tag.count()).toLocaleString('en'))
    await api.db.tag.deleteMany({ where: { name: { startsWith: 'one of many' } } })
  })
})

describe('of a table with a million rows whose pages have no total', () => {
  const large = useServers(async () => ({ ...(await theExample()), production: false, rows: { Comment: 1_000_000 } }))

  test('nothing is counted', async () => {
    const response = await fetch(`${large.at}/api/v1`, { headers: { Accept: browserAccept } })
    const counts = countsIn(await response.text())
    expect(['videos', 'comments'].map((type) => type in counts)).toEqual([true, false])
  })
})

describe('what changed last', () => {
  test('is the newest of all types, by the instant of its last change or of its making', async () => {
    const at = (day: number) => new Date(Date.UTC(2090, 0, day))
    const post = await addPost(api.db, { title: 'Newest of all', updatedAt: at(3) })
    const video = await api.db.video.create({
      data: { title: 'A late film', url: 'https://a.example', createdAt: at(2) },
    })
    const comment = await api.db.comment.create({
      data: { content: 'x', authorId: users.member3, postId: post.id, createdAt: at(1) },
    })
    const text = await pageAs(users.member3)
    const recent = recentIn(text)
    expect(text).toContain('At most 3 of each type')
    expect(recent.slice(0, 3)).toEqual([
      { href: `/api/v1/posts/${post.id}`, name: 'Newest of all', type: 'post', at: at(3).toISOString() },
      { href: `/api/v1/videos/${video.id}`, name: 'A late film', type: 'video', at: at(2).toISOString() },
      {
        href: `/api/v1/comments/${comment.id}`,
        name: 'x',
        type: 'comment',
        at: at(1).toISOString(),
      },
    ])
    expect(recent).toHaveLength(8)
    expect(recent.filter(({ href }) => href?.startsWith('/api/v1/comments/'))).toHaveLength(3)
    await api.db.comment.delete({ where: { id: comment.id } })
    await api.db.video.delete({ where: { id: video.id } })
    await api.db.post.delete({ where: { id: post.id } })
  })

  test('is what the caller may list: a draft is shown to its author and to editors', async () => {
    const draft = await addPost(api.db, { title: 'Still a draft', publishedAt: null, updatedAt: new Date() })
    const isShown = async (userId: number | null) => (await pageAs(userId)).includes('Still a draft')
    expect([await isShown(users.member3), await isShown(users.editor)]).toEqual([true, true])
    expect([await isShown(null), await isShown(users.member4)]).toEqual([false, false])
    const account = await addUser(api.db, { name: 'A new account' })
    const isListed = async (userId: number | null) => (await pageAs(userId)).includes('A new account')
    expect([await isListed(users.admin), await isListed(users.editor), await isListed(null)]).toEqual([
      true,
      false,
      false,
    ])
    await api.db.post.delete({ where: { id: draft.id } })
    await api.db.user.delete({ where: { id: account.id } })
  })

  test('every link of it leads to a page', async () => {
    const { cookie } = await browser.signIn(users.admin)
    for (const { href } of recentIn(await pageAs(users.admin)))
      expect((await browser.send(href as string, { headers: { Cookie: cookie } })).status).toBe(200)
  })
})

describe('hidden fields', () => {
  class PostPolicy extends Policy<'Post'> {
    override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
      can(this.reads)
      if (user) return
      cannot('view', 'title')
      cannot('view', 'updatedAt', { slug: { startsWith: 'secret' } })
    }
  }
  const servers = useServers(async () => {
    const { policies, ...parts } = await theExample()
    return { ...parts, production: false, policies: new Map([...policies, ['Post', PostPolicy]]) as typeof policies }
  })
  const pageOf = async (userId: number | null) => {
    const own = browserOf({
      url: (path) => servers.at + path,
      authorization: async (id) => `Bearer ${await signToken(id, authSecret)}`,
    })
    const headers: Record<string, string> = userId === null ? {} : { Cookie: (await own.signIn(userId)).cookie }
    return (await own.send('/api/v1', { headers })).text
  }

  test('name nothing, and order nothing', async () => {
    const late = { updatedAt: new Date() }
    const secret = await addPost(servers.db, { slug: 'secret-instant', title: 'No title for guests', ...late })
    const plainOne = await addPost(servers.db, { title: 'No title either', ...late })
    const [guest, member] = [await pageOf(null), await pageOf(users.member4)]
    expect([guest.includes('No title'), guest.includes(`/posts/${secret.id}"`)]).toEqual([false, false])
    expect(recentIn(guest).map(({ name }) => name)).toContain(`Post ${plainOne.id}`)
    expect(recentIn(member).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['No title for guests', 'No title either']),
    )
  })
})

describe('a price', () => {
  class Tag extends Schema<'Tag'> {}
  class Post extends Schema<'Post'> {}
  class Video extends Schema<'Video'> {
    override defaultPagination = { number: '1' }

    override pagination() {
      return new PagePagination().withSimplePagination()
    }
  }
  const servers = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [
      openServer('rich', { Tag, Post, Video }),
      openServer('poor', { Tag, Post, Video }, { limits: { cost: 100 } }),
      // The least that a table is priced at is a thousand rows, a hundredth of which is a point.
      openServer('modest', { Tag, Post, Video }, { limits: { cost: 15 } }),
    ],
  }))
  const at = async (name: string) => {
    const response = await fetch(`${servers.at}/api/${name}`, { headers: { Accept: browserAccept } })
    return { status: response.status, text: await response.text() }
  }

  test('is paid out of what one page may cost: what is too dear is left out, and the page is there', async () => {
    const [rich, poor, modest] = [await at('rich'), await at('poor'), await at('modest')]
    expect([rich.status, poor.status, modest.status]).toEqual([200, 200, 200])
    expect(Object.keys(countsIn(rich.text))).toEqual(['posts', 'tags', 'videos'])
    expect(Object.keys(countsIn(poor.text))).toEqual(['posts', 'tags', 'videos'])
    expect(Object.keys(countsIn(modest.text))).toEqual(['posts'])
    // An index serves the order of videos, and none that of posts.
    const recent = [rich, poor, modest].map(({ text }) => recentIn(text).map(({ type }) => type))
    expect(recent).toEqual([['post', 'post', 'post', 'video', 'video', 'video'], ['video', 'video', 'video'], []])
  })
})
