import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'

// Clients that write at the same moment: the server may commit their writes together, which nobody can tell.

const api = useApi()
const admin = api.as(1)

const tag = (name: string) => ({ body: { data: { type: 'tags', attributes: { name } } } })
const many = <T>(count: number, each: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => each(n)))

test('each of many new resources is answered as it is stored', async () => {
  const answers = await many(24, (n) => admin.post('/tags', tag(`together ${n}`)))
  for (const [n, { status, body, headers }] of answers.entries()) {
    expect(status).toBe(201)
    expect(body.data.attributes).toMatchObject({ name: `together ${n}` })
    const found = await admin.get(`/tags/${body.data.id}`)
    expect(found.body.data).toEqual(body.data)
    expect(headers.get('location')).toBe(body.data.links.self)
  }
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(24)
})

test('one that takes the name of another is refused alone', async () => {
  const answers = await many(12, (n) => admin.post('/tags', tag(n < 9 ? `own ${n}` : 'wanted by three')))
  const refused = answers.filter(({ status }) => status !== 201)
  expect(answers.slice(0, 9).map(({ status }) => status)).toEqual(Array(9).fill(201))
  expect(refused).toHaveLength(2)
  for (const { status, body } of refused) {
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ source: { pointer: '/data/attributes/name' } }])
  }
  expect((await admin.get('/tags?filter[name]=wanted by three')).body.data).toHaveLength(1)
})

test('of many changes of one resource each is made, one after the other', async () => {
  const { body } = await admin.post('/tags', tag('changed by many'))
  const path = `/tags/${body.data.id}`
  const answers = await many(12, (n) =>
    admin.patch(path, { body: { data: { type: 'tags', id: body.data.id, attributes: { name: `by ${n}` } } } }),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  for (const [n, answer] of answers.entries()) expect(answer.body.data.attributes).toMatchObject({ name: `by ${n}` })
  expect((await admin.get(path)).body.data.attributes.name).toMatch(/^by \d+$/)
})

test('of many removals of one resource, one finds it', async () => {
  const { body } = await admin.post('/tags', tag('removed by many'))
  const answers = await many(6, () => admin.delete(`/tags/${body.data.id}`))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404])
})
