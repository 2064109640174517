import { afterEach, describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { type EventStream, openEvents, type ServerEvent } from '../../support/event-stream.ts'

// Streams of what changes: docs/live.md.

const api = useApi()
const admin = api.as(users.admin)
const streams: EventStream[] = []
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close()
})

async function open(path: string, as: number | null = users.admin, more: Record<string, string> = {}) {
  const headers = { ...(as !== null && { Authorization: await api.authorization(as) }), ...more }
  const stream = await openEvents(api.url(`/api/v2${path}`), headers)
  streams.push(stream)
  return stream
}

const rename = (id: number | string, name: string) => api.db.tag.update({ where: { id: Number(id) }, data: { name } })

describe('a stream', () => {
  test('begins with what GET answers', async () => {
    const path = '/posts?filter[author][name]=Ada&include=author&page[size]=2&sort=-title'.replace(
      'filter[author][name]=Ada&',
      '',
    )
    const stream = await open(path)
    expect({
      status: stream.status,
      type: stream.headers.get('Content-Type'),
      cache: stream.headers.get('Cache-Control'),
    }).toEqual({ status: 200, type: 'text/event-stream', cache: 'no-store' })
    const { event, data } = await stream.next()
    expect(event).toBe('snapshot')
    expect(data).toEqual((await admin.get(`/api/v2${path}`)).body)
  })

  test('tells what comes, changes and goes, whoever wrote it', async () => {
    const stream = await open('/tags')
    await stream.next()
    const { body } = await admin.post('/api/v2/tags', {
      body: { data: { type: 'tags', attributes: { name: 'Comes' } } },
    })
    const shown = async (id: string) => (await admin.get(`/api/v2/tags/${id}`)).body
    const created = await stream.next()
    const { jsonapi, data } = await shown(body.data.id)
    expect(created).toMatchObject({ event: 'upsert', data: { jsonapi, data } })
    expect(Object.keys(created.data)).toEqual(['jsonapi', 'data'])
    await rename(body.data.id, 'By Prisma')
    expect((await stream.next()).data.data.attributes.name).toBe('By Prisma')
    await api.db.$executeRawUnsafe(`UPDATE "Tag" SET "name" = 'By SQL' WHERE "id" = ${body.data.id}`)
    expect((await stream.next()).data.data.attributes.name).toBe('By SQL')
    await admin.delete(`/api/v2/tags/${body.data.id}`)
    const { event, data: removed } = await stream.next()
    expect({ event, removed }).toEqual({ event: 'remove', removed: { data: { type: 'tags', id: body.data.id } } })
    expect(await stream.rest()).toEqual([])
  })

  test('tells several changes of a transaction once, and nothing of what was undone', async () => {
    const tag = await api.make.tag.create({ name: 'Many' })
    const stream = await open('/tags')
    await stream.next()
    await api.db.$transaction(async (tx) => {
      for (let i = 0; i < 5; i++) await tx.tag.update({ where: { id: tag.id }, data: { name: `Many ${i}` } })
    })
    expect((await stream.next()).data.data.attributes.name).toBe('Many 4')
    expect(await stream.rest()).toEqual([])
    await api.db
      .$transaction(async (tx) => {
        await tx.tag.update({ where: { id: tag.id }, data: { name: 'Undone' } })
        throw new Error('no')
      })
      .catch(() => {})
    expect(await stream.rest()).toEqual([])
  })

  test('tells what leaves a filter, and what comes into it', async () => {
    const video = await api.make.video.create({ featured: false })
    const stream = await open('/videos?filter[featured]=true&fields[videos]=title')
    await stream.next()
    const set = (featured: boolean) => api.db.video.update({ where: { id: video.id }, data: { featured } })
    await set(true)
    expect((await stream.next()).data.data).toMatchObject({ id: video.id, attributes: { title: video.title } })
    await set(false)
    expect(await stream.next()).toMatchObject({ event: 'remove', data: { data: { type: 'videos', id: video.id } } })
    // Neither what is not shown nor what stays outside.
    await api.db.video.update({ where: { id: video.id }, data: { title: 'Outside' } })
    expect(await stream.rest()).toEqual([])
  })

  test('tells of a resource by a change of what is included with it, and of what leads there', async () => {
    const author = await api.make.user.create({ name: 'Included' })
    const post = await api.make.post.create({ authorId: author.id, publishedAt: new Date(0) })
    const stream = await open(`/posts?filter[author][id]=${author.id}&include=author,tags`)
    expect((await stream.next()).data.data).toHaveLength(1)
    await api.db.user.update({ where: { id: author.id }, data: { name: 'Changed' } })
    const { event, data } = await stream.next()
    expect([event, data.data.id, data.included.map((each: { id: string }) => each.id)]).toEqual([
      'upsert',
      String(post.id),
      [String(author.id)],
    ])
    expect(data.included[0].attributes.name).toBe('Changed')
    await api.db.post.update({ where: { id: post.id }, data: { tags: { connect: { id: 1 } } } })
    expect((await stream.next()).data.included.map((each: { type: string }) => each.type).sort()).toEqual([
      'tags',
      'users',
    ])
  })

  test('of one resource tells of it alone, and of its end', async () => {
    const tag = await api.make.tag.create({ name: 'One' })
    const stream = await open(`/tags/${tag.id}`)
    expect((await stream.next()).data).toEqual((await admin.get(`/api/v2/tags/${tag.id}`)).body)
    await rename(1, 'Another one')
    await rename(tag.id, 'The one')
    expect((await stream.next()).data.data.attributes.name).toBe('The one')
    await api.db.tag.delete({ where: { id: tag.id } })
    expect(await stream.next()).toMatchObject({ event: 'remove', data: { data: { type: 'tags', id: String(tag.id) } } })
  })

  test('of one resource tells of resources of its type that are included with it', async () => {
    const { ownerId, ...one } = await api.make.video.create({ ownerId: users.member3 })
    const other = await api.make.video.create({ ownerId })
    const stream = await open(`/videos/${one.id}?include=owner.videos&fields[videos]=title`)
    const titleOf = (data: { included: { id: string; attributes: { title: string } }[] }) =>
      data.included.find(({ id }) => id === other.id)?.attributes.title
    expect(titleOf((await stream.next()).data)).toBe(other.title)
    await api.db.video.update({ where: { id: other.id }, data: { title: 'Included' } })
    const { event, data } = await stream.next()
    expect([event, data.data.id, titleOf(data)]).toEqual(['upsert', one.id, 'Included'])
  })

  test('of a related URL ends with its parent', async () => {
    const post = await api.make.post.create({ authorId: 1, publishedAt: new Date(0) })
    const comment = await api.make.comment.create({ authorId: 3, postId: post.id })
    const stream = await open(`/posts/${post.id}/comments`)
    expect((await stream.next()).data.data).toHaveLength(1)
    const another = await api.make.comment.create({ authorId: 3, postId: post.id })
    expect((await stream.next()).data.data.id).toBe(String(another.id))
    await api.db.$transaction([
      api.db.comment.updateMany({ where: { postId: post.id }, data: { postId: 1 } }),
      api.db.post.delete({ where: { id: post.id } }),
    ])
    await stream.ended
    const events = (await stream.rest()).map(({ event, data }) => [event, data.data?.id ?? data.reason])
    expect(events.sort()).toEqual(
      [
        ['end', 'gone'],
        ['remove', String(comment.id)],
        ['remove', String(another.id)],
      ].sort(),
    )
    await stream.ended
  })

  test('never sends a byte of what its caller may not see', async () => {
    const draft = await api.make.post.create({ authorId: 2, publishedAt: null })
    const stream = await open('/posts', null)
    await stream.next()
    const before = stream.text().length
    await api.db.post.update({ where: { id: draft.id }, data: { title: 'Secret' } })
    await api.db.user.update({ where: { id: 2 }, data: { passwordHash: 'another' } })
    await api.db.post.delete({ where: { id: draft.id } })
    expect(await stream.rest(1000)).toEqual([])
    expect(stream.text().length).toBe(before)
  })

  test('follows the rights of its caller', async () => {
    const draft = await api.make.post.create({ authorId: 2, publishedAt: null })
    const stream = await open(`/posts?filter[id]=${draft.id}`, users.member3)
    expect((await stream.next()).data.data).toEqual([])
    await api.db.user.update({ where: { id: 3 }, data: { role: 'EDITOR' } })
    expect(await stream.next()).toMatchObject({ event: 'upsert', data: { data: { id: String(draft.id) } } })
    await api.db.user.update({ where: { id: 3 }, data: { role: 'MEMBER' } })
    expect(await stream.next()).toMatchObject({ event: 'remove', data: { data: { id: String(draft.id) } } })
  })
})

test('each stream of a user whose rights change is told what they show now', async () => {
  const draft = await api.make.post.create({ authorId: 2, publishedAt: null })
  const both = [await open('/posts?sort=id', users.member4), await open('/posts?sort=id', users.member4)]
  for (const stream of both) await stream.next()
  const has = (kind: string) => (events: readonly ServerEvent[]) =>
    events.some(({ event, data }) => event === kind && data.data.id === String(draft.id))
  await api.db.user.update({ where: { id: 4 }, data: { role: 'EDITOR' } })
  await Promise.all(both.map((stream) => stream.until(has('upsert'))))
  await api.db.user.update({ where: { id: 4 }, data: { role: 'MEMBER' } })
  await Promise.all(both.map((stream) => stream.until(has('remove'))))
})

describe('a client that comes back', () => {
  test('is counted once, though its other connection is not closed yet', async () => {
    const all = [0, 1, 2, 3, 4]
    const opened = await Promise.all(all.map(() => open('/tags', users.member4)))
    const lasts = await Promise.all(opened.map(async (stream) => (await stream.next()).id))
    for (const last of lasts) expect((await open('/tags', users.member4, { 'Last-Event-ID': last })).status).toBe(200)
    expect((await open('/tags', users.member4)).status).toBe(429)
  })

  test('is told what became of everything behind its last event, and nothing else', async () => {
    const [kept, changed, gone] = [
      await api.make.tag.create({ name: 'Back kept' }),
      await api.make.tag.create({ name: 'Back changed' }),
      await api.make.tag.create({ name: 'Back gone' }),
    ]
    const stream = await open('/tags')
    await stream.next()
    await rename(kept.id, 'Back known')
    const { id: last } = await stream.next()
    await stream.close()
    await rename(changed.id, 'Back 1')
    await rename(changed.id, 'Back 2')
    await api.db.tag.delete({ where: { id: gone.id } })
    const added = await api.make.tag.create({ name: 'Back added' })
    const again = await open('/tags', users.admin, { 'Last-Event-ID': last })
    const events = [...(await again.until(({ length }) => length === 3)), ...(await again.rest())]
    expect(events.map(({ event, data }) => [event, Number(data.data.id)]).sort()).toEqual(
      [
        ['upsert', changed.id],
        ['remove', gone.id],
        ['upsert', added.id],
      ].sort(),
    )
    expect(events.find(({ data }) => Number(data.data.id) === changed.id)?.data.data.attributes.name).toBe('Back 2')
  })

  test('is told again what it did not get', async () => {
    const tag = await api.make.tag.create({ name: 'Lost' })
    const stream = await open('/tags')
    const { id: first } = await stream.next()
    await rename(tag.id, 'Lost 1')
    await stream.next()
    const again = await open('/tags', users.admin, { 'Last-Event-ID': first })
    expect(await again.next()).toMatchObject({ event: 'upsert', data: { data: { attributes: { name: 'Lost 1' } } } })
    await stream.ended
  })

  test('twice at once has one of the two streams, and the other one ends', async () => {
    const tag = await api.make.tag.create({ name: 'Twice' })
    const stream = await open('/tags')
    const { id: last } = await stream.next()
    await stream.close()
    const again = () => open('/tags', users.admin, { 'Last-Event-ID': last })
    // One may be closed before its client has read how it begins.
    const answers = await Promise.allSettled([again(), again()])
    const opened = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    await rename(tag.id, 'Twice no more')
    const isTold = (each: EventStream) => each.text().includes('Twice no more')
    await expect.poll(() => opened.filter(isTold).length).toBe(1)
    for (const each of opened) if (!isTold(each)) await each.ended
  })

  test.each([
    ['nothing that was sent', '/tags', users.admin, 'nonsense'],
    ['another caller', '/tags', users.editor, null],
    ['another URL', '/tags?sort=name', users.admin, null],
  ])('by %s begins anew', async (_, path, as, id) => {
    const stream = await open('/tags')
    const { id: last } = await stream.next()
    const again = await open(path, as, { 'Last-Event-ID': id ?? last })
    expect([(await again.next()).event, (await again.next()).event]).toEqual(['reset', 'snapshot'])
  })
})

describe('a stream is refused', () => {
  const accept = { Accept: 'text/event-stream' }
  test('with 406 by a server that has none, and by what has no streams', async () => {
    const paths = [
      '/api/v1/tags',
      '/api/v2/posts/1/author',
      '/api/v2/posts/1/relationships/tags',
      '/api/v2/posts/-stats',
    ]
    for (const path of paths) expect((await admin.get(path, { headers: accept })).status, path).toBe(406)
    expect((await admin.get('/api/v2/openapi', { headers: accept })).status).not.toBe(500)
  })

  test('as GET is: 400, 401, 404', async () => {
    expect((await admin.get('/api/v2/tags?nonsense=1', { headers: accept })).status).toBe(400)
    expect((await admin.get('/api/v2/tags/999999', { headers: accept })).status).toBe(404)
    expect((await api.withHeader('Bearer nonsense').get('/api/v2/tags', { headers: accept })).status).toBe(401)
  })

  test('to HEAD as to GET, which begins as a stream does and is none', async () => {
    const headOf = async (path: string) => {
      const { status, headers } = await api.as(users.member5).request('HEAD', path, { headers: accept })
      return [status, headers.get('Content-Type'), headers.get('Cache-Control')]
    }
    for (let i = 0; i < 7; i++) expect(await headOf('/api/v2/tags')).toEqual([200, 'text/event-stream', 'no-store'])
    expect((await headOf('/api/v2/posts/987654'))[0]).toBe(404)
    expect((await headOf('/api/v1/tags'))[0]).toBe(406)
  })

  test('where the client takes a document as gladly', async () => {
    for (const Accept of ['text/event-stream, application/vnd.api+json', 'text/event-stream;q=0.5, */*;q=0.5']) {
      const { headers } = await admin.get('/api/v2/tags', { headers: { Accept } })
      expect(headers.get('Content-Type')).toBe('application/vnd.api+json')
    }
    const stream = await open('/tags', users.admin, { Accept: 'text/event-stream, */*;q=0.1' })
    expect((await stream.next()).event).toBe('snapshot')
  })

  test('with 429 behind five of one caller', async () => {
    for (let i = 0; i < 5; i++) await open('/tags', users.member5)
    const sixth = await open('/tags', users.member5)
    expect([sixth.status, sixth.headers.get('Content-Type')]).toEqual([429, 'application/vnd.api+json'])
    expect((await open('/tags', users.member6)).status).toBe(200)
    await streams.shift()?.close()
    await expect.poll(async () => (await open('/tags', users.member5)).status).toBe(200)
  })

  test('with 429 behind five of the guests of one address, whatever they say of it', async () => {
    const from = (n: number) =>
      open('/tags', null, { 'X-Forwarded-For': `192.0.2.${n}`, Forwarded: `for=192.0.2.${n}` })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await from(i)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await open('/tags', users.member6)).status).toBe(200)
  })
})
