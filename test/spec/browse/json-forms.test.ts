import { json, ResourceRequest, Schema, string } from 'prismapi'
import { expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, formIn } from '../../support/pages.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// Where any JSON may stand, a form shows it as JSON, and takes nothing else.

class Posts extends Schema<'Post'> {
  override fields() {
    return [
      this.attribute('title'),
      this.attribute('synopsis')
        .serializeUsing((text): unknown => (text === null ? null : JSON.parse(text)))
        .deserializeUsing((value) => (value === null ? null : JSON.stringify(value))),
    ]
  }
}

class PostRequest extends ResourceRequest<'Post'> {
  override rules() {
    return { title: string(), synopsis: json().nullable() }
  }
}

const servers = useServers(() => ({
  production: false,
  policies: new Map(),
  servers: [openServer('json', { Post: Posts }, { requests: { Post: { request: PostRequest } } })],
}))
const send = async (path: string, fields?: Readonly<Record<string, string>>) => {
  const headers = { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin' }
  const body = fields && new URLSearchParams(fields)
  const method = fields ? 'POST' : 'GET'
  const answer = await fetch(servers.at + path, { method, headers, redirect: 'manual', ...(body && { body }) })
  return { status: answer.status, text: await answer.text() }
}
const synopsis = 'json:/data/attributes/synopsis'
const title = 'string:/data/attributes/title'
const storedPost = (id: number) => servers.db.post.findUniqueOrThrow({ where: { id } })
const stored = async (id: number) => (await storedPost(id)).synopsis
/** The form with the value that is stored. */
const formOf = async (value: unknown) => {
  const { id } = await addPost(servers.db, { synopsis: JSON.stringify(value) })
  const { action, fields } = formIn((await send(`/api/json/posts/${id}?-edit=true`)).text, 'update')
  return { id, action, fields }
}

test.each([['a text'], ['5'], [''], [{ a: [1] }], [5], [false]])('%j is shown as JSON, and stays', async (value) => {
  const { id, action, fields } = await formOf(value)
  expect(fields[synopsis]).toBe(JSON.stringify(value, null, 2))
  expect((await send(action, fields)).status).toBe(303)
  expect(await stored(id)).toBe(JSON.stringify(value))
})

test.each([
  ['"6"', '"6"'],
  ['null', 'null'],
  ['', 'null'],
])('%j is saved', async (written, expected) => {
  const { id, action, fields } = await formOf('5')
  expect((await send(action, { ...fields, [synopsis]: written })).status).toBe(303)
  expect(String(await stored(id))).toBe(expected)
})

test.each([['{"a": 1'], ['a text'], ['1e999'], ['{"a": [-1e999]}']])(
  '%j is refused, and shown again as it was written',
  async (written) => {
    const { id, action, fields } = await formOf({ a: 1 })
    const { status, text } = await send(action, { ...fields, [synopsis]: written })
    expect([status, text.includes('This is not JSON.')]).toEqual([422, true])
    expect(formIn(text, 'update').fields[synopsis]).toBe(written)
    expect(await stored(id)).toBe('{"a":1}')
  },
)

test('what nests deeper than any value is refused', async () => {
  const { action, fields } = await formOf({ a: 1 })
  const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`
  expect((await send(action, { ...fields, [synopsis]: deep })).status).toBe(422)
})

test('what was refused overwrites nothing that another has saved meanwhile, once it is mended', async () => {
  const { id, action, fields } = await formOf({ a: 1 })
  expect(fields[title]).toEqual(expect.any(String))
  const mine = { ...fields, [title]: 'Mine', [synopsis]: '{"a": 2' }
  const updatedAt = new Date(Date.now() + 5000)
  await servers.db.post.update({ where: { id }, data: { title: 'Theirs', updatedAt } })
  const refused = await send(action, mine)
  expect([refused.status, refused.text.includes('This is not JSON.')]).toEqual([422, true])
  const mended = await send(action, { ...formIn(refused.text, 'update').fields, [synopsis]: '{"a": 2}' })
  expect([mended.status, (await storedPost(id)).title]).toEqual([412, 'Theirs'])
  // Now its reader has seen the other title beside the own one.
  expect(mended.text).toMatch(/<th scope="row">Title<.*Theirs.*Mine/s)
  expect((await send(action, formIn(mended.text, 'update').fields)).status).toBe(303)
  expect(await storedPost(id)).toMatchObject({ title: 'Mine', synopsis: '{"a":2}' })
})
