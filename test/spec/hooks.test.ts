import { forbidden, type Serving } from 'prismapi'
import { beforeEach, expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { expectErrors } from '../support/answers.ts'
import { exampleWith, useServers } from '../support/servers.ts'

const told: string[] = []
let late: string[] = []

/** Writes down what it is told; refuses tags by their names. */
class Listening extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.creating('Tag', (data) => {
      told.push(`creating ${data.name}`)
      return { name: data.name === 'tag' ? 'renamed' : data.name }
    })
    phase.saving('Tag', (data, event) => {
      told.push(`saving ${data.name} by ${event.action} of ${event.user?.email}`)
      event.afterCommit(() => void late.push(`committed ${data.name}`))
      return {}
    })
    phase.updating('Tag', (data, { row }) => void told.push(`updating ${row?.name} to ${data.name}`))
    phase.created('Tag', async (row, { db }) => {
      told.push(`created ${row.name}, inside there are ${await db.tag.count({ where: { name: row.name } })}`)
      if (row.name === 'refused late') throw forbidden('Not this one.')
      if (row.name === 'broken late') throw new Error('a bug')
    })
    phase.updated('Tag', (row) => void told.push(`updated ${row.name}`))
    phase.saved('Tag', (row) => void told.push(`saved ${row.name}`))
    phase.deleting('Tag', (row) => {
      told.push(`deleting ${row.name}`)
      if (row.id === 2) throw forbidden('This tag stays.')
    })
    phase.deleted('Tag', (row) => void told.push(`deleted ${row.name}`))
    phase.attaching(
      'Post',
      (row, event) =>
        void told.push(`attaching ${event.relation} ${event.identifiers.map(({ id }) => id)} to ${row.id}`),
    )
    phase.attached('Post', (row) => void told.push(`attached to ${row.id}`))
    phase.detaching('Post', (row) => void told.push(`detaching from ${row.id}`))
    phase.detached('Post', (row) => void told.push(`detached from ${row.id}`))
    phase.updated('Post', (row, event) => void told.push(`updated ${event.relation} of ${row.id}`))
    phase.reading('Video', () => void told.push('reading videos'))
    phase.read('Video', (rows) => void told.push(`read ${rows.length} videos`))
  }
}

const api = useServers(() => exampleWith(Listening))
const admin: ReturnType<typeof api.as> = (...args) => api.as(1)(...args)
const tag = (name: string, id?: string) => ({
  body: { data: { type: 'tags', ...(id && { id }), attributes: { name } } },
})
const tags = (...ids: string[]) => ({ body: { data: ids.map((id) => ({ type: 'tags', id })) } })

beforeEach(() => {
  told.length = 0
  late = []
})

test('creating: before the row is written columns are filled, after it the row is seen as it is, inside of the transaction', async () => {
  const { status, body } = await admin('POST', '/api/v1/tags', tag('tag'))
  expect({ status, name: body.data.attributes.name }).toEqual({ status: 201, name: 'renamed' })
  expect(told).toEqual([
    'creating tag',
    'saving renamed by create of admin@example.com',
    'created renamed, inside there are 1',
    'saved renamed',
  ])
  expect(late).toEqual(['committed renamed'])
})

test('updating', async () => {
  expect((await admin('PATCH', '/api/v1/tags/5', tag('five', '5'))).status).toBe(200)
  expect(told[0]).toMatch(/^updating .+ to five$/)
  expect(told.slice(1)).toEqual(['saving five by update of admin@example.com', 'updated five', 'saved five'])
  expect(late).toEqual(['committed five'])
})

test.each([
  ['refused late', { status: '403', title: 'Forbidden', detail: 'Not this one.' }],
  ['broken late', { status: '500', title: 'Internal Server Error', id: expect.any(String) }],
])(
  'a hook that throws after the row was written leaves no row, and nothing is done after the commit: %s',
  async (name, error) => {
    const answer = await admin('POST', '/api/v1/tags', tag(name))
    expectErrors(answer, error)
    expect(await api.db.tag.count({ where: { name } })).toBe(0)
    expect(late).toEqual([])
  },
)

test('deleting: a hook may refuse, and then the row stays', async () => {
  const refused = { status: '403', title: 'Forbidden', detail: 'This tag stays.' }
  expectErrors(await admin('DELETE', '/api/v1/tags/2'), refused)
  expect(await api.db.tag.count({ where: { id: 2 } })).toBe(1)
  await api.db.tag.create({ data: { id: 900, name: 'short-lived' } })
  expect((await admin('DELETE', '/api/v1/tags/900')).status).toBe(204)
  expect(told).toEqual([expect.stringMatching(/^deleting /), 'deleting short-lived', 'deleted short-lived'])
})

test('a relation that is written by itself', async () => {
  await admin('POST', '/api/v1/posts/1/relationships/tags', tags('7', '8'))
  await admin('DELETE', '/api/v1/posts/1/relationships/tags', tags('7'))
  await admin('PATCH', '/api/v1/posts/1/relationships/tags', tags('9'))
  expect(told).toEqual([
    'attaching tags 7,8 to 1',
    'attached to 1',
    'detaching from 1',
    'detached from 1',
    'updated tags of 1',
  ])
})

test('reading', async () => {
  await admin('GET', '/api/v1/videos?page[size]=3')
  await admin('GET', '/api/v1/videos/00000000-0000-4000-8000-000000000001')
  expect(told).toEqual(['reading videos', 'read 3 videos', 'reading videos', 'read 1 videos'])
})
