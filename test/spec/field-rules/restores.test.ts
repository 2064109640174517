import { Policy, type Rules, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { expectErrorsOf11, invalid } from '../../support/answers.ts'
import { fresh } from '../../support/idempotency.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// A PATCH that sets the mark of a deleted row to null restores it. Rules about fields hold for the mark, and for what is shown.

const isDeleted = { deletedAt: { not: null } }

/**
 * All find deleted posts. What they said is seen again once they are restored, which users 3 and 4 may not do. User 4 does not see the
 * mark, user 5 does not see it and may restore.
 */
class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can([this.reads, 'viewTrashed'])
    if (!user) return
    can('update')
    cannot('view', ['content', 'tags'], isDeleted)
    if (user.id === 3) cannot('update', 'deletedAt')
    if (user.id === 4) cannot(['view', 'update'], 'deletedAt')
    if (user.id === 5) cannot('view', 'deletedAt')
  }
}

const api = useServers(async () => {
  const { policies, servers } = await exampleWith(V2)
  return { servers, policies: new Map([...policies, ['Post', PostPolicy]] as const) as never }
})

const [restoring, seeing, blind, blindly] = [6, 3, 4, 5]
const post = async (deletedAt: Date | null) => {
  const data = { title: 'T', slug: fresh('deleted'), content: 'What it said', authorId: 8, publishedAt: new Date(0) }
  return api.db.post.create({ data: { ...data, deletedAt, tags: { connect: { id: 2 } } } })
}
const deleted = () => post(new Date('2024-04-04'))
const get = (as: number, id: number) => api.as(as)('GET', `/api/v2/posts/${id}`)
const patch = (as: number, id: number, deletedAt: unknown) =>
  api.as(as)('PATCH', `/api/v2/posts/${id}?include=tags`, {
    body: { data: { type: 'posts', id: `${id}`, attributes: { deletedAt } } },
  })
const markOf = async (id: number) => (await api.db.post.findUniqueOrThrow({ where: { id } })).deletedAt
const refused = {
  ...{ status: '403', title: 'Forbidden', detail: 'You may not change the field deletedAt.' },
  source: { pointer: '/data/attributes/deletedAt' },
}
const notRestored = invalid(
  'restore',
  'The deletedAt field can only be set to null, which restores the resource.',
  '/data/attributes/deletedAt',
)
const names = (answer: { body: { data: { attributes: object; relationships: object } } }) =>
  [answer.body.data.attributes, answer.body.data.relationships].flatMap(Object.keys)

test('what is hidden of a deleted row is in no answer before it is restored, and in the one that restores it', async () => {
  const { id } = await deleted()
  const before = await get(restoring, id)
  expect(names(before)).toEqual([
    'title',
    'slug',
    'synopsis',
    'publishedAt',
    'deletedAt',
    'createdAt',
    'updatedAt',
    'author',
    'comments',
  ])
  const after = await patch(restoring, id, null)
  expect(after.status).toBe(200)
  expect(after.body.data.attributes).toMatchObject({ body: 'What it said', deletedAt: null })
  expect(after.body.included.map(({ id: tag }: { id: string }) => tag)).toEqual(['2'])
  expect(await markOf(id)).toBeNull()
})

test('another value of the mark is refused in the same words, that of the row, too', async () => {
  for (const [as, error] of [
    [restoring, notRestored],
    [blindly, notRestored],
    [blind, refused],
  ] as const) {
    const { id } = await deleted()
    for (const value of ['2024-04-04T00:00:00.000Z', '2024-05-05T00:00:00.000Z'])
      expectErrorsOf11(await patch(as, id, value), error)
    expect(await markOf(id)).not.toBeNull()
  }
})

describe('who may not change the mark', () => {
  test('restores nothing, and may send what it sees there', async () => {
    const [gone, live] = [await deleted(), await post(null)]
    expectErrorsOf11(await patch(seeing, gone.id, null), refused)
    expect((await patch(seeing, gone.id, '2024-04-04T00:00:00.000Z')).status).toBe(200)
    expect((await patch(seeing, live.id, null)).status).toBe(200)
    expect(await markOf(gone.id)).toEqual(gone.deletedAt)
  })

  test('and does not see it, is refused of rows that are there as of deleted ones', async () => {
    const [gone, live] = [await deleted(), await post(null)]
    for (const { id } of [gone, live]) expectErrorsOf11(await patch(blind, id, null), refused)
    expect(await markOf(gone.id)).toEqual(gone.deletedAt)
  })
})

test('who does not see the mark and may change it restores without seeing it', async () => {
  const { id } = await deleted()
  const answer = await patch(blindly, id, null)
  expect(answer.status).toBe(200)
  expect(names(answer)).not.toContain('deletedAt')
  expect(await markOf(id)).toBeNull()
})
