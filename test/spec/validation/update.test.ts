import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { identifier } from '../../support/row-documents.ts'
import { videoId } from '../../support/seeded.ts'
import { snapshot } from '../../support/snapshot.ts'

// *Validation data*: what an update does not mention keeps its value, and counts as that value to the rules.

const api = useApi()

type Table = keyof Awaited<ReturnType<typeof snapshot>>

/** The whole database with a change to one row, which is all that may have happened. */
async function expectChange(table: Table, id: string | number, change: object, work: () => Promise<number>) {
  const before = await snapshot(api.db)
  expect(await work()).toBe(200)
  const after = await snapshot(api.db)
  const rows: readonly { readonly id: string | number }[] = before[table]
  const hasClock = table === 'users' || table === 'posts'
  const expected = rows.map((row) =>
    row.id === id ? { ...row, ...change, ...(hasClock && { updatedAt: expect.any(Date) }) } : row,
  )
  expect(after).toEqual({ ...before, [table]: expected })
}

const patch =
  (type: string, id: string | number, fields: object, by: number = users.admin) =>
  async () => {
    const { status } = await api.as(by).patch(`/${type}/${id}`, { body: { data: { type, id: String(id), ...fields } } })
    return status
  }

describe('a PATCH of one attribute passes though others are required, and changes nothing else', () => {
  test.each([
    ['posts', 1, { title: 'Another title' }],
    ['posts', 1, { synopsis: 'In short.' }],
    ['posts', 1, { synopsis: null }],
    ['tags', 2, { name: 'another-name' }],
    ['videos', videoId(1), { featured: true }],
    ['videos', videoId(2), { durationSeconds: 0 }],
    ['videos', videoId(3), { rating: null }],
    ['users', 4, { name: 'Another Name' }],
    ['users', 4, { role: 'EDITOR' }],
    ['profiles', 1, { bio: 'About me.' }],
    ['profiles', 1, { website: null }],
  ] as const)('%s/%s %j', async (type, id, attributes) => {
    await expectChange(type, id, attributes, patch(type, id, { attributes }))
  })

  test('comments by their author', async () => {
    const comment = await api.db.comment.findFirstOrThrow({ where: { videoId: { not: null } } })
    const attributes = { content: 'Said otherwise.' }
    await expectChange(
      'comments',
      comment.id,
      attributes,
      patch('comments', comment.id, { attributes }, comment.authorId),
    )
  })

  test('a password leaves everything but its hash', async () => {
    const { passwordHash: before } = await api.db.user.findUniqueOrThrow({ where: { id: 5 } })
    const attributes = { password: 'a password of length', passwordConfirmation: 'a password of length' }
    await expectChange('users', 5, { passwordHash: expect.any(String) }, patch('users', 5, { attributes }))
    const { passwordHash: after } = await api.db.user.findUniqueOrThrow({ where: { id: 5 } })
    expect(after).not.toBe(before)
  })
})

describe('a PATCH of one relationship leaves the attributes and the other relationships:', () => {
  test('a post’s tags', async () => {
    const relationships = { tags: { data: [identifier('tags', 3), identifier('tags', 4)] } }
    await expectChange('posts', 1, { tags: [{ id: 3 }, { id: 4 }] }, patch('posts', 1, { relationships }))
  })

  test('a post’s author', async () => {
    const relationships = { author: { data: identifier('users', 6) } }
    await expectChange('posts', 1, { authorId: 6 }, patch('posts', 1, { relationships }))
  })

  test('a video without an owner, and one with a new owner', async () => {
    const emptied = { owner: { data: null } }
    await expectChange('videos', videoId(4), { ownerId: null }, patch('videos', videoId(4), { relationships: emptied }))
    const given = { owner: { data: identifier('users', 5) } }
    await expectChange('videos', videoId(4), { ownerId: 5 }, patch('videos', videoId(4), { relationships: given }))
  })
})

describe('a PATCH of nothing changes nothing:', () => {
  test.each([
    ['without attributes and relationships', {}],
    ['with empty ones', { attributes: {}, relationships: {} }],
    ['with attributes that are read-only', { attributes: { createdAt: '2001-01-01T00:00:00Z' } }],
  ])('%s', async (_, fields) => {
    await expectChange('posts', 2, {}, patch('posts', 2, fields))
    await expectChange('videos', videoId(5), {}, patch('videos', videoId(5), fields))
    await expectChange('users', 7, {}, patch('users', 7, fields))
  })
})
