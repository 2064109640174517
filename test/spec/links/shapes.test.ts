import type { PolicyClass } from '@prismapi/core/auth/policy'
import { Policy, type Rules } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FixtureProvider } from '../../support/any-schema/fixtures.ts'
import { schemaClasses } from '../../support/any-schema/schema-classes.ts'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'
import { provider as database } from '../../support/database.ts'
import { linkRefused } from '../../support/links/servers.ts'

// No fixture is written for MariaDB.
const provider: FixtureProvider = database === 'postgresql' ? database : 'sqlite'

// Links of every shape that a schema can have. Rows that say "mine" may be updated, and no others.

type Condition = object

/** A policy for callers who create and read everything, and update what the condition says. */
function updating(where: Condition | null): PolicyClass {
  return class extends Policy {
    override abilities(rules: Rules<never>) {
      rules.can([this.reads, 'create', this.writes] as never)
      rules.cannot('update')
      if (where) rules.can('update', where as never)
    }
  } as never
}

/** A policy of callers who read everything, and otherwise do what is said. */
function deciding(conditions: Readonly<Record<string, Condition | null>>): PolicyClass {
  return class extends Policy {
    override abilities(rules: Rules<never>) {
      rules.can(this.reads as never)
      for (const [action, where] of Object.entries(conditions))
        if (where) rules.can(action as never, where as never)
        else rules.can(action as never)
    }
  } as never
}

const everything = updating({})

type Api = ReturnType<typeof useFixture>

/** The answer of a request that writes nothing. */
async function unwritten(api: Api, models: readonly string[], work: () => ReturnType<Api['ask']>) {
  const before = await api.rows(...models)
  const { status, body } = await work()
  expect(await api.rows(...models)).toEqual(before)
  return { status, errors: body?.errors }
}

const refused = (...errors: readonly object[]) => ({ status: 403, errors })

const resource = (type: string, id: string, relationships: object) => ({ data: { type, id, relationships } })

describe('a relation of a type with itself', () => {
  const api = useFixture('relations', {
    provider,
    policies: { Folder: updating({ name: { startsWith: 'mine' } }) },
  })
  const models = ['Folder']
  const refusal = (id: string) => `You may not change the parent of folders ${id}.`

  test('asks for each child, beside the parent', async () => {
    const mine = await api.create('folders', { name: 'mine' })
    const theirs = await api.create('folders', { name: 'theirs' })
    const own = await api.create('folders', { name: 'mine, too' })
    const children = to('folders', own, theirs)
    expect(
      await unwritten(api, models, () => api.ask('PATCH', `/folders/${mine}`, resource('folders', mine, { children }))),
    ).toEqual(refused(linkRefused(refusal(theirs), '/data/relationships/children/data/1')))
    expect(
      await unwritten(api, models, () => api.ask('POST', `/folders/${mine}/relationships/children`, children)),
    ).toEqual(refused(linkRefused(refusal(theirs), '/data/1')))
    // To be a child of another is a write of one's own row.
    const { status } = await api.ask(
      'PATCH',
      `/folders/${own}`,
      resource('folders', own, { parent: toOne('folders', theirs) }),
    )
    expect([status, await api.linkage(`/folders/${theirs}/relationships/children`)]).toEqual([
      200,
      to('folders', own).data,
    ])
    expect(
      await unwritten(api, models, () =>
        api.ask('PATCH', `/folders/${theirs}`, resource('folders', theirs, { parent: toOne('folders', mine) })),
      ),
    ).toMatchObject({ status: 403 })
  })

  test('asks for oneself as a child of oneself', async () => {
    const mine = await api.create('folders', { name: 'mine' })
    const { status } = await api.ask(
      'PATCH',
      `/folders/${mine}`,
      resource('folders', mine, { children: to('folders', mine) }),
    )
    expect([status, await api.linkage(`/folders/${mine}/relationships/parent`)]).toEqual([
      200,
      toOne('folders', mine).data,
    ])
  })

  test('to one: the row that keeps the link is asked, by whatever end, and who loses it', async () => {
    const a = await api.create('folders', { name: 'mine a' })
    const b = await api.create('folders', { name: 'mine b' })
    const theirs = await api.create('folders', { name: 'theirs' }, { next: toOne('folders', b) })
    // `theirs` keeps `next`.
    for (const [url, body, at] of [
      [`/folders/${a}`, resource('folders', a, { previous: toOne('folders', theirs) }), '/data/relationships/previous'],
      [`/folders/${a}/relationships/previous`, toOne('folders', theirs), '/data'],
      [`/folders/${b}`, resource('folders', b, { previous: toOne('folders', null) }), '/data/relationships/previous'],
      [`/folders/${b}/relationships/previous`, toOne('folders', null), '/data'],
      [`/folders/${b}/relationships/previous`, toOne('folders', a), '/data'],
    ] as const)
      expect([url, await unwritten(api, models, () => api.ask('PATCH', url, body))]).toEqual([
        url,
        refused(linkRefused(`You may not change the next of folders ${theirs}.`, at)),
      ])
    // By the end that keeps it.
    for (const [method, url, body, at] of [
      ['PATCH', `/folders/${a}`, resource('folders', a, { next: toOne('folders', b) }), '/data/relationships/next'],
      ['PATCH', `/folders/${a}/relationships/next`, toOne('folders', b), '/data'],
      [
        'POST',
        '/folders',
        { data: { type: 'folders', attributes: { name: 'mine c' }, relationships: { next: toOne('folders', b) } } },
        '/data/relationships/next',
      ],
    ] as const)
      expect([url, await unwritten(api, models, () => api.ask(method, url, body))]).toEqual([
        url,
        refused(linkRefused(`You may not change the next of folders ${theirs}.`, at)),
      ])
  })
})

describe('has-one of another type', () => {
  const api = useFixture('relations', {
    provider,
    policies: {
      User: everything,
      Locker: updating({ id: { lte: 2 } }),
      Passport: updating({ number: { startsWith: 'mine' } }),
    },
  })
  const models = ['Locker', 'User', 'Passport']
  const user = (handle: string, relationships: object = {}) => api.create('users', { handle }, relationships)

  test('asks for the row that comes and for the row that goes', async () => {
    const lockers = [
      await api.create('lockers', {}),
      await api.create('lockers', {}),
      await api.create('lockers', {}),
    ] as [string, string, string]
    const [mine, mine2, theirs] = lockers
    const ann = await user('ann', { locker: toOne('lockers', mine) })
    const ben = await user('ben')
    await api.execute(`UPDATE "Locker" SET "userId" = ${ben} WHERE id = ${theirs}`)
    const refusal = (at: string) => refused(linkRefused(`You may not change the user of lockers ${theirs}.`, at))
    const asked = (url: string, body: object) => unwritten(api, models, () => api.ask('PATCH', url, body))
    expect(await asked(`/users/${ben}/relationships/locker`, toOne('lockers', mine2))).toEqual(refusal('/data'))
    expect(await asked(`/users/${ben}/relationships/locker`, toOne('lockers', null))).toEqual(refusal('/data'))
    expect(await asked(`/users/${ann}/relationships/locker`, toOne('lockers', theirs))).toEqual(refusal('/data'))
    expect(await asked(`/users/${ben}`, resource('users', ben, { locker: toOne('lockers', mine) }))).toEqual(
      refusal('/data/relationships/locker'),
    )
    expect(await asked(`/lockers/${mine2}`, resource('lockers', mine2, { user: toOne('users', ben) }))).toEqual(
      refusal('/data/relationships/user'),
    )
    expect(await asked(`/lockers/${mine2}/relationships/user`, toOne('users', ben))).toEqual(refusal('/data'))
    const { status } = await api.ask('PATCH', `/users/${ann}/relationships/locker`, toOne('lockers', mine2))
    expect([status, await api.rows('Locker')]).toEqual([
      200,
      {
        Locker: [
          { id: 1, userId: null },
          { id: 2, userId: Number(ann) },
          { id: 3, userId: Number(ben) },
        ],
      },
    ])
  })
})

describe('keys of several columns', () => {
  const api = useFixture('tenants', {
    provider,
    policies: {
      Tenant: everything,
      Employee: updating({ name: { startsWith: 'mine' } }),
      Project: updating({ title: { startsWith: 'mine' } }),
      Task: updating({ title: { startsWith: 'mine' } }),
      Room: everything,
      Booking: updating(null),
      Partner: everything,
      Commission: updating({ amount: 1 }),
    },
  })

  test('ask for the row that has them', async () => {
    const t = await api.create('tenants', { name: 't' }, {}, { id: 't' })
    const u = await api.create('tenants', { name: 'u' }, {}, { id: 'u' })
    const e1 = await api.create('employees', { number: 1, name: 'mine' }, { tenant: toOne('tenants', t) })
    const e2 = await api.create('employees', { number: 2, name: 'theirs' }, { tenant: toOne('tenants', t) })
    const p1 = await api.create(
      'projects',
      { title: 'mine' },
      { tenant: toOne('tenants', t), lead: toOne('employees', e2), deputy: toOne('employees', e2) },
    )
    const p2 = await api.create(
      'projects',
      { title: 'theirs' },
      { tenant: toOne('tenants', t), lead: toOne('employees', e2), deputy: toOne('employees', e2) },
    )
    const models = ['Tenant', 'Employee', 'Project']
    const asked = (method: string, url: string, body: object) =>
      unwritten(api, models, () => api.ask(method, url, body))
    expect(await asked('POST', `/employees/${e1}/relationships/reports`, to('employees', e2))).toEqual(
      refused(linkRefused(`You may not change the manager of employees ${e2}.`, '/data/0')),
    )
    expect(
      await asked(
        'PATCH',
        `/employees/${e1}`,
        resource('employees', e1, { leads: to('projects', p1, p2), helps: to('projects', p2) }),
      ),
    ).toEqual(
      refused(
        linkRefused(`You may not change the lead of projects ${p2}.`, '/data/relationships/leads/data/1'),
        linkRefused(`You may not change the deputy of projects ${p2}.`, '/data/relationships/helps/data/0'),
      ),
    )
    expect(await asked('PATCH', `/tenants/${u}`, resource('tenants', u, { projects: to('projects', p2) }))).toEqual(
      refused(linkRefused(`You may not change the tenant of projects ${p2}.`, '/data/relationships/projects/data/0')),
    )
  })
})

describe('a polymorphic relation', () => {
  const api = useFixture('morphs', {
    provider,
    schemas: schemaClasses.morphs ?? {},
    policies: {
      Post: everything,
      Video: everything,
      Page: everything,
      Comment: updating({ text: { startsWith: 'mine' } }),
    },
  })

  test('asks for the comment, whatever it is at', async () => {
    const post = await api.create('posts', { title: 'a' })
    const video = await api.create('videos', { title: 'b' })
    const page = await api.create('pages', { site: 's', path: 'p' }, {}, { id: 's_p' })
    const mine = await api.create('comments', { text: 'mine' }, { commentable: toOne('posts', post) })
    const theirs = await api.create('comments', { text: 'theirs' }, { commentable: toOne('posts', post) })
    const asked = (method: string, url: string, body: object) =>
      unwritten(api, ['Comment'], () => api.ask(method, url, body))
    const refusal = (at: string) =>
      refused(linkRefused(`You may not change the commentable of comments ${theirs}.`, at))
    for (const parent of [`/videos/${video}`, `/pages/${page}`]) {
      expect(await asked('POST', `${parent}/relationships/comments`, to('comments', mine, theirs))).toEqual(
        refusal('/data/1'),
      )
      expect(await asked('PATCH', `${parent}/relationships/comments`, to('comments', theirs))).toEqual(
        refusal('/data/0'),
      )
    }
    expect(await asked('DELETE', `/posts/${post}/relationships/comments`, to('comments', theirs))).toEqual(
      refusal('/data/0'),
    )
    expect(await asked('PATCH', `/posts/${post}/relationships/comments`, to('comments', mine))).toEqual(
      refusal('/data'),
    )
    expect(await asked('PATCH', `/posts/${post}`, resource('posts', post, { comments: to('comments') }))).toEqual(
      refused(
        ...[mine, theirs].flatMap((id) =>
          id === mine
            ? []
            : [linkRefused(`You may not change the commentable of comments ${id}.`, '/data/relationships/comments')],
        ),
      ),
    )
    const { status } = await api.ask('POST', `/videos/${video}/relationships/comments`, to('comments', mine))
    expect([status, await api.linkage(`/comments/${mine}/relationships/commentable`)]).toEqual([
      204,
      toOne('videos', video).data,
    ])
  })
})

describe('a model of its own between two others', () => {
  const api = useFixture('joins', {
    provider,
    policies: {
      Post: everything,
      Tag: everything,
      Category: everything,
      User: everything,
      Follow: updating(null),
      Label: updating(null),
      Shelf: everything,
      ShelfPost: everything,
      PostTag: deciding({ delete: { tagId: { gte: 3 } } }),
      CategoriesOnPosts: deciding({ create: null, delete: { position: 0 } }),
      Review: everything,
      Member: everything,
      Complaint: everything,
      MemberComplaint: deciding({ create: null }),
    },
  })
  const models = ['Post', 'PostTag', 'CategoriesOnPosts', 'MemberComplaint']
  const asked = (method: string, url: string, body: object) => unwritten(api, models, () => api.ask(method, url, body))
  // Rules say that the links of the first two may not go.
  const [tag, tag2, third] = ['1', '2', '3'] as const
  beforeAll(async () => {
    for (const id of [tag, tag2, third]) expect(await api.create('tags', { name: `t${id}` })).toBe(id)
  })
  const unnamed = (policy: string, action: string) =>
    `This action is unauthorized. No method and no rule of policies/${policy}.policy.ts names ${action} for this user.`

  test('is asked for create and delete', async () => {
    const post = await api.create('posts', { title: 'a' })
    await api.execute(`INSERT INTO "PostTag" ("postId", "tagId") VALUES (${post}, ${tag})`)
    const creation = (at: string) => linkRefused(unnamed('post-tag', 'create'), at)
    const removal = (at: string) => linkRefused(`You may not delete post-tags ${post}_${tag}.`, at)
    expect(await asked('POST', `/posts/${post}/relationships/tags`, to('tags', tag, tag2))).toEqual(
      refused(creation('/data/1')),
    )
    expect(await asked('DELETE', `/posts/${post}/relationships/tags`, to('tags', tag2, tag))).toEqual(
      refused(removal('/data/1')),
    )
    expect(await asked('PATCH', `/posts/${post}/relationships/tags`, to('tags'))).toEqual(refused(removal('/data')))
    expect(await asked('PATCH', `/posts/${post}`, resource('posts', post, { tags: to('tags', tag2) }))).toEqual(
      refused(creation('/data/relationships/tags/data/0'), removal('/data/relationships/tags')),
    )
    // By the other end.
    expect(await asked('PATCH', `/tags/${tag2}`, resource('tags', tag2, { posts: to('posts', post) }))).toEqual(
      refused(creation('/data/relationships/posts/data/0')),
    )
    const data = { type: 'posts', attributes: { title: 'x' }, relationships: { tags: to('tags', tag2) } }
    expect(await asked('POST', '/posts', { data })).toEqual(refused(creation('/data/relationships/tags/data/0')))
    // What is linked, and stays, is nobody's to ask.
    expect(await asked('PATCH', `/posts/${post}`, resource('posts', post, { tags: to('tags', tag) }))).toEqual({
      status: 200,
    })
  })

  test('by what its rows say', async () => {
    const post = await api.create('posts', { title: 'a' })
    await api.execute(`INSERT INTO "PostTag" ("postId", "tagId") VALUES (${post}, ${tag}), (${post}, ${third})`)
    const url = `/posts/${post}/relationships/tags`
    const removal = (at: string) => refused(linkRefused(`You may not delete post-tags ${post}_${tag}.`, at))
    expect(await asked('DELETE', url, to('tags', third, tag))).toEqual(removal('/data/1'))
    expect(await asked('PATCH', url, to('tags'))).toEqual(removal('/data'))
    expect((await api.ask('PATCH', url, to('tags', tag))).status).toBe(200)
    expect(await api.linkage(url)).toEqual(to('tags', tag).data)
  })

  test('which leads to one only is not taken', async () => {
    const ann = await api.create('members', { name: 'ann' })
    const ben = await api.create('members', { name: 'ben' })
    const spam = await api.create('complaints', { reason: 'spam' })
    expect((await api.ask('POST', `/members/${ann}/relationships/complaints`, to('complaints', spam))).status).toBe(204)
    expect(await asked('POST', `/members/${ben}/relationships/complaints`, to('complaints', spam))).toMatchObject({
      status: 409,
    })
    expect(await asked('PATCH', `/members/${ann}/relationships/complaints`, to('complaints'))).toEqual(
      refused(linkRefused(`You may not delete member-complaints ${spam}_${ann}.`, '/data')),
    )
  })

  test('but a table that is nothing but links asks nobody', async () => {
    const post = await api.create('posts', { title: 'a' })
    const label = await api.create('labels', {}, {}, { id: `label-${post}` })
    const { status } = await api.ask('PATCH', `/posts/${post}/relationships/labels`, to('labels', label))
    expect([status, await api.linkage(`/labels/${label}/relationships/posts`)]).toEqual([200, to('posts', post).data])
  })
})
