import type { Caller } from 'prismapi/types'
import { afterEach, expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import { authSecret, users } from '../../support/api.ts'
import { type EventStream, openEvents, type ServerEvent } from '../../support/event-stream.ts'
import { theExample, useServers } from '../../support/servers.ts'

// What `api.as` writes is told to streams as the same requests by HTTP are.

const example = useServers(theExample)
const streams: EventStream[] = []
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close()
})

async function open(path: string, as: number | null) {
  const headers = as === null ? {} : { Authorization: `Bearer ${await signToken(as, authSecret)}` }
  const stream = await openEvents(`${example.at}/api/v2${path}`, headers)
  streams.push(stream)
  const { event, data } = await stream.next()
  expect([stream.status, event, data.data]).toEqual([200, 'snapshot', []])
  return stream
}

/** A way to write: the ids of new rows are texts. */
interface Door {
  create(type: 'posts' | 'tags', attributes: object): Promise<string>
  rename(post: string, title: string): Promise<unknown>
  publish(post: string): Promise<unknown>
  link(post: string, tag: string): Promise<unknown>
  unlink(post: string, tag: string): Promise<unknown>
  remove(type: 'posts' | 'tags', id: string): Promise<unknown>
}

const models = { posts: 'Post', tags: 'Tag' } as const

function byHttp(): Door {
  const send = async (method: string, path: string, data?: unknown) => {
    const body = data === undefined ? {} : { body: { data } }
    const answer = await example.as(users.admin)(method, `/api/v2${path}`, body)
    expect({ path, errors: answer.body?.errors }).toEqual({ path, errors: undefined })
    return answer.body
  }
  const linkage = (tag: string) => [{ type: 'tags', id: tag }]
  return {
    create: async (type, attributes) => (await send('POST', `/${type}`, { type, attributes })).data.id,
    rename: (id, title) => send('PATCH', `/posts/${id}`, { type: 'posts', id, attributes: { title } }),
    publish: (id) => send('POST', `/posts/${id}/-actions/publish`),
    link: (id, tag) => send('POST', `/posts/${id}/relationships/tags`, linkage(tag)),
    unlink: (id, tag) => send('DELETE', `/posts/${id}/relationships/tags`, linkage(tag)),
    remove: (type, id) => send('DELETE', `/${type}/${id}`),
  }
}

function direct(caller: Caller): Door {
  return {
    create: async (type, attributes) => (await caller.create(models[type], attributes)).id,
    rename: (id, title) => caller.update('Post', id, { title }),
    publish: (id) => caller.act('Post', id, 'publish'),
    link: (id, tag) => caller.link('Post', id, 'tags', tag),
    unlink: (id, tag) => caller.unlink('Post', id, 'tags', tag),
    remove: (type, id) => caller.delete(models[type], id),
  }
}

/** What each stream tells of the same writes; each of them is told before the next one is done. */
async function toldOf(door: Door, name: string) {
  const tags = await open(`/tags?filter[name]=${name}`, users.admin)
  const posts = await open(`/posts?filter[slug][startsWith]=${name}&include=tags`, users.admin)
  const published = await open(`/posts?filter[slug][startsWith]=${name}&include=tags`, null)
  const told: Record<string, ServerEvent[]> = { tags: [], posts: [], published: [] }
  const tell = async (...by: readonly (readonly [string, EventStream])[]) => {
    for (const [key, stream] of by) told[key]?.push(await stream.next())
  }
  const ofTags = ['tags', tags] as const
  const both = [['posts', posts] as const, ['published', published] as const]

  const tag = await door.create('tags', { name })
  await tell(ofTags)
  const post = await door.create('posts', { title: 'Draft', slug: name, body: 'Text' })
  await tell(['posts', posts])
  await door.publish(post)
  await tell(...both)
  await door.rename(post, 'Renamed')
  await tell(...both)
  await door.link(post, tag)
  await tell(...both)
  await door.unlink(post, tag)
  await tell(...both)
  await door.remove('posts', post)
  await tell(...both)
  await door.remove('tags', tag)
  await tell(ofTags)
  const plain = (event: ServerEvent) =>
    JSON.stringify([event.event, event.data])
      .replaceAll(`"${post}"`, '"post"')
      .replaceAll(`"${tag}"`, '"tag"')
      .replaceAll(`/posts/${post}`, '/posts/post')
      .replaceAll(`/tags/${tag}`, '/tags/tag')
      .replaceAll(name, 'name')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant')
  return Object.fromEntries(Object.entries(told).map(([key, events]) => [key, events.map(plain)]))
}

const kindsOf = (events: readonly string[] = []) => events.map((event) => JSON.parse(event)[0])

test('each of them, to everybody who sees it', async () => {
  const select = { id: true, name: true, email: true, role: true }
  const admin = await example.db.user.findUniqueOrThrow({ where: { id: users.admin }, select })
  const requested = await toldOf(byHttp(), 'told-by-http')
  const called = await toldOf(direct(example.api.as(admin, { server: 'v2' })), 'told-by-calls')
  expect(called).toEqual(requested)
  const upserts = (count: number) => Array.from({ length: count }, () => 'upsert')
  expect([kindsOf(called.tags), kindsOf(called.posts), kindsOf(called.published)]).toEqual([
    ['upsert', 'remove'],
    [...upserts(5), 'remove'],
    [...upserts(4), 'remove'],
  ])
})

test('those of a transaction at its end, and nothing of what is undone', async () => {
  const tags = await open('/tags?filter[name][startsWith]=told-in-', users.admin)
  const system = example.api.asSystem('import', { server: 'v2' })
  const undone = system.transaction(async (within) => {
    await within.create('Tag', { name: 'told-in-vain' })
    throw new Error('Enough.')
  })
  await expect(undone).rejects.toThrow('Enough.')
  await system.transaction(async (within) => {
    const { id } = await within.create('Tag', { name: 'told-in-parts' })
    await within.update('Tag', id, { name: 'told-in-one' })
  })
  const { event, data } = await tags.next()
  expect([event, data.data.attributes]).toEqual(['upsert', { name: 'told-in-one' }])
})
