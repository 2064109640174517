import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { expectErrors } from '../../support/answers.ts'
import type { Answer, Send } from '../../support/api.ts'
import { addPost, addUser } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'
import { versionedParts } from '../../support/versioned.ts'

// A column that counts the changes of its row: the server sets it, and nobody else.

const api = useServers(versionedParts)
const ask: ReturnType<typeof api.as> = (...args) => api.as(null)(...args)

const versionOf = ({ headers }: Answer) => /^"(.+)\/[\w-]{22}"$/.exec(headers.get('ETag') ?? '')?.[1]
const video = (id: string, attributes: object = {}) => ({ body: { data: { type: 'videos', id, attributes } } })
const url = 'https://a.example/v'
const counterOf = async (id: string) => (await api.db.video.findUniqueOrThrow({ where: { id } })).durationSeconds

let id: string
let path: string
beforeEach(async () => {
  id = randomUUID()
  path = `/api/open/videos/${id}`
  await ask('POST', '/api/open/videos', video(id, { title: 'V', url }))
})

test('a new row counts from 1, whatever the client says', async () => {
  const other = randomUUID()
  const answer = await ask('POST', '/api/careful/videos', {
    body: { data: { type: 'videos', attributes: { title: 'V', url, durationSeconds: 77 } } },
  })
  expect({
    status: answer.status,
    version: versionOf(answer),
    shown: answer.body.data.attributes.durationSeconds,
  }).toEqual({
    status: 201,
    version: '1',
    shown: 1,
  })
  const hidden = await ask('POST', '/api/open/videos', video(other, { title: 'V', url }))
  expect({ status: hidden.status, version: versionOf(hidden) }).toEqual({ status: 201, version: '1' })
  expect(hidden.body.data.attributes).not.toHaveProperty('durationSeconds')
})

test('every change counts one up, of columns and of relations, and answers with the number', async () => {
  const tags = (...ids: readonly number[]) => ({
    body: { data: ids.map((each) => ({ type: 'tags', id: String(each) })) },
  })
  const versions = [
    await ask('GET', path),
    await ask('PATCH', path, video(id, { title: 'W' })),
    await ask('PATCH', `${path}?fields[videos]=url`, video(id, { title: 'X' })),
    await ask('PATCH', `${path}/relationships/tags`, tags(1, 2)),
    await ask('PATCH', path, {
      body: { data: { type: 'videos', id, relationships: { tags: tags(1).body } } },
    }),
  ].map(versionOf)
  expect(versions).toEqual(['1', '2', '3', '4', '5'])
  expect((await ask('POST', `${path}/relationships/tags`, tags(3))).status).toBe(204)
  expect(await counterOf(id)).toBe(6)
  expect((await ask('DELETE', `${path}/relationships/tags`, tags(3))).status).toBe(204)
  expect(await counterOf(id)).toBe(7)
  expect((await ask('DELETE', `${path}/relationships/tags`, tags(3))).status).toBe(204)
  expect((await ask('POST', `${path}/relationships/tags`, tags(1))).status).toBe(204)
  expect((await ask('POST', `${path}/relationships/tags`, tags())).status).toBe(204)
  expect(await counterOf(id)).toBe(7)
  const owner = { body: { data: { type: 'users', id: '3' } } }
  expect(versionOf(await ask('PATCH', `${path}/relationships/owner`, owner))).toBe('8')
  expect(versionOf(await ask('GET', `${path}/relationships/owner`))).toBe('8')
})

test('a row that the relation of another moves, or lets go, counts as well', async () => {
  const { id: owner } = await addUser(api.db)
  const relation = `/api/open/users/${owner}/relationships/videos`
  const data = { body: { data: [{ type: 'videos', id }] } }
  for (const [method, body, version] of [
    ['POST', data, 2],
    ['DELETE', data, 3],
    ['PATCH', data, 4],
    ['PATCH', { body: { data: [] } }, 5],
  ] as const) {
    expect((await ask(method, relation, body)).status).toBeLessThan(300)
    expect(await counterOf(id)).toBe(version)
  }
})

test('so does one whose version is an instant, and never to the same', async () => {
  const { id: other } = await addUser(api.db)
  const post = await addPost(api.db, { updatedAt: new Date('2999-01-01') })
  const data = { body: { data: [{ type: 'posts', id: String(post.id) }] } }
  expect((await ask('POST', `/api/open/users/${other}/relationships/posts`, data)).status).toBe(204)
  expect(await api.db.post.findUniqueOrThrow({ where: { id: post.id } })).toMatchObject({
    authorId: other,
    updatedAt: new Date('2999-01-01T00:00:00.001Z'),
  })
})

test('who names an old number is refused', async () => {
  const rename = (title: string, version: string) =>
    ask('PATCH', path, { ...video(id, { title }), headers: { 'If-Match': version } })
  expect((await rename('by 1', '"1"')).status).toBe(200)
  expect((await rename('by 1 again', '"1"')).status).toBe(412)
  expect((await rename('by 2', '"1", "2"')).status).toBe(200)
  expect(await api.db.video.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'by 2', durationSeconds: 3 })
})

test.each([
  ['PATCH', () => ['PATCH', '', video(id, { title: 'W' })]],
  ['DELETE', () => ['DELETE', '', {}]],
  ['PATCH of a relationship', () => ['PATCH', '/relationships/tags', { body: { data: [] } }]],
  ['POST to a relationship', () => ['POST', '/relationships/tags', { body: { data: [] } }]],
  ['DELETE from a relationship', () => ['DELETE', '/relationships/tags', { body: { data: [] } }]],
] satisfies [string, () => [string, string, Send]][])(
  '%s has to name a version where the schema wants it',
  async (_, make) => {
    const [method, rest, send] = make()
    const careful = `/api/careful/videos/${id}${rest}`
    const refused = await ask(method, careful, send)
    expectErrors(refused, {
      status: '428',
      title: 'Precondition Required',
      detail:
        'Changes of resources of type videos have to name the version that they are about: by If-Match, or by meta.version in an atomic operation.',
    })
    expect(await counterOf(id)).toBe(1)
    expect((await ask(method, careful, { ...send, headers: { 'If-None-Match': '"9"' } })).status).toBe(428)
    expect((await ask(method, careful, { ...send, headers: { 'If-Match': '"9"' } })).status).toBe(412)
    expect((await ask(method, careful, { ...send, headers: { 'If-Match': '"1"' } })).status).toBeLessThan(300)
    expect((await ask('PATCH', `/api/careful/videos/${randomUUID()}`, video(id))).status).toBe(404)
  },
)

test('an action of a resource has to, too', async () => {
  const { id: post } = await addPost(api.db)
  const touch = (headers: Record<string, string>) =>
    ask('POST', `/api/careful/posts/${post}/-actions/touch`, { headers })
  expect((await touch({})).status).toBe(428)
  expect((await touch({ 'If-Match': '"2024-05-01T00:00:00.000Z"' })).status).toBe(200)
})
