import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { type Answer, mediaType, useApi, users } from '../../support/api.ts'
import { postResource } from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

const api = useApi()

class WithoutTags extends V1 {
  override readonly etags = false
}

const silent = useServers(() => exampleWith(WithoutTags))

const etagOf = ({ headers }: Answer) => headers.get('ETag') as string
const versionOf = (answer: Answer) => etagOf(answer).split('/')[0]
const strong = /^"2024-05-01T00:00:00\.000Z\/[\w-]{22}"$/
const weak = /^W\/"[\w-]{22}"$/
const asksFor = (...tags: readonly string[]) => ({ headers: { 'If-None-Match': tags.join(', ') } })

/** What an answer without a body says by its headers, other than when, and by which connection. */
const saidBy = ({ headers }: Answer) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'].includes(name),
    ),
  )

test('a resource has a strong entity tag: its version, and a digest of the body', async () => {
  const { id } = await addPost(api.db)
  const response = await fetch(api.url(`/posts/${id}`), { headers: { Accept: mediaType } })
  const digest = hash('sha1', await response.text(), 'base64url').slice(0, 22)
  expect(response.headers.get('ETag')).toBe(`"2024-05-01T00:00:00.000Z/${digest}"`)
})

test.each([
  ['a resource', (id: number) => `/posts/${id}`, strong],
  ['a relationship, which has the version of its resource', (id: number) => `/posts/${id}/relationships/tags`, strong],
  ['a to-one relationship', (id: number) => `/posts/${id}/relationships/author`, strong],
  ['a related resource', (id: number) => `/posts/${id}/author`, weak],
  ['related resources', (id: number) => `/posts/${id}/tags`, weak],
  ['a collection', () => '/posts', weak],
  ['one of a singular filter', () => '/posts?filter[slug]=nothing-has-it', weak],
  ['a resource without a version', () => '/tags/1', weak],
  ['the same on the second server', (id: number) => `/api/v2/posts/${id}`, strong],
  ['a collection there', () => '/api/v2/posts', weak],
])('%s is 304 to who has it, without a body and with the headers of the 200', async (_, pathOf, kind) => {
  const path = pathOf((await addPost(api.db)).id)
  const first = await api.guest.get(path)
  const tag = etagOf(first)
  expect(tag).toMatch(kind)
  for (const method of ['GET', 'HEAD']) {
    for (const tags of [[tag], ['"other"', tag], [tag.replace(/^W\//, '')], [`W/${tag.replace(/^W\//, '')}`], ['*']]) {
      const { status, body, headers } = await api.guest.request(method, path, asksFor(...tags))
      const { 'content-type': type, ...rest } = saidBy(first)
      expect({ status, body, headers: saidBy({ status, body, headers }) }).toEqual({
        status: 304,
        body: undefined,
        headers: rest,
      })
      expect(type).toContain(mediaType)
    }
    expect((await api.guest.request(method, path, asksFor('"other"', 'W/"2024-05-01T00:00:00.000Z"'))).status).toBe(200)
  }
})

test('HEAD has the tag of GET', async () => {
  const { id } = await addPost(api.db)
  expect(etagOf(await api.guest.request('HEAD', `/posts/${id}`))).toBe(etagOf(await api.guest.get(`/posts/${id}`)))
})

test('a collection is answered anew once one of its resources is another', async () => {
  const { id } = await addPost(api.db)
  const tag = etagOf(await api.guest.get('/posts'))
  await api.db.post.update({ where: { id }, data: { title: 'Changed' } })
  const { status, body } = await api.guest.get('/posts', asksFor(tag))
  expect(status).toBe(200)
  expect(body.data.map((each: { attributes: { title: string } }) => each.attributes.title)).toContain('Changed')
})

test('the same resource is another answer with another query, with what it includes, and to another caller', async () => {
  const { id } = await addPost(api.db, { publishedAt: null })
  const author = api.as(users.member3)
  const queries = ['', '?include=author', '?include=tags', '?fields[posts]=title']
  const tags = new Set<string>()
  for (const query of queries) tags.add(etagOf(await author.get(`/posts/${id}${query}`)))
  expect(tags.size).toBe(queries.length)
  const included = etagOf(await author.get(`/posts/${id}?include=author`))
  await api.db.user.update({ where: { id: users.member3 }, data: { name: 'Renamed' } })
  expect((await author.get(`/posts/${id}?include=author`, asksFor(included))).status).toBe(200)
  expect((await author.get(`/posts/${id}`, asksFor(included))).status).toBe(200)
  // A draft: who may not see it learns nothing by the tag of who may.
  const [shown] = tags
  expect((await api.guest.get(`/posts/${id}`, asksFor(shown as string))).status).toBe(404)
  expect((await api.guest.get(`/posts/${id}`, asksFor('*'))).status).toBe(404)
})

test('what a collection hides from a guest is no part of the tag that the guest gets', async () => {
  const tag = etagOf(await api.guest.get('/posts?page[size]=100'))
  await addPost(api.db, { publishedAt: null })
  expect((await api.guest.get('/posts?page[size]=100', asksFor(tag))).status).toBe(304)
  expect((await api.as(users.admin).get('/posts?page[size]=100', asksFor(tag))).status).toBe(200)
})

test('what creates or changes a resource answers with the tag that it has from then on', async () => {
  const author = api.as(users.member3)
  const attributes = { title: 'T', slug: 'with-a-tag', content: 'C' }
  const created = await author.post('/posts', { body: { data: { type: 'posts', attributes } } })
  const path = `/posts/${created.body.data.id}`
  expect((await author.get(path, asksFor(etagOf(created)))).status).toBe(304)
  const changed = await author.patch(path, {
    body: { data: { type: 'posts', id: created.body.data.id, attributes: { title: 'U' } } },
  })
  expect((await author.get(path, asksFor(etagOf(created)))).status).toBe(200)
  expect((await author.get(path, asksFor(etagOf(changed)))).status).toBe(304)
  const sparse = await author.patch(`${path}?fields[posts]=title`, {
    body: { data: { type: 'posts', id: created.body.data.id, attributes: { title: 'V' } } },
  })
  expect((await author.get(`${path}?fields[posts]=title`, asksFor(etagOf(sparse)))).status).toBe(304)
  const tagged = await author.patch(`${path}/relationships/tags`, { body: { data: [{ type: 'tags', id: '2' }] } })
  // The answer to a PATCH shows all of the linkage, and a GET a page of it: of the same version.
  expect(versionOf(tagged)).toBe(versionOf(await author.get(`${path}/relationships/tags`)))
  expect(versionOf(tagged)).toBe(versionOf(await author.get(path)))
  expect(versionOf(tagged)).not.toBe(versionOf(sparse))
})

test('errors have no tag, and If-None-Match does not make them less', async () => {
  for (const path of ['/posts/999999', '/posts?sort=nonsense']) {
    const answer = await api.guest.get(path, asksFor('*'))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.headers.get('ETag')).toBeNull()
  }
})

test('If-Match of a GET asks for one body, and no other', async () => {
  const { id } = await addPost(api.db)
  const tag = etagOf(await api.guest.get(`/posts/${id}`))
  const matching = (match: string) => api.guest.get(`/posts/${id}`, { headers: { 'If-Match': match } })
  expect((await matching(tag)).status).toBe(200)
  expect((await matching('*')).status).toBe(200)
  const { status, body, headers } = await matching('"2024-05-01T00:00:00.000Z/other"')
  expect({ status, body, etag: headers.get('ETag') }).toEqual({
    status: 412,
    body: {
      jsonapi: { version: '1.0' },
      errors: [
        {
          status: '412',
          title: 'Precondition Failed',
          detail: 'The answer has another entity tag than those of If-Match.',
        },
      ],
    },
    etag: null,
  })
})

test('a server without tags sends none and answers whole, and writes still look at If-Match', async () => {
  const post = await addPost(silent.db)
  const ask = silent.as(users.member3)
  const path = `/api/v1/posts/${post.id}`
  const { status, headers, body } = await ask('GET', path, asksFor('*'))
  expect({ status, tag: headers.get('ETag'), data: body.data }).toEqual({
    status: 200,
    tag: null,
    data: postResource(post),
  })
  const patch = (version: string) =>
    ask('PATCH', path, {
      headers: { 'If-Match': `"${version}"` },
      body: { data: { type: 'posts', id: String(post.id), attributes: { title: 'By its version' } } },
    })
  expect((await patch('2024-05-01T00:00:00.001Z')).status).toBe(412)
  expect((await patch('2024-05-01T00:00:00.000Z')).status).toBe(200)
})
