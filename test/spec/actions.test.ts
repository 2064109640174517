import { array, deny, forbidden, meta, Policy, ResourceRequest, type RowOf, string, type User } from 'prismapi'
import { afterEach, describe, expect, test } from 'vitest'
import PostSchema from '../../src/app/v1/post.schema.ts'
import V1 from '../../src/app/v1/server.ts'
import TagSchema from '../../src/app/v1/tag.schema.ts'
import {
  conflict,
  expectAnswer,
  expectErrors,
  expectNothing,
  forbidden as forbid,
  notFound,
} from '../support/answers.ts'
import { users } from '../support/api.ts'
import {
  at,
  documentOf,
  identifier,
  jsonapi,
  postResource,
  tagResource,
  userToGuests,
} from '../support/row-documents.ts'
import { addPost, addTag } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'

let late: string[] = []
afterEach(() => {
  late = []
})

class Tags extends TagSchema {
  override actions() {
    return [
      this.action('import', {
        on: 'collection',
        status: 201,
        rules: { names: array(string().required().max(20)).required(), 'names.*': string().matches(/^[a-z]+$/) },
        async handle({ row, input, db, afterCommit }) {
          afterCommit(() => void late.push(`imported ${input.names} ${row}`))
          const tags = []
          for (const name of input.names) tags.push(await db.tag.create({ data: { name } }))
          if (input.names.includes('refused')) throw forbidden('Not this one.')
          if (input.names.includes('broken')) throw new Error('a bug')
          return tags.reverse()
        },
      }),
      this.action('statistics', {
        on: 'collection',
        method: 'GET',
        handle: async ({ db }) => meta({ videos: await db.video.count() }),
      }),
      this.action('latestPosts', {
        on: 'collection',
        answers: 'Post',
        handle: ({ db }) => db.post.findMany({ where: { id: { lte: 5 } }, orderBy: { id: 'desc' } }),
      }),
      this.action('firstPost', { answers: 'Post', handle: ({ db }) => db.post.findFirst({ where: { id: 4711 } }) }),
      this.action('merge', {
        method: 'PUT',
        rules: { into: string().required() },
        async handle({ row, input, db, find }) {
          // A promise, whatever is found.
          const target = await find(input.into).then((found) => found)
          if (!target) throw forbidden('There is no such tag.')
          await db.tag.delete({ where: { id: row.id } })
          return { id: target.id }
        },
      }),
      this.action('reset', {
        async handle({ row, user, document, db }) {
          await db.tag.update({ where: { id: row.id }, data: { name: `reset by ${user?.name}` } })
          late.push(JSON.stringify(document))
        },
      }),
      this.action('copy', {
        rules: { id: string() },
        handle: ({ row, db }) => db.tag.create({ data: { name: row.name } }),
      }),
      this.action('nonsense', {
        async handle({ row, db }) {
          await db.tag.update({ where: { id: row.id }, data: { name: 'nonsense' } })
          return { name: 'nonsense' }
        },
      }),
    ]
  }
}

class Posts extends PostSchema {
  override actions() {
    return [
      ...super.actions(),
      this.action('withdraw', {
        handle: ({ row, db }) =>
          db.post.update({ where: { id: row.id }, data: { authorId: users.admin, publishedAt: null } }),
      }),
    ]
  }
}

class TagPolicy extends Policy<'Tag'> {
  import(user: User | null) {
    return user?.role === 'ADMIN' || deny('Only an administrator imports.')
  }
  merge(_user: User | null, row: RowOf<'Tag'>) {
    return row.id !== 1
  }
  override view = () => true
  statistics = () => true
  latestPosts = () => true
  firstPost = () => true
  copy = () => true
  nonsense = () => true
}

class PostPolicy extends Policy<'Post'> {
  override view = () => true
  withdraw() {
    return true
  }
}

class TagRequest extends ResourceRequest<'Tag'> {
  override authorize() {
    return this.getActionName() === 'reset' ? this.user?.role === 'EDITOR' : null
  }
}

const api = useServers(async () => {
  const [v1] = (await exampleWith(V1)).servers
  const schemas = new Map([...(v1?.schemas ?? []), ['Tag', Tags] as const, ['Post', Posts] as const])
  const requests = new Map([['Tag', { request: TagRequest, query: null, collectionQuery: null }]])
  const parts = await exampleWith(V1, { schemas, requests })
  const policies = new Map([...parts.policies, ['Tag', TagPolicy] as const, ['Post', PostPolicy] as const])
  return { ...parts, policies }
})
const admin: ReturnType<typeof api.as> = (...args) => api.as(users.admin)(...args)
const member: ReturnType<typeof api.as> = (...args) => api.as(users.member3)(...args)
const guest: ReturnType<typeof api.as> = (...args) => api.as(null)(...args)
const names = (...list: unknown[]) => ({ body: { meta: { names: list } } })
const importTags = '/api/v1/tags/-actions/import'

describe('an action on the collection', () => {
  test('answers rows of its model, in their order and with its status; what follows the commit is done', async () => {
    const answer = await admin('POST', importTags, names('one', 'two'))
    const rows = await api.db.tag.findMany({ where: { name: { in: ['one', 'two'] } }, orderBy: { id: 'desc' } })
    expectAnswer(
      answer,
      201,
      documentOf(
        at('/tags/-actions/import'),
        rows.map((row) => tagResource(row)),
      ),
    )
    expect(rows.map(({ name }) => name)).toEqual(['two', 'one'])
    expect(late).toEqual(['imported one,two null'])
  })

  test.each([
    ['refused', { status: '403', title: 'Forbidden', detail: 'Not this one.' }],
    ['broken', { status: '500', title: 'Internal Server Error', id: expect.any(String) }],
  ])('what it throws undoes all of it, and nothing follows: %s', async (name, error) => {
    const answer = await admin('POST', importTags, names('half', name))
    expectErrors(answer, error)
    expect(await api.db.tag.count({ where: { name: { in: ['half', name] } } })).toBe(0)
    expect(late).toEqual([])
  })

  test('what the database refuses is a conflict, and undoes all of it', async () => {
    const { name } = await addTag(api.db, 'taken')
    expectErrors(await admin('POST', importTags, names('half', name)), { ...conflict, code: 'constraint' })
    expect(await api.db.tag.count({ where: { name: 'half' } })).toBe(0)
  })

  test('every failed rule points at its place in the document', async () => {
    const long = 'a'.repeat(21)
    expectErrors(
      await admin('POST', importTags, names('Upper', long, 3)),
      unprocessable('/meta/names/0', { code: 'matches', detail: 'The names.0 format is invalid.' }),
      unprocessable('/meta/names/1', { code: 'max', detail: expect.stringContaining('20 characters') }),
      unprocessable('/meta/names/2', { code: 'string', detail: 'The names.2 field must be a string.' }),
    )
  })

  test.each<[string, object, string]>([
    ['a document without meta', { body: {} }, ''],
    ['a meta without it', { body: { meta: {} } }, '/meta'],
    ['no document', {}, ''],
  ])('a required member is missing: %s', async (_, send, pointer) => {
    expectErrors(
      await admin('POST', importTags, send),
      unprocessable(pointer, { code: 'required', detail: 'The names field is required.', meta: { field: 'names' } }),
    )
  })

  test('an empty list is missing', async () => {
    expectErrors(
      await admin('POST', importTags, names()),
      unprocessable('/meta/names', { code: 'required', detail: 'The names field is required.' }),
    )
  })

  test('the method of the policy decides, without a row, before the document is looked at', async () => {
    for (const caller of [guest, member]) {
      expectErrors(await caller('POST', importTags, names(3)), forbid('Only an administrator imports.'))
    }
  })

  test('by GET it answers with meta, and to HEAD without it', async () => {
    const path = '/tags/-actions/statistics'
    const answer = await guest('GET', `/api/v1${path}`)
    const videos = await api.db.video.count()
    expectAnswer(answer, 200, { jsonapi, links: { self: at(path) }, meta: { videos } })
    const head = await guest('HEAD', `/api/v1${path}`)
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
  })

  test('answers rows of another model, seen through its scopes; include and fields are about that model', async () => {
    const path = '/tags/-actions/latestPosts'
    const answer = await guest('POST', `/api/v1${path}?include=author`)
    const rows = await api.db.post.findMany({
      where: { id: { in: [1, 2, 3, 4] } },
      orderBy: { id: 'desc' },
      include: { author: true },
    })
    const posts = rows.map((row) => postResource(row, { author: identifier('users', row.authorId) }))
    expectAnswer(answer, 200, {
      ...documentOf(at(path, { include: 'author' }), posts),
      included: rows.map(({ author }) => userToGuests(author)),
    })
  })
})

describe('an action on a resource', () => {
  test('answers one row by its key alone, with any verb', async () => {
    const [from, into] = [await addTag(api.db), await addTag(api.db)]
    const answer = await guest('PUT', `/api/v1/tags/${from.id}/-actions/merge`, {
      body: { meta: { into: String(into.id) } },
    })
    expectAnswer(answer, 200, documentOf(at(`/tags/${into.id}`), tagResource(into)))
    expect(await api.db.tag.findUnique({ where: { id: from.id } })).toBeNull()
  })

  test('finds what is there', async () => {
    const { id } = await addTag(api.db)
    for (const into of ['4711', 'abc']) {
      const answer = await guest('PUT', `/api/v1/tags/${id}/-actions/merge`, { body: { meta: { into } } })
      expectErrors(answer, forbid('There is no such tag.'))
    }
  })

  test('the method of the policy decides on the row', async () => {
    const send = { body: { meta: { into: '2' } } }
    expectErrors(await admin('PUT', '/api/v1/tags/1/-actions/merge', send), forbid())
  })

  test('answers nothing; the request class is asked before the policy, and nothing else names the action', async () => {
    const tag = await addTag(api.db)
    const path = `/api/v1/tags/${tag.id}/-actions/reset`
    expectErrors(await admin('POST', path), forbid())
    expectNothing(await api.as(users.editor)('POST', path, { body: { data: [1], meta: { unknown: true } } }))
    const editor = await api.db.user.findUniqueOrThrow({ where: { id: users.editor } })
    expect(await api.db.tag.findUnique({ where: { id: tag.id } })).toEqual({ ...tag, name: `reset by ${editor.name}` })
    expect(late).toEqual(['{"data":[1],"meta":{"unknown":true}}'])
  })

  test('answers null', async () => {
    const path = '/tags/2/-actions/firstPost'
    expectAnswer(await guest('POST', `/api/v1${path}`), 200, documentOf(at(path), null))
  })

  test('after which its caller may not see the row any more answers nothing', async () => {
    const { id } = await addPost(api.db)
    expectNothing(await member('POST', `/api/v1/posts/${id}/-actions/withdraw`))
    expect((await member('GET', `/api/v1/posts/${id}`)).status).toBe(404)
    expectErrors(await member('POST', `/api/v1/posts/${id}/-actions/withdraw`), notFound)
  })

  test('a unique value that is taken is a conflict', async () => {
    const { id } = await addTag(api.db)
    expectErrors(await guest('POST', `/api/v1/tags/${id}/-actions/copy`), { ...conflict, code: 'constraint' })
  })

  test('that answers what is no row has written nothing: 500, and the log says why', async () => {
    const tag = await addTag(api.db)
    const { status } = await guest('POST', `/api/v1/tags/${tag.id}/-actions/nonsense`)
    expect(status).toBe(500)
    expect(await api.db.tag.findUnique({ where: { id: tag.id } })).toEqual(tag)
    expect(api.logs.at(-1)?.fields.err).toEqual(
      new Error('A row of Tag was expected, with id to tell which one it is.'),
    )
  })
})

const unprocessable = (pointer: string, more: object) => ({
  status: '422',
  title: 'Unprocessable Entity',
  source: { pointer },
  ...more,
})
