import { Schema, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { badParameter, expectErrors, nonCompliant } from '../../support/answers.ts'
import { openServer, pathOf, type Query, urlOf } from '../../support/open-server.ts'
import { identifier, jsonapi } from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// Attributes that are made of columns, and columns that are shown as something else.

class Posts extends Schema<'Post'> {
  override fields() {
    return [
      this.attribute('excerpt').computed(['content'], ({ content }) => content.slice(0, 4)),
      this.attribute('isOld')
        .named('old')
        .computed(['createdAt', 'publishedAt'], ({ createdAt }) => createdAt.getTime() < 0),
      this.attribute('nothing').computed([], () => undefined),
      this.attribute('seen').computed(['title'], (row) => Object.keys(row)),
      this.attribute('secret')
        .computed(['slug'], ({ slug }) => slug)
        .hidden(),
      this.attribute('slug')
        .serializeUsing((slug) => slug.toUpperCase())
        .deserializeUsing((slug) => String(slug).toLowerCase()),
      this.attribute('synopsis').serializeUsing((synopsis) => synopsis?.length),
      this.attribute('publishedAt').serializeUsing((date) => date?.getUTCFullYear()),
      this.attribute('note')
        .virtual()
        .deserializeUsing((note) => `noted: ${note}`),
    ]
  }
}
class Comments extends Schema<'Comment'> {}

const notes: unknown[] = []
const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer(
      'computed',
      { Post: Posts, Comment: Comments },
      {
        serving(phase: Serving) {
          phase.saving('Post', (_data, { input }) => void notes.push(input.note))
          phase.creating('Post', () => ({ authorId: 3 }))
        },
      },
    ),
  ],
}))

const ask = (path: string, query: Query = {}) => servers.as(null)('GET', pathOf('computed', path, query))
const write = (method: string, path: string, data: object) =>
  servers.as(null)(method, pathOf('computed', path), { body: { data } })

describe('a computed attribute', () => {
  test('is shown, from the columns that it names and no others', async () => {
    const names = 'excerpt,old,nothing,seen'
    const query = { 'fields[posts]': names }
    const attributes = { excerpt: 'This', old: false, nothing: null, seen: ['title'] }
    for (const path of ['/posts/1', '/posts?filter[id]=1&page[size]=1', '/comments/1/post']) {
      const { status, body } = await ask(path.split('?')[0] as string, {
        ...query,
        ...Object.fromEntries(new URLSearchParams(path.split('?')[1])),
      })
      const data = [body.data].flat()[0]
      expect([status, data.attributes]).toEqual([200, attributes])
    }
  })

  test('brings those columns to be loaded, and they alone', async () => {
    const columnsOf = async (fields: string) => {
      const [query = ''] = await servers.queriesOf(() =>
        ask('/posts', { 'fields[posts]': fields, 'page[size]': 1, 'page[number]': 1 }),
      )
      const [, list = ''] = /^SELECT (.+?) FROM/i.exec(query) ?? []
      return [...list.matchAll(/[`"](?:Post|t0)[`"]\.[`"](\w+)[`"]/g)].map(([, column]) => column).sort()
    }
    expect(await columnsOf('excerpt')).toEqual(['content', 'id'])
    expect(await columnsOf('old,seen')).toEqual(['createdAt', 'id', 'publishedAt', 'title'])
    expect(await columnsOf('nothing')).toEqual(['id'])
  })

  test.each<[Query, string, string]>([
    [{ sort: 'excerpt' }, 'sort', 'Sort parameter excerpt is not allowed.'],
    [{ 'filter[excerpt]': 'x' }, 'filter[excerpt]', 'Filter parameter excerpt is not allowed.'],
    [{ 'fields[posts]': 'isOld' }, 'fields[posts]', 'Sparse field set posts.isOld is not allowed.'],
    [{ 'fields[posts]': 'secret' }, 'fields[posts]', 'Sparse field set posts.secret is not allowed.'],
  ])('%o is 400', async (query, parameter, detail) => {
    expectErrors(await ask('/posts', query), badParameter(parameter, detail))
  })

  test('is read-only', async () => {
    const { id } = await addPost(servers.db, { content: 'Long enough' })
    const data = { type: 'posts', id: String(id), attributes: { excerpt: 'x', old: true } }
    const { status, body } = await write('PATCH', `/posts/${id}`, data)
    expect([status, body.data.attributes.excerpt, body.data.attributes.old]).toEqual([200, 'Long', false])
  })

  test('that is hidden does not exist', async () => {
    const data = { type: 'posts', id: '1', attributes: { secret: 'x' } }
    expectErrors(
      await write('PATCH', '/posts/1', data),
      nonCompliant('The field secret is not a supported attribute.', '/data/attributes/secret'),
    )
  })
})

describe('a column', () => {
  test('is shown as the schema says, and read back so', async () => {
    const attributes = { title: 'T', content: 'C', slug: 'MADE-BIG', note: 'this' }
    const { status, body } = await write('POST', '/posts', { type: 'posts', attributes })
    expect([status, body.data.attributes.slug]).toEqual([201, 'MADE-BIG'])
    const row = await servers.db.post.findUniqueOrThrow({ where: { id: Number(body.data.id) } })
    expect([row.slug, row.synopsis, body.data.attributes.synopsis]).toEqual(['made-big', null, null])
    expect(notes).toContain('noted: this')
    expect(body.data.attributes).not.toHaveProperty('note')
  })

  test('that is shown as something that it cannot hold is left alone by writes of others', async () => {
    const { id, updatedAt, ...before } = await addPost(servers.db, { synopsis: 'Five words of a synopsis' })
    const data = { type: 'posts', id: String(id), attributes: { title: 'Another title' } }
    expect((await write('PATCH', `/posts/${id}`, data)).status).toBe(200)
    const row = await servers.db.post.findUniqueOrThrow({ where: { id } })
    expect(row).toEqual({ ...before, id, title: 'Another title', updatedAt: row.updatedAt })
  })

  test('is filtered by what is shown', async () => {
    const query = { 'filter[slug]': 'POST-3', 'fields[posts]': 'slug,synopsis,publishedAt' }
    const { body } = await ask('/posts', query)
    const { synopsis, publishedAt } = await servers.db.post.findUniqueOrThrow({ where: { id: 3 } })
    expect(body.data).toEqual([
      {
        ...identifier('posts', 3),
        attributes: {
          slug: 'POST-3',
          synopsis: synopsis?.length,
          publishedAt: publishedAt?.getUTCFullYear(),
        },
        links: { self: urlOf('computed', '/posts/3') },
      },
    ])
    expect(body.jsonapi).toEqual(jsonapi)
  })
})
