import type { Serving } from 'prismapi'
import { expect, test } from 'vitest'
import V2 from '../../src/app/v2/server.ts'
import { users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// Which rows a hook sees by transactions within its own. Prisma takes them for savepoints.

let hiddenId = 0
const seen: unknown[] = []

class Counting extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.saved('Post', async (_, { db, asSystem }) => {
      const where = { id: hiddenId }
      const counted = (client: typeof db) => client.$transaction((inside) => inside.post.count({ where }))
      seen.push(await counted(db), await counted(asSystem()), await counted(db))
      const undone = asSystem().$transaction(async (inside) => {
        await inside.tag.create({ data: { name: (await inside.tag.findFirstOrThrow()).name } })
      })
      seen.push(await undone.catch(({ code }: { code: string }) => code), await db.post.count({ where }))
      seen.push(await db.$transaction([db.post.count({ where }), db.tag.count({ where: { id: 0 } })]))
      seen.push(await asSystem().$transaction([asSystem().post.count({ where })]))
      seen.push(await db.post.count({ where }))
    })
  }
}

const api = useServers(() => exampleWith(Counting))

test('a transaction within has the role of its client from its beginning to its end', async () => {
  const hidden = await addPost(api.db, { authorId: users.member4, publishedAt: null })
  hiddenId = hidden.id
  const { id } = await addPost(api.db, { authorId: users.member3 })
  const body = { data: { type: 'posts', id: String(id), attributes: { title: 'Changed' } } }
  expect((await api.as(users.member3)('PATCH', `/api/v2/posts/${id}`, { body })).status).toBe(200)
  expect(seen).toEqual([0, 1, 0, 'P2002', 0, [0, 0], [1], 0])
})
