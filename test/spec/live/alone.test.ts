import { afterEach, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'

// An event shows a resource as a GET of it does, whichever others were read with it: docs/live.md.

const api = useApi()
const admin = api.as(users.admin)
const opened: EventStream[] = []
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.close()
})

async function open(path: string, as: number = users.admin) {
  const Authorization = await api.authorization(as)
  const stream = await openEvents(api.url(`/api/v2${path}`), { Authorization })
  opened.push(stream)
  return stream
}

test.each([
  ['its comments, whose authors have comments of others', 'include=comments.author.comments'],
  ['its author, whose posts have tags where they are the primary ones', 'include=tags,author.posts'],
])('with %s', async (_, query) => {
  const author = await api.make.user.create({})
  const make = async (title: string) => {
    const post = await api.make.post.create({ authorId: author.id, publishedAt: new Date(0), title })
    await api.make.comment.create({ authorId: author.id, postId: post.id })
    return api.db.post.update({ where: { id: post.id }, data: { tags: { connect: { id: 1 } } } })
  }
  const [one, other] = [await make('One'), await make('Another')]
  const stream = await open(`/posts?filter[id][in]=${one.id},${other.id}&${query}`)
  await stream.next()
  const shown = async (id: number) => {
    const { data, included } = (await admin.get(`/api/v2/posts/${id}?${query}`)).body
    return { data, included }
  }
  await api.db.post.update({ where: { id: one.id }, data: { title: 'One alone' } })
  const told = await stream.until((events) => events.some(({ data }) => data.data.id === String(one.id)))
  const changed = told.find(({ data }) => data.data.id === String(one.id))?.data
  expect({ data: changed.data, included: changed.included }).toEqual(await shown(one.id))
  await stream.rest()
  // The whole collection is looked at for this, of which nobody sees anything.
  await api.db.$executeRawUnsafe(`UPDATE "User" SET "passwordHash" = 'another' WHERE "id" = ${author.id}`)
  expect(await stream.rest()).toEqual([])
  await api.db.user.update({ where: { id: author.id }, data: { name: 'Renamed' } })
  for (const { data } of await stream.until(({ length }) => length === 2))
    expect({ data: data.data, included: data.included }).toEqual(await shown(Number(data.data.id)))
})

test('a stream whose caller was renamed still tells of resources by those of their own type that are included', async () => {
  const own = { authorId: users.member5, publishedAt: new Date(0) }
  const [one, other] = [await api.make.post.create(own), await api.make.post.create(own)]
  const stream = await open(`/posts?filter[id][in]=${one.id},${other.id}&include=author.posts`, users.member5)
  await stream.next()
  await api.db.user.update({ where: { id: users.member5 }, data: { name: 'Renamed' } })
  await stream.until(({ length }) => length === 2)
  await stream.rest()
  await api.db.post.update({ where: { id: one.id }, data: { title: 'Included' } })
  const told = await stream.until((events) => events.some(({ data }) => data.data.id === String(other.id)))
  expect(told.map(({ event, data }) => [event, data.data.id])).toEqual([
    ['upsert', String(one.id)],
    ['upsert', String(other.id)],
  ])
})

test('a change of hidden fields alone has no part in the order of events', async () => {
  const tag = await api.make.tag.create({})
  const author = async () => {
    const { id } = await api.make.user.create({})
    const post = await api.make.post.create({ authorId: id, publishedAt: new Date(0) })
    await api.db.post.update({ where: { id: post.id }, data: { tags: { connect: { id: tag.id } } } })
    return id
  }
  const stream = await open(`/users?filter[id][in]=${await author()},${await author()}&include=posts.tags`)
  await stream.next()
  const orderOf = async (name: string, hidden: readonly number[]) => {
    await api.db.$transaction([
      ...hidden.map((id) =>
        api.db.$executeRawUnsafe(`UPDATE "User" SET "passwordHash" = '${name}' WHERE "id" = ${id}`),
      ),
      api.db.tag.update({ where: { id: tag.id }, data: { name } }),
    ])
    return (await stream.until(({ length }) => length === 2)).map(({ data }) => Number(data.data.id))
  }
  // The changes that made them may be read from the log together with this one, and have a part in its order.
  await orderOf('made', [])
  const both = await orderOf('seen', [])
  expect(await orderOf('seen-again', both.slice(1))).toEqual(both)
})
