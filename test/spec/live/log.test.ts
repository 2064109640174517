import { describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'

// The log of changes: docs/live.md.

const api = useApi()
const admin = api.as(users.admin)
const post = (title: string, slug: string) => ({
  data: { type: 'posts', attributes: { title, slug, body: 'Body.' } },
})

/** What a piece of work adds to the log, without what differs from run to run. */
async function changesOf(work: () => Promise<unknown>) {
  const last = await api.db.change.findFirst({ orderBy: { id: 'desc' } })
  await work()
  const changes = await api.db.change.findMany({ where: { id: { gt: last?.id ?? 0n } }, orderBy: { id: 'asc' } })
  return changes.map(({ id, transaction, at, ...change }) => change)
}

describe('the log of changes', () => {
  test('has who wrote what, by user and request', async () => {
    const tag = { data: { type: 'tags', attributes: { name: 'Logged' } } }
    let id = ''
    const created = await changesOf(async () => {
      const { body } = await admin.post('/api/v2/tags', { body: tag, headers: { 'X-Request-Id': 'a-request' } })
      id = body.data.id
    })
    expect(created).toEqual([
      {
        ...{ model: 'Tag', key: id, action: 'create', before: null, after: { id: Number(id), name: 'Logged' } },
        ...{ request: 'client:a-request', user: '1' },
      },
    ])
    const renamed = await changesOf(() =>
      admin.patch(`/api/v2/tags/${id}`, {
        body: { data: { type: 'tags', id, attributes: { name: 'Renamed' } } },
        headers: { 'X-Request-Id': 'another' },
      }),
    )
    expect(renamed).toEqual([
      {
        ...{ model: 'Tag', key: id, action: 'update', before: { name: 'Logged' }, after: { name: 'Renamed' } },
        ...{ request: 'client:another', user: '1' },
      },
    ])
    const removed = await changesOf(() => admin.delete(`/api/v2/tags/${id}`))
    expect(removed).toMatchObject([
      { model: 'Tag', key: id, action: 'delete', before: { id: Number(id), name: 'Renamed' }, after: null, user: '1' },
    ])
  })

  test('has what SQL by hand wrote, which nobody signed', async () => {
    await api.make.tag.create({ name: 'By hand' })
    const changes = await changesOf(() =>
      api.db.$executeRawUnsafe(`UPDATE "Tag" SET "name" = 'By SQL' WHERE "name" = 'By hand'`),
    )
    expect(changes).toMatchObject([
      { action: 'update', before: { name: 'By hand' }, after: { name: 'By SQL' }, request: null, user: null },
    ])
  })

  test('has the rows of join tables, all of a transaction, and nothing of what was undone', async () => {
    const body = post('With tags', 'with-tags')
    const relationships = { tags: { data: [{ type: 'tags', id: '1' }] } }
    let id = ''
    const created = await changesOf(async () => {
      const answer = await admin.post('/api/v2/posts', { body: { data: { ...body.data, relationships } } })
      id = answer.body.data.id
    })
    expect(created.map(({ model, key, action, user }) => [model, key.replaceAll(' ', ''), action, user])).toEqual([
      ['Post', id, 'create', '1'],
      ['_PostToTag', `["${id}","1"]`, 'create', '1'],
    ])
    const undone = await changesOf(() => admin.post('/api/v2/posts', { body }))
    expect(undone).toEqual([])
  })

  test('has neither hidden fields nor updates that change nothing', async () => {
    const hidden = await changesOf(() =>
      api.db.user.update({ where: { id: 6 }, data: { passwordHash: 'another', updatedAt: new Date(0) } }),
    )
    expect(hidden).toMatchObject([{ model: 'User', key: '6', action: 'update' }])
    expect(Object.keys(hidden[0]?.after as object)).toEqual(['updatedAt'])
    const same = await changesOf(() => api.db.$executeRawUnsafe('UPDATE "Tag" SET "name" = "name"'))
    expect(same).toEqual([])
  })

  test('takes a row whose id changes for two', async () => {
    const tag = await api.make.tag.create({ name: 'Moves' })
    const changes = await changesOf(() =>
      api.db.$executeRawUnsafe(`UPDATE "Tag" SET "id" = 99999 WHERE "id" = ${tag.id}`),
    )
    expect(changes).toMatchObject([
      { action: 'delete', key: `${tag.id}` },
      { action: 'update', key: '99999', after: { id: 99999 } },
    ])
  })
})
