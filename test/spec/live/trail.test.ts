import { Policy, ResourceRequest, type Rules, Schema, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { users } from '../../support/api.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// The log of changes as the type `changes`: docs/live.md.

class Audited extends V2 {
  override readonly live = { trail: true }
}
class ChangePolicy extends Policy {
  override abilities({ can }: Rules, user: User | null) {
    if (user) can(this.reads)
  }
}
const withPolicy = (policies: ReadonlyMap<string, never>) => new Map([...policies, ['Change', ChangePolicy]]) as never
const audited = useServers(async () => {
  const parts = await exampleWith(Audited)
  return { ...parts, policies: withPolicy(parts.policies as never) }
})
const unruled = useServers(() => exampleWith(Audited))
const fields = useServers(async () => {
  const parts = await fieldServers(Audited)
  return { ...parts, policies: withPolicy(parts.policies as never) }
})
const plain = useServers(() => exampleWith(V2))

/** No policy is asked of tags, and yet their request class shows them to administrators alone. */
class OpenTags extends Schema<'Tag'> {
  override authorizable() {
    return false
  }
}
class TagRequest extends ResourceRequest<'Tag'> {
  override authorize() {
    return this.user?.role === 'ADMIN' ? null : false
  }
}
const unprotected = useServers(async () => {
  const parts = await exampleWith(Audited, {
    schemas: new Map([['Tag', OpenTags]]) as never,
    requests: new Map([['Tag', { request: TagRequest }]]) as never,
  })
  return { ...parts, policies: withPolicy(parts.policies as never) }
})

const admin = () => audited.as(users.admin)
const member = () => audited.as(users.member3)
const trailOf = async (ask: ReturnType<typeof admin>, query: string) => {
  const { status, body } = await ask('GET', `/api/v2/changes?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => attributes)
}

describe('the trail', () => {
  test('says who changed what, when, and how it was', async () => {
    const { body } = await admin()('POST', '/api/v2/tags', {
      body: { data: { type: 'tags', attributes: { name: 'Trailed' } } },
      headers: { 'X-Request-Id': 'not used here' },
    })
    const { id } = body.data
    await admin()('PATCH', `/api/v2/tags/${id}`, {
      body: { data: { type: 'tags', id, attributes: { name: 'Other' } } },
    })
    await audited.db.$executeRawUnsafe(`DELETE FROM "Tag" WHERE "id" = ${id}`)
    const changes = await trailOf(admin(), `filter[resource]=tags:${id}`)
    const resource = { type: 'tags', id }
    expect(changes.map(({ at, ...change }: { at: string }) => change)).toEqual([
      { resource, action: 'delete', before: { name: 'Other' }, after: null, request: null, user: null, agent: null },
      {
        resource,
        action: 'update',
        before: { name: 'Trailed' },
        after: { name: 'Other' },
        request: null,
        user: '1',
        agent: null,
      },
      { resource, action: 'create', before: null, after: { name: 'Trailed' }, request: null, user: '1', agent: null },
    ])
    expect(Date.parse(changes[0].at)).toBeGreaterThan(Date.now() - 60_000)
  })

  test('shows no row that the request class denies, where no policy is asked', async () => {
    const { id } = await unprotected.db.tag.create({ data: { name: 'For administrators' } })
    const seenBy = async (user: number) => {
      const ask = unprotected.as(user)
      const { status } = await ask('GET', `/api/v2/tags/${id}`)
      return [status, (await trailOf(ask, `filter[resource]=tags:${id}`)).length]
    }
    expect([await seenBy(users.admin), await seenBy(users.member3)]).toEqual([
      [200, 1],
      [403, 0],
    ])
  })

  test('shows values as documents have them, by their names there', async () => {
    const { id } = await audited.db.post.create({
      data: { authorId: 2, slug: 'trail-values', title: 'T', content: 'Content.', publishedAt: new Date(0) },
    })
    await audited.db.post.update({
      where: { id },
      data: { publishedAt: new Date(1000), authorId: 4, content: 'Other.' },
    })
    const [updated] = await trailOf(admin(), `filter[resource]=posts:${id}&filter[action]=update`)
    const { updatedAt, ...after } = updated.after
    expect(updatedAt).toMatch(/^\d{4}-.*\.\d{3}Z$/)
    const { updatedAt: _, ...before } = updated.before
    expect([before, after]).toEqual([
      { body: 'Content.', publishedAt: '1970-01-01T00:00:00.000Z', author: { type: 'users', id: '2' } },
      { body: 'Other.', publishedAt: '1970-01-01T00:00:01.000Z', author: { type: 'users', id: '4' } },
    ])
  })

  test('has the links of a many-to-many, from the side that is asked for', async () => {
    const { id } = await audited.db.post.create({
      data: { authorId: 2, slug: 'trail-links', title: 'T', content: 'Content.', publishedAt: new Date(0) },
    })
    const tag = await audited.db.tag.create({ data: { name: 'Trail of links' } })
    const tags = { data: [{ type: 'tags', id: String(tag.id) }] }
    for (const method of ['POST', 'DELETE'])
      await admin()(method, `/api/v2/posts/${id}/relationships/tags`, { body: tags })
    const [post, linked] = [{ type: 'posts', id: String(id) }, tags.data[0]]
    const of = async (ask: ReturnType<typeof admin>, resource: string, more: string) =>
      (await trailOf(ask, `filter[resource]=${resource}${more}`)).map(
        ({ at, request, ...change }: { at: string; request: string }) => change,
      )
    const links = '&filter[action][in]=attach,detach'
    // A member sees each tag, and this post among others that are hidden.
    for (const ask of [admin(), member()])
      expect(await of(ask, `posts:${id}`, links)).toEqual([
        { resource: post, action: 'detach', before: { tags: linked }, after: { tags: null }, user: '1', agent: null },
        { resource: post, action: 'attach', before: { tags: null }, after: { tags: linked }, user: '1', agent: null },
      ])
    expect(await of(admin(), `tags:${tag.id}`, links)).toEqual([
      { resource: linked, action: 'detach', before: { posts: post }, after: { posts: null }, user: '1', agent: null },
      { resource: linked, action: 'attach', before: { posts: null }, after: { posts: post }, user: '1', agent: null },
    ])
    expect(await of(admin(), `posts:${id}`, '&filter[action]=create')).toHaveLength(1)
    expect(await of(admin(), `tags:${tag.id}`, '&filter[action][not]=attach')).toHaveLength(2)
    // What a link of a tag leads to may be a post that is hidden.
    expect(await of(member(), `tags:${tag.id}`, links)).toEqual([])
    const listed = await trailOf(member(), 'page[size]=200&filter[action]=attach')
    expect(JSON.stringify(listed)).not.toContain('posts')
    const change = await audited.db.change.findFirstOrThrow({ where: { key: { startsWith: `["${id}",` } } })
    for (const ask of [admin(), member()])
      expect((await ask('GET', `/api/v2/changes/${change.id}`)).body.data.attributes).toMatchObject({
        resource: post,
        action: 'attach',
      })
    await audited.db.post.update({ where: { id }, data: { publishedAt: null } })
    expect((await member()('GET', `/api/v2/changes/${change.id}`)).status).toBe(404)
    expect(await of(member(), `posts:${id}`, links)).toEqual([])
  })

  test('has no changes of changes', async () => {
    const { id } = await audited.db.change.findFirstOrThrow()
    expect(await trailOf(member(), `filter[resource]=changes:${id}`)).toEqual([])
  })

  test('is paged, sorted, filtered and found by id as any type', async () => {
    for (const name of ['One', 'Two', 'Three']) await audited.db.tag.create({ data: { name: `Paged ${name}` } })
    const { body } = await admin()('GET', '/api/v2/changes?page[size]=2&sort=id&filter[action]=create')
    expect(body.data).toHaveLength(2)
    const [{ id }] = body.data
    const one = await admin()('GET', `/api/v2/changes/${id}`)
    expect(one.body.data).toEqual(body.data[0])
    expect((await admin()('GET', '/api/v2/changes/999999')).status).toBe(404)
  })

  test('is read, and nothing else', async () => {
    const { id } = await audited.db.change.findFirstOrThrow()
    for (const [method, path] of [
      ['POST', '/changes'],
      ['PATCH', `/changes/${id}`],
      ['DELETE', `/changes/${id}`],
    ] as const)
      expect((await admin()(method, `/api/v2${path}`, { body: { data: { type: 'changes' } } })).status).toBe(405)
    const stream = await admin()('GET', '/api/v2/changes', { headers: { Accept: 'text/event-stream' } })
    expect(stream.status).toBe(406)
  })

  test('is denied where no policy allows it, and absent without the option', async () => {
    expect((await unruled.as(users.admin)('GET', '/api/v2/changes')).status).toBe(403)
    expect((await audited.as(null)('GET', '/api/v2/changes')).status).toBe(403)
    expect((await plain.as(users.admin)('GET', '/api/v2/changes')).status).toBe(404)
  })
})

describe('the trail shows nothing of', () => {
  test('rows that the caller may not see: not of one, not in a list, not in a total', async () => {
    const draft = await audited.db.post.create({
      data: { authorId: 2, slug: 'trail-draft', title: 'Secret title', content: 'Secret.', publishedAt: null },
    })
    const change = await audited.db.change.findFirstOrThrow({ where: { model: 'Post', key: String(draft.id) } })
    const paths = [
      `/changes?filter[resource]=posts:${draft.id}`,
      '/changes?page[size]=200',
      `/changes?filter[id]=${change.id}`,
      '/changes?filter[action]=create&page[size]=200&sort=-at',
    ]
    for (const path of paths) {
      const { status, text } = await member()('GET', `/api/v2${path}`)
      expect([status, text.includes('Secret'), text.includes('"posts"')], path).toEqual([200, false, false])
    }
    expect((await member()('GET', `/api/v2/changes/${change.id}`)).status).toBe(404)
    const total = async () => (await member()('GET', '/api/v2/changes?page[number]=1&page[size]=1')).body.meta
    const before = await total()
    expect(before).toMatchObject({ page: { total: expect.any(Number) } })
    await audited.db.post.update({ where: { id: draft.id }, data: { title: 'Secret too' } })
    expect(await total()).toEqual(before)
    // Who sees the row sees its changes.
    await audited.db.post.update({ where: { id: draft.id }, data: { publishedAt: new Date(0) } })
    expect(await trailOf(member(), `filter[resource]=posts:${draft.id}`)).toHaveLength(3)
    expect((await member()('GET', `/api/v2/changes/${change.id}`)).status).toBe(200)
    // Nor of one that is gone, and could have been any.
    await audited.db.post.delete({ where: { id: draft.id } })
    expect(await trailOf(member(), `filter[resource]=posts:${draft.id}`)).toEqual([])
    expect(await trailOf(member(), 'filter[resource]=nonsense')).toEqual([])
  })

  test('fields that the schema hides, and fields that the caller may not see of each row', async () => {
    const { id } = await fields.db.post.create({
      data: { authorId: 6, slug: 'secret-trail', title: 'Hidden', content: 'Hidden.', publishedAt: new Date(0) },
    })
    await fields.db.user.update({
      where: { id: 4 },
      data: { email: 'hidden@example.org', name: 'Shown', passwordHash: 'x' },
    })
    const ask = fields.as(users.member3)
    expect(await trailOf(ask, `filter[resource]=posts:${id}`)).toMatchObject([{ after: { slug: 'secret-trail' } }])
    const [update] = await trailOf(ask, 'filter[resource]=users:4&filter[action]=update')
    expect(Object.keys(update.after).sort()).toEqual(['name', 'updatedAt'])
    const { text } = await ask('GET', `/api/v2/changes?filter[resource]=posts:${id}`)
    expect(text).not.toMatch(/hidden/i)
    const [whole] = await trailOf(fields.as(users.admin), 'filter[resource]=users:4&filter[action]=update')
    expect(Object.keys(whole.after).sort()).toEqual(['email', 'name', 'updatedAt'])
  })

  test('updates of nothing but such fields: neither when they were, nor whose', async () => {
    const hidden = await fields.db.post.create({
      data: { authorId: 6, slug: 'secret-updates', title: 'Hidden', content: 'Hidden.', publishedAt: new Date(0) },
    })
    await fields.as(users.admin)('PATCH', '/api/v2/users/5', {
      body: { data: { type: 'users', id: '5', attributes: { email: 'hidden-five@example.org' } } },
    })
    await fields.db.post.update({ where: { id: hidden.id }, data: { title: 'Hidden as well' } })
    await fields.db.$executeRawUnsafe(`UPDATE "User" SET "passwordHash" = 'y' WHERE "id" = 5`)
    const ask = fields.as(users.member3)
    for (const resource of ['users:5', `posts:${hidden.id}`])
      expect(await trailOf(ask, `filter[resource]=${resource}&filter[action]=update`), resource).toEqual([])
    expect(await trailOf(ask, 'filter[action]=update&filter[user]=1')).toEqual([])
    const change = await fields.db.change.findFirstOrThrow({
      where: { model: 'User', key: '5' },
      orderBy: { id: 'desc' },
    })
    expect((await ask('GET', `/api/v2/changes/${change.id}`)).status).toBe(404)
    const total = async () => (await ask('GET', '/api/v2/changes?page[number]=1&page[size]=1')).body.meta.page.total
    const before = await total()
    await fields.db.user.update({ where: { id: 5 }, data: { email: 'hidden-again@example.org' } })
    expect(await total()).toBe(before)
    const video = await fields.db.video.create({ data: { title: 'Changed', url: 'https://example.org', ownerId: 6 } })
    const update = (data: object) => fields.db.video.update({ where: { id: video.id }, data })
    await update({ rating: 3 })
    // A value that was null, or becomes null, is a change that is shown.
    for (const durationSeconds of [90, null]) await update({ durationSeconds, featured: true })
    expect(await trailOf(ask, `filter[resource]=videos:${video.id}&filter[action]=update`)).toMatchObject([
      { before: { durationSeconds: 90 }, after: { durationSeconds: null } },
      { before: { durationSeconds: null }, after: { durationSeconds: 90 } },
    ])
  })
})
