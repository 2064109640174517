import { forbidden, integer, Policy, ResourceCollectionQuery, type Rules, Schema, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import { authSecret, useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, browserOf } from '../../support/pages.ts'
import { addPost, addUser } from '../../support/rows.ts'
import { theExample, useServers } from '../../support/servers.ts'

// A page asks before something is deleted, and its form needs no script.

describe('the page that asks', () => {
  class User extends Schema<'User'> {}
  class Post extends Schema<'Post'> {}
  class Profile extends Schema<'Profile'> {}
  class Comment extends Schema<'Comment'> {}
  class CommentsQuery extends ResourceCollectionQuery<'Comment'> {
    override rules() {
      return { 'filter.post.id': integer().required() }
    }
  }
  const hidden = 3
  const api = useServers(() => ({
    policies: new Map(),
    production: false,
    servers: [
      openServer('all', { User, Post, Profile, Comment }),
      openServer('some', { User, Post, Comment }, { serving: (phase) => phase.scope('Post', { id: { lte: hidden } }) }),
      openServer('ruled', { User, Post, Comment }, { requests: { Comment: { collectionQuery: CommentsQuery } } }),
      openServer(
        'hooked',
        { User, Post, Comment },
        {
          serving: (phase) =>
            phase.reading('Comment', () => {
              throw forbidden()
            }),
        },
      ),
      openServer('modest', { User, Post, Comment }, { limits: { cost: 1 } }),
    ],
  }))
  const pageOf = async (path: string) =>
    (await fetch(`${api.at}/api${path}`, { headers: { Accept: browserAccept } })).text()
  const listed = (text: string) =>
    [...text.matchAll(/<p>([^<]*)<\/p><ul>(.*?)<\/ul>/g)].map(([, what, those]) => [what, those])
  /** What is in the way, and how many of its rows are named. */
  const kept = (text: string) =>
    [...text.matchAll(/<p>([^<]*)<\/p><ul class="blockers">(.*?)<\/ul>/g)].map(([, what, those = '']) => [
      what,
      those.split('<li>').length - 1,
    ])

  test('counts what goes along, and what keeps it from going', async () => {
    const own = { authorId: users.member3 }
    const posts = await api.db.post.count({ where: { ...own, deletedAt: null } })
    const comments = await api.db.comment.count({ where: own })
    await api.db.profile.upsert({ where: { userId: users.member3 }, create: { userId: users.member3 }, update: {} })
    const text = await pageOf(`/all/users/${users.member3}?-delete=true`)
    expect(text).toContain('<h1>Member 3 cannot be deleted</h1>')
    expect(kept(text)).toEqual([
      [`${posts} posts refer to it.`, Math.min(5, posts)],
      [`${comments} comments refer to it.`, 5],
    ])
    // What cannot be deleted takes nothing along, and there is no button for it.
    expect(listed(text)).toEqual([])
    expect(text).not.toContain('name="-method"')
    const { id } = await addUser(api.db)
    await api.db.profile.create({ data: { userId: id } })
    const free = await pageOf(`/all/users/${id}?-delete=true`)
    expect(listed(free)).toEqual([['Deleted with it:', '<li>1 profile</li>']])
    expect(free).toContain('name="-method"')
    expect(free).toMatch(/<h1>Delete [^<]+\?<\/h1>/)
  })

  test('counts no row that its reader is not listed, and no type that the server does not have', async () => {
    const own = { authorId: users.member3 }
    const posts = await api.db.post.count({ where: { ...own, deletedAt: null, id: { lte: hidden } } })
    const comments = await api.db.comment.count({ where: own })
    const text = await pageOf(`/some/users/${users.member3}?-delete=true`)
    const told = [posts === 1 ? '1 post refers to it.' : `${posts} posts refer to it.`, Math.min(5, posts)]
    expect(kept(text)).toEqual([...(posts === 0 ? [] : [told]), [`${comments} comments refer to it.`, 5]])
  })

  test('counts nothing that its reader is refused once it is asked for', async () => {
    const posts = await api.db.post.count({ where: { authorId: users.member3, deletedAt: null } })
    const told = [[`${posts} posts refer to it.`, Math.min(5, posts)]]
    expect(kept(await pageOf(`/ruled/users/${users.member3}?-delete=true`))).toEqual(told)
    expect(kept(await pageOf(`/hooked/users/${users.member3}?-delete=true`))).toEqual(told)
  })

  test('names what costs too much to be counted', async () => {
    expect(listed(await pageOf(`/modest/users/${users.member3}?-delete=true`))).toEqual([
      ['Not counted, because there may be too many:', '<li>posts</li><li>comments</li>'],
    ])
  })

  test('says where nothing goes along', async () => {
    const { id } = await api.db.comment.findFirstOrThrow()
    expect(await pageOf(`/all/comments/${id}?-delete=true`)).toContain(
      'Nothing else that you may see is deleted with it.',
    )
  })
})

describe('what a policy decides by a method', () => {
  class UserPolicy extends Policy<'User'> {
    override abilities({ can }: Rules<'User'>) {
      can(this.reads)
      can('delete')
    }
  }
  class CommentPolicy extends Policy<'Comment'> {
    override viewAny(user: User | null) {
      return user !== null
    }
  }
  const api = useServers(async () => {
    const { policies, ...parts } = await theExample()
    const own = new Map([...policies, ['User', UserPolicy], ['Comment', CommentPolicy]]) as typeof policies
    return { ...parts, production: false, policies: own }
  })

  test('is not counted for who may not list it', async () => {
    const { id } = await addUser(api.db)
    const post = await addPost(api.db)
    await api.db.comment.create({ data: { content: 'Counted for some.', authorId: id, postId: post.id } })
    const authorization = async (userId: number) => `Bearer ${await signToken(userId, authSecret)}`
    const browser = browserOf({ url: (path) => api.at + path, authorization })
    const pageOf = async (headers: Readonly<Record<string, string>>) =>
      (await browser.send(`/api/v1/users/${id}?-delete=true`, { headers })).text
    const { cookie } = await browser.signIn(users.member3)
    expect(await pageOf({ Cookie: cookie })).toContain('<p>1 comment refers to it.</p><ul class="blockers">')
    const text = await pageOf({})
    expect(text).toContain('Nothing else that you may see is deleted with it.')
    expect(text).not.toContain('1 comment')
  })
})

describe('its form', () => {
  const api = useApi()
  const browser = browserOf(api)
  const asked = async (id: number, cookie: string) =>
    (await browser.send(`/posts/${id}?-delete=true`, { headers: { Cookie: cookie } })).text
  const fieldsOf = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/<input type="hidden" name="(-[a-z]+)" value="([^"]*)">/g)].map(([, name, value]) => [
        name,
        value?.replaceAll('&quot;', '"'),
      ]),
    ) as Record<string, string>

  test('deletes without a script, and leads to the collection', async () => {
    const post = await addPost(api.db, { authorId: users.member3 })
    const { cookie } = await browser.signIn(users.member3)
    const own = await browser.send(`/posts/${post.id}`, { headers: { Cookie: cookie } })
    expect(own.text).toContain(`href="/api/v1/posts/${post.id}?-delete=true">Delete</a>`)
    const text = await asked(post.id, cookie)
    expect(text).toContain('It is put into the bin.')
    const { status, headers } = await browser.submit(`/posts/${post.id}`, fieldsOf(text), { Cookie: cookie })
    expect([status, headers.get('Location')]).toEqual([303, `/api/v1/posts?-did=delete+${post.id}`])
    expect((await api.db.post.findUniqueOrThrow({ where: { id: post.id } })).deletedAt).toEqual(expect.any(Date))
  })

  test('is about the version that was shown', async () => {
    const post = await addPost(api.db, { authorId: users.member3 })
    const { cookie } = await browser.signIn(users.member3)
    const fields = fieldsOf(await asked(post.id, cookie))
    await api.db.post.update({
      where: { id: post.id },
      data: { title: 'Changed', updatedAt: new Date(Date.now() + 5000) },
    })
    const { status, text } = await browser.submit(`/posts/${post.id}`, fields, { Cookie: cookie })
    expect([status, text.includes('<h1>Error 412</h1>')]).toEqual([412, true])
    expect((await api.db.post.findUniqueOrThrow({ where: { id: post.id } })).deletedAt).toBeNull()
  })

  test.each([
    ['without the seal', { '-method': 'DELETE' }, {}, 403],
    ['with another seal', { '-method': 'DELETE', '-seal': 'x'.repeat(43) }, {}, 403],
    ['from another site', {}, { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['from another origin', {}, { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.example' }, 403],
    ['with another method', { '-method': 'PUT' }, {}, 400],
  ])('%s deletes nothing', async (what, changed, headers, status) => {
    const post = await addPost(api.db, { authorId: users.member3 })
    const { cookie } = await browser.signIn(users.member3)
    const fields = fieldsOf(await asked(post.id, cookie))
    const sent = { ...(what === 'without the seal' ? {} : fields), ...changed }
    const others = Object.fromEntries(
      Object.entries({ 'Sec-Fetch-Site': 'same-origin', ...headers }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>
    const answer = await browser.send(`/posts/${post.id}`, {
      method: 'POST',
      body: new URLSearchParams(sent),
      headers: { Cookie: cookie, ...others },
    })
    expect(answer.status).toBe(status)
    expect((await api.db.post.findUniqueOrThrow({ where: { id: post.id } })).deletedAt).toBeNull()
  })

  test('is not offered to who may not delete', async () => {
    const post = await addPost(api.db, { authorId: users.admin, publishedAt: new Date(0) })
    const { cookie } = await browser.signIn(users.member3)
    const text = await asked(post.id, cookie)
    expect(text).toMatch(/<h1>[^<]+ cannot be deleted<\/h1>/)
    expect(text).toContain('<div class="why"><p>You may not do this with this record.</p><details class="where">')
    expect(text).toContain('<small>policies/post.policy.ts:')
    expect(text).not.toContain('name="-method"')
  })

  test('says before it is sent why it would be refused', async () => {
    const post = await addPost(api.db, { authorId: users.member3 })
    await api.db.comment.create({ data: { content: 'Stays.', authorId: users.member3, postId: post.id } })
    const { cookie } = await browser.signIn(users.editor)
    const text = await asked(post.id, cookie)
    expect(text).toContain('<div class="why"><p>A post with comments cannot be deleted.</p>')
    expect(text).toMatch(
      /<p>1 comment refers to it\.<\/p><ul class="blockers"><li><a href="\/api\/v1\/comments\/\d+">Stays\.<\/a><\/li><\/ul>/,
    )
    // Nothing to press, and nothing that says the contrary.
    expect(text).not.toContain('name="-method"')
    expect(text).not.toContain('It is put into the bin.')
  })

  test('is no way into the API for other clients', async () => {
    const { id } = await addPost(api.db, { authorId: users.member3 })
    const answer = await api.as(users.member3).request('POST', `/api/v1/posts/${id}`, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: '-method=DELETE',
    })
    expect(answer.status).toBe(405)
  })
})
