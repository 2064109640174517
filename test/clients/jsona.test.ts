import { Jsona } from 'jsona'
import { describe, expect, test } from 'vitest'
import { type Send, useApi, users } from '../support/api.ts'
import { versions } from '../support/conformance.ts'
import { tagsOf } from '../support/rows.ts'

const jsona = new Jsona()

/** What jsona makes of a resource, and what it takes for one. */
interface Model {
  readonly type: string
  readonly [field: string]: unknown
}

/** The document of a model: its own fields, without what an answer adds to them. */
function toDocument({ links, meta, relationshipNames, ...model }: Model, changed: readonly string[] = []) {
  return jsona.serialize({ stuff: { ...model, relationshipNames: [...changed] } })
}

const server = useApi()

describe.each(versions)('jsona on $name', ({ name, text }) => {
  const send = (method: string, path: string, body?: Send['body']) =>
    server.as(users.admin).request(method, `/api/${name}${path}`, { body })
  // biome-ignore lint/suspicious/noExplicitAny: models are of every shape
  const ask = async (...request: Parameters<typeof send>): Promise<any> => {
    const answer = await send(...request)
    expect(answer.status).toBeLessThan(300)
    return jsona.deserialize(answer.body)
  }
  const tags = (...ids: readonly number[]) => ids.map((id) => ({ type: 'tags', id: String(id) }))
  const post = (slug: string, more: object = {}) => ({
    type: 'posts',
    title: 'T',
    slug: `${slug}-${name}`,
    [text]: 'Text',
    ...more,
  })

  test('reads lists with what they include', async () => {
    const posts = await ask('GET', '/posts?include=author,tags&page[size]=2&sort=id')
    const names = async (id: number) => (await tagsOf(server.db, id)).map((tag) => `tag-${tag}`).sort()
    expect(posts).toMatchObject([
      { id: '1', author: { name: 'Member 4' }, tags: (await names(1)).map((name) => ({ name })) },
      { id: '2', author: { name: 'Member 5' }, tags: (await names(2)).map((name) => ({ name })) },
    ])
  })

  test('writes documents that create, with relationships', async () => {
    const model = post('created', { tags: tags(2, 3), author: { type: 'users', id: '4' } })
    const created = await ask('POST', '/posts?include=author,tags', toDocument(model, ['tags', 'author']))
    expect(created).toMatchObject({ title: 'T', author: { name: 'Member 4' }, tags: [{ id: '2' }, { id: '3' }] })
  })

  test('writes documents that update what it has read', async () => {
    const created = await ask('POST', '/posts?include=tags', toDocument(post('updated', { tags: tags(2) }), ['tags']))
    const changed = { ...created, title: 'New', tags: [...created.tags, ...tags(4)] }
    const updated = await ask('PATCH', `/posts/${created.id}?include=tags`, toDocument(changed, ['tags']))
    expect(updated).toMatchObject({ title: 'New', [text]: 'Text', tags: [{ id: '2' }, { id: '4' }] })
  })

  test('reads linkage; what it writes has attributes, which an identifier has not', async () => {
    const { id } = await ask('POST', '/posts', toDocument(post('linkage')))
    const path = `/posts/${id}/relationships/tags`
    const { status, body } = await send('PATCH', path, jsona.serialize({ stuff: tags(2) }))
    expect({ status, detail: body.errors[0].detail }).toEqual({
      status: 400,
      detail: 'The member 0 must be a resource identifier.',
    })
    expect(await ask('PATCH', path, { data: tags(2, 3) })).toMatchObject(tags(2, 3))
    expect(await tagsOf(server.db, Number(id))).toEqual([2, 3])
  })
})
