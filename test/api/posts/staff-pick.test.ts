import { describe, expect, test } from 'vitest'
import { forbidden } from '../../support/answers.ts'
import { type Answer, type Caller, useApi, users } from '../../support/api.ts'
import { operate } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'
import { addPost, tagsOf } from '../../support/rows.ts'

// A pick is a tag, and tags come in by two doors: the relationship's URL, where the policy stands, and the document of the post,
// where the request class does.

const api = useApi()
const [staffPick, other] = [identifier('tags', 1), identifier('tags', 2)]
const message = 'Only editors may pick.'
const unprocessable = {
  status: 422,
  errors: [
    { status: '422', title: 'Unprocessable Entity', detail: message, source: { pointer: '/data/relationships/tags' } },
  ],
}
const refusal = ({ status, body }: Answer) => ({ status, errors: body.errors })

let made = 0
const newPost = (version: 'v1' | 'v2', ...data: readonly object[]) => {
  const text = version === 'v1' ? { content: 'Text' } : { body: 'Text' }
  const attributes = { title: 'A post', slug: `picked-${++made}`, ...text }
  return { type: 'posts', attributes, relationships: { tags: { data } } }
}
const change = (id: number, more: object) => ({ body: { data: { type: 'posts', id: String(id), ...more } } })
const tags = (...data: readonly object[]) => ({ relationships: { tags: { data } } })

describe.each(['v1', 'v2'] as const)('on %s', (version) => {
  const posts = `/api/${version}/posts`

  test('a member cannot pick, by none of the doors', async () => {
    const member = api.as(users.member3)
    const { id } = await addPost(api.db, { tags: { connect: { id: 2 } } })
    const before = await api.db.post.count()
    expect(refusal(await member.patch(`${posts}/${id}`, change(id, tags(other, staffPick))))).toEqual(unprocessable)
    expect(refusal(await member.post(posts, { body: { data: newPost(version, staffPick) } }))).toEqual(unprocessable)
    const linkage = { body: { data: [staffPick] } }
    const door = `${posts}/${id}/relationships/tags`
    expect(refusal(await member.patch(door, linkage))).toEqual({ status: 403, errors: [forbidden(message)] })
    expect(refusal(await member.post(door, linkage))).toEqual({ status: 403, errors: [forbidden(message)] })
    expect([await tagsOf(api.db, id), await api.db.post.count()]).toEqual([[2], before])
  })

  test.each(['editor', 'admin'] as const)('an %s can, by each of them', async (role) => {
    const editor: Caller = api.as(users[role])
    const [{ id }, { id: second }] = [await addPost(api.db), await addPost(api.db)]
    expect((await editor.patch(`${posts}/${id}`, change(id, tags(staffPick)))).status).toBe(200)
    expect((await editor.post(posts, { body: { data: newPost(version, staffPick) } })).status).toBe(201)
    const linkage = { body: { data: [staffPick] } }
    expect((await editor.post(`${posts}/${second}/relationships/tags`, linkage)).status).toBe(204)
    expect([await tagsOf(api.db, id), await tagsOf(api.db, second)]).toEqual([[1], [1]])
  })

  test('the author of a picked post changes what else it has', async () => {
    const { id } = await addPost(api.db, { tags: { connect: { id: 1 } } })
    const answer = await api.as(users.member3).patch(`${posts}/${id}`, change(id, { attributes: { title: 'Better' } }))
    expect([answer.status, await tagsOf(api.db, id)]).toEqual([200, [1]])
  })
})

test('nor by an atomic operation', async () => {
  const { id } = await addPost(api.db)
  const { status, body } = await operate(api.as(users.member3), {
    op: 'update',
    data: { type: 'posts', id: String(id), ...tags(staffPick) },
  })
  expect([status, body.errors.map(({ detail }: { detail: string }) => detail)]).toEqual([422, [message]])
  expect(await tagsOf(api.db, id)).toEqual([])
})
