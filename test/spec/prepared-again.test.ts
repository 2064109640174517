import type { RowOf, Serving } from 'prismapi'
import { beforeEach, expect, test } from 'vitest'
import V2 from '../../src/app/v2/server.ts'
import { users } from '../support/api.ts'
import { fresh } from '../support/idempotency.ts'
import { newPost, operate } from '../support/operations.ts'
import { identifier } from '../support/row-documents.ts'
import { addPost } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// What `preparing` hooks have made of a row, where the row is another one when it is written.

type Hook = (
  data: Partial<RowOf<'Post'>>,
  event: { readonly row: RowOf<'Post'> | null; readonly input: object },
) => { readonly synopsis: string | null }

let runs = 0
/** What another process does while a post is prepared for the first time. */
let meanwhile: () => Promise<unknown>
let hook: Hook

const bothTexts: Hook = (data, { row }) => ({
  synopsis: `${data.title ?? row?.title} ${data.content ?? row?.content}`,
})

class Preparing extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.preparing('Post', async (data, event) => {
      const columns = hook(data as Partial<RowOf<'Post'>>, event)
      if (++runs === 1) await meanwhile()
      return columns
    })
  }
}

const api = useServers(() => exampleWith(Preparing))
const admin: ReturnType<typeof api.as> = (...args) => api.as(users.admin)(...args)
const caller = { post: (path: string, send: object) => admin('POST', path, send) } as never

let id: number
beforeEach(async () => {
  runs = 0
  hook = bothTexts
  meanwhile = async () => {}
  id = (await addPost(api.db, { authorId: users.admin, title: 'Title', content: 'Text' })).id
})

const overtake = (data: object) => {
  meanwhile = () => api.db.post.update({ where: { id }, data })
}
const change = (attributes: object) => ({ data: { ...identifier('posts', id), attributes } })
const retitle = () => admin('PATCH', `/api/v2/posts/${id}`, { body: change({ title: 'Mine' }) })
const synopsis = async () => (await api.db.post.findUniqueOrThrow({ where: { id } })).synopsis

test('an operation is prepared for the row that those before it have left', async () => {
  const { status } = await operate(
    caller,
    { op: 'update', ...change({ title: 'New title' }) },
    { op: 'update', ...change({ body: 'New text' }) },
  )
  expect([status, await synopsis()]).toEqual([200, 'New title New text'])
})

test.each([
  ['a change', retitle],
  ['an operation', () => operate(caller, { op: 'update', ...change({ title: 'Mine' }) })],
  [
    'a change whose answer shows other rows',
    () => admin('PATCH', `/api/v2/posts/${id}?include=author`, { body: change({ title: 'Mine' }) }),
  ],
])('%s that another one overtook is prepared for the row as it is then', async (_, send) => {
  overtake({ content: 'Theirs' })
  expect([(await send()).status, await synopsis(), runs]).toEqual([200, 'Mine Theirs', 2])
})

test('a hook that has read nothing of what changed runs once', async () => {
  hook = (data, { row, input }) => ({ synopsis: `${data.title} ${row?.title} ${'title' in input}` })
  overtake({ content: 'Theirs' })
  expect([(await retitle()).status, await synopsis(), runs]).toEqual([200, 'Mine Title true', 1])
})

test('one that reads a row whole, which is another one in each transaction, runs for the row that is committed', async () => {
  hook = (_, { row }) => ({ synopsis: row && JSON.stringify(row) })
  const lid = { type: 'posts', lid: 'new' }
  const slug = fresh('prepared')
  const { status } = await operate(
    caller,
    { op: 'add', data: { ...lid, attributes: newPost({ slug }) } },
    { op: 'update', ref: lid, data: { ...lid, attributes: { title: 'Mine' } } },
  )
  expect(status).toBe(200)
  const post = await api.db.post.findUniqueOrThrow({ where: { slug } })
  expect(JSON.parse(post.synopsis as string)).toMatchObject({ id: post.id, createdAt: post.createdAt.toISOString() })
})
