import { deny, Policy, ResourceRequest, type Rules, Schema, Server, string, toMany, toOne, unique } from 'prismapi'
import { describe, expect, test } from 'vitest'
import {
  badParameter,
  expectAnswer,
  expectErrors,
  expectNothing,
  forbidden,
  invalid,
  missing,
  nonCompliant,
  relatedNotFound,
} from '../../support/answers.ts'
import { pathOf, type Query, urlOf } from '../../support/open-server.ts'
import { wrongType } from '../../support/refusal.ts'
import { identifier, jsonapi } from '../../support/row-documents.ts'
import { addPost, tagsOf } from '../../support/rows.ts'
import { plain, useServers } from '../../support/servers.ts'

// A name that the schema gives is the field's only name: in documents, URLs, queries, rules, policies and pointers.

type Named = 'writer' | 'keywords' | 'remarks'

class Posts extends Schema<'Post', 'handle'> {
  override readonly defaultSort = '-handle'
  override fields() {
    return [
      this.attribute('content').named('body'),
      this.attribute('slug').named('handle').singular(),
      // A name that another field had.
      this.attribute('synopsis').named('content'),
      this.relation('author').named('writer'),
      this.relation('tags').named('keywords').mustValidate(),
      this.relation('comments').named('remarks').countable(),
    ]
  }
}

class PostPolicy extends Policy<'Post', Named> {
  override abilities({ can }: Rules<'Post', Named>) {
    can(['viewAny', 'create', 'view', 'update', 'viewWriter', 'viewKeywords', 'viewRemarks', 'attachKeywords'])
    can('updateKeywords', { id: { not: 2 } })
  }
  updateWriter() {
    return deny('A post keeps its writer.')
  }
  // Nothing is called so on this server.
  override updateAuthor() {
    return true
  }
}

class PostRequest extends ResourceRequest<'Post', 'body' | 'handle' | Named> {
  override rules() {
    return {
      title: string().required(),
      body: string().required().min(3),
      handle: string().required().test(unique()),
      content: string().nullable(),
      writer: toOne().required(),
      keywords: toMany(),
    }
  }
}

class Renaming extends Server {
  override readonly name = 'renaming'
}
const requests = new Map([['Post', { request: PostRequest, query: null, collectionQuery: null }]])
const servers = useServers(() => ({
  policies: new Map([['Post', PostPolicy]]),
  servers: [plain(Renaming, { schemas: new Map([['Post', Posts]]), requests })],
}))

const at = (path: string, query: Query = {}) => pathOf('renaming', path, query)
const url = (path: string, query: Query = {}) => urlOf('renaming', path, query)
const get = (path: string, query: Query = {}) => servers.as(null)('GET', at(path, query))
const send = (method: string, path: string, data: unknown) => servers.as(null)(method, at(path), { body: { data } })

const relationship = (id: number, name: string) => ({
  links: { self: url(`/posts/${id}/relationships/${name}`), related: url(`/posts/${id}/${name}`) },
})

async function resource(id: number, linkage: Readonly<Record<string, unknown>> = {}) {
  const row = await servers.db.post.findUniqueOrThrow({ where: { id } })
  const iso = (date: Date | null) => date?.toISOString() ?? null
  const names = ['writer', 'keywords', 'remarks']
  return {
    ...identifier('posts', id),
    attributes: {
      title: row.title,
      handle: row.slug,
      body: row.content,
      content: row.synopsis,
      publishedAt: iso(row.publishedAt),
      deletedAt: iso(row.deletedAt),
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
    },
    relationships: Object.fromEntries(
      names.map((name) => [name, { ...relationship(id, name), ...(name in linkage && { data: linkage[name] }) }]),
    ),
    links: { self: url(`/posts/${id}`) },
  }
}

describe('reading', () => {
  test('documents have the names', async () => {
    const document = { jsonapi, links: { self: url('/posts/1') }, data: await resource(1) }
    expectAnswer(await get('/posts/1'), 200, document)
  })

  test('so have queries', async () => {
    const row = await servers.db.post.findUniqueOrThrow({ where: { id: 1 }, include: { author: true, _count: true } })
    const asked = {
      'filter[handle]': 'post-1',
      'filter[writer.name]': row.author.name,
      'filter[keywords.name][startsWith]': 'tag',
      include: 'writer',
      withCount: 'remarks',
      'fields[posts]': 'body,writer,remarks',
      'fields[users]': '',
      sort: 'body,-writer.name',
    }
    const data = {
      ...identifier('posts', 1),
      attributes: { body: row.content },
      relationships: {
        writer: { ...relationship(1, 'writer'), data: identifier('users', row.authorId) },
        remarks: { ...relationship(1, 'remarks'), meta: { count: row._count.comments } },
      },
      links: { self: url('/posts/1') },
    }
    const included = [{ ...identifier('users', row.authorId), links: { self: url(`/users/${row.authorId}`) } }]
    expectAnswer(await get('/posts', asked), 200, { jsonapi, links: { self: url('/posts', asked) }, data, included })
  })

  test('and the default order', async () => {
    // Of the seed: other tests add posts.
    const seeded = { 'filter[id][lte]': 60 }
    const { body } = await get('/posts', { ...seeded, 'page[size]': 1 })
    expect(body.data).toEqual([await resource(9)])
    expect(body.links.next).toBe(url('/posts', { ...seeded, 'page[number]': 2, 'page[size]': 1, sort: '-handle' }))
  })

  test.each<[Query, string, string]>([
    [{ include: 'author' }, 'include', 'Include path author is not allowed.'],
    [{ 'fields[posts]': 'slug' }, 'fields[posts]', 'Sparse field set posts.slug is not allowed.'],
    [{ sort: 'slug' }, 'sort', 'Sort parameter slug is not allowed.'],
    [{ sort: 'author.name' }, 'sort', 'Sort parameter author.name is not allowed.'],
    [{ 'filter[slug]': 'x' }, 'filter[slug]', 'Filter parameter slug is not allowed.'],
    [{ 'filter[author]': '1' }, 'filter[author]', 'Filter parameter author is not allowed.'],
    [{ withCount: 'comments' }, 'withCount', 'Field comments is not countable.'],
  ])('%o names nothing', async (query, parameter, detail) => {
    expectErrors(await get('/posts', query), badParameter(parameter, detail))
  })

  test('URLs of relations have the names, and no others', async () => {
    const { authorId } = await servers.db.post.findUniqueOrThrow({ where: { id: 1 } })
    const writer = await get('/posts/1/writer')
    expect([writer.status, writer.body.data.id, writer.body.links]).toEqual([
      200,
      String(authorId),
      { self: url('/posts/1/writer') },
    ])
    expectAnswer(await get('/posts/1/relationships/writer'), 200, {
      jsonapi,
      links: relationship(1, 'writer').links,
      data: identifier('users', authorId),
    })
    for (const path of ['/posts/1/author', '/posts/1/relationships/author', '/posts/1/relationships/tags'])
      expect((await get(path)).status).toBe(404)
  })
})

describe('writing', () => {
  const keyword = (id: number) => identifier('tags', id)
  const data = (attributes: object, relationships: object = {}) => ({
    type: 'posts',
    attributes: { title: 'T', body: 'The body', handle: 'the-handle', ...attributes },
    relationships: { writer: { data: identifier('users', 3) }, ...relationships },
  })

  test('fills the columns that the names stand for', async () => {
    const { status, body } = await send(
      'POST',
      '/posts',
      data({ content: 'In short' }, { keywords: { data: [keyword(2), keyword(3)] } }),
    )
    const id = Number(body.data.id)
    expect([status, body.data]).toEqual([201, await resource(id)])
    const row = await servers.db.post.findUniqueOrThrow({ where: { id } })
    expect([row.content, row.slug, row.synopsis, row.authorId, await tagsOf(servers.db, id)]).toEqual([
      'The body',
      'the-handle',
      'In short',
      3,
      [2, 3],
    ])
  })

  test('points at them', async () => {
    const wrong = data({ body: 'x', handle: 'post-1' }, { writer: { data: null } })
    expectErrors(
      await send('POST', '/posts', wrong),
      invalid('min', 'The body field must be at least 3 characters.', '/data/attributes/body'),
      invalid('required', 'The writer field is required.', '/data/relationships/writer/data'),
    )
    expectErrors(
      await send('POST', '/posts', data({ handle: 'post-1' })),
      invalid('unique', 'The handle has already been taken.', '/data/attributes/handle'),
    )
    const { handle: _, ...attributes } = data({}).attributes
    expectErrors(await send('POST', '/posts', { ...data({}), attributes }), missing('handle'))
  })

  test('finds out who was faster, by the name', async () => {
    const once = () => send('POST', '/posts', data({ handle: 'contested' }))
    const answers = await Promise.all([once(), once(), once()])
    const lost = answers.filter(({ status }) => status !== 201)
    expect(lost).toHaveLength(2)
    for (const answer of lost)
      expectErrors(answer, invalid('unique', 'The handle has already been taken.', '/data/attributes/handle'))
  })

  test.each([
    ['slug', 'attributes'],
    ['authorId', 'attributes'],
  ])('does not know %s', async (name) => {
    const detail = `The field ${name} is not a supported attribute.`
    expectErrors(await send('POST', '/posts', data({ [name]: 'x' })), nonCompliant(detail, `/data/attributes/${name}`))
  })

  test('checks linkage by the name', async () => {
    expectErrors(
      await send('POST', '/posts', data({}, { tags: { data: [] } })),
      nonCompliant('The field tags is not a supported relationship.', '/data/relationships/tags'),
    )
    expectErrors(
      await send('POST', '/posts', data({}, { writer: { data: identifier('tags', 1) } })),
      wrongType(
        'The writer field must be a to-one relationship containing users resources.',
        '/data/relationships/writer',
      ),
    )
    expectErrors(
      await send('POST', '/posts', data({}, { keywords: { data: [keyword(4711)] } })),
      relatedNotFound('/data/relationships/keywords/data/0'),
    )
  })
})

describe('policies', () => {
  test('decide by the names', async () => {
    const { id } = await addPost(servers.db)
    expectNothing(await send('POST', `/posts/${id}/relationships/keywords`, [identifier('tags', 4)]))
    expect(await tagsOf(servers.db, id)).toEqual([4])
    const replaced = await send('PATCH', `/posts/${id}/relationships/keywords`, [identifier('tags', 5)])
    expectAnswer(replaced, 200, {
      jsonapi,
      links: relationship(id, 'keywords').links,
      data: [identifier('tags', 5)],
    })
    expectErrors(await send('PATCH', '/posts/2/relationships/keywords', []), forbidden())
    expectErrors(await send('DELETE', `/posts/${id}/relationships/keywords`, []), forbidden())
  })

  test('and by no others', async () => {
    const answer = await send('PATCH', '/posts/1/relationships/writer', identifier('users', 4))
    expectErrors(answer, forbidden('A post keeps its writer.'))
  })
})
