import type { Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../src/app/v2/server.ts'
import { users } from '../support/api.ts'
import { addPost } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// What a hook hands to `db.$transaction([…])` is a part of the write, and all of it or nothing.

type Db = Parameters<Parameters<Serving['saved']>[1]>[1]['db']

let work: (db: Db) => Promise<unknown> = async () => {}
class Listing extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.saved('Post', async (_, { db }) => void (await work(db)))
  }
}
const api = useServers(() => exampleWith(Listing))

const create = (db: Db, name: string) => db.tag.create({ data: { name } })
const made = (prefix: string) => api.db.tag.count({ where: { name: { startsWith: prefix } } })

/** Changes a post, in whose transaction the work is done. */
async function change(during: typeof work): Promise<number> {
  const { id } = await addPost(api.db, { authorId: users.member3 })
  work = during
  const body = { data: { type: 'posts', id: String(id), attributes: { title: 'Changed' } } }
  return (await api.as(users.admin)('PATCH', `/api/v2/posts/${id}`, { body })).status
}

describe('a list of operations in a hook', () => {
  test('is answered in its order, and committed with the write', async () => {
    const answers: unknown[] = []
    const status = await change(async (db) => {
      const first = create(db, 'listed 1')
      answers.push(
        await db.$transaction([first, db.tag.count({ where: { name: 'listed 1' } }), create(db, 'listed 2')]),
      )
    })
    expect(status).toBe(200)
    expect(answers).toEqual([
      [expect.objectContaining({ name: 'listed 1' }), 1, expect.objectContaining({ name: 'listed 2' })],
    ])
    expect(await made('listed')).toBe(2)
  })

  test('is undone with the write', async () => {
    const status = await change(async (db) => {
      await db.$transaction([create(db, 'undone 1'), create(db, 'undone 2')])
      throw new Error('No.')
    })
    expect(status).toBe(500)
    expect(await made('undone')).toBe(0)
  })

  test('is undone with a transaction within the write', async () => {
    const status = await change(async (db) => {
      const within = db.$transaction(async (inside) => {
        await inside.$transaction([create(inside, 'within 1'), create(inside, 'within 2')])
        throw new Error('No.')
      })
      await within.catch(() => {})
      await create(db, 'within 3')
    })
    expect([status, await made('within')]).toEqual([200, 1])
  })

  test('is undone as a whole where one of them fails, and the write goes on', async () => {
    const codes: unknown[] = []
    const status = await change(async (db) => {
      const refused = db.$transaction([create(db, 'twice 1'), create(db, 'twice 1')])
      codes.push(await refused.catch(({ code }: { code: string }) => code))
      await create(db, 'twice 2')
    })
    expect([status, codes]).toEqual([200, ['P2002']])
    expect(await made('twice')).toBe(1)
  })
})
