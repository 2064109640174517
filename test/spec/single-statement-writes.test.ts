import { forbidden, type Serving } from 'prismapi'
import type { Validator } from 'prismapi/rules'
import { beforeEach, describe, expect, test } from 'vitest'
import PostRequest from '../../requests/post.request.ts'
import TagRequest from '../../requests/tag.request.ts'
import V1 from '../../src/app/v1/server.ts'
import V2 from '../../src/app/v2/server.ts'
import { conflict, expectErrors, invalid } from '../support/answers.ts'
import { isGuarded } from '../support/guarded.ts'
import { at, documentOf } from '../support/row-documents.ts'
import { addPost, addTag } from '../support/rows.ts'
import { exampleWith, theExample, useServers } from '../support/servers.ts'

// Writes that are one statement, and those that have to take a transaction: by what they issue, and that nobody can tell.

let register: (phase: Serving) => void = () => {}
/** What another request does between the judging of a post and its change. */
let meanwhile: () => Promise<unknown> = async () => {}

class Slow extends PostRequest {
  override async withExisting() {
    const overtake = meanwhile
    meanwhile = async () => {}
    await overtake()
    return null
  }
}

/** The names of tags that were valid; null where the request class does not look. */
let checked: unknown[] | null = null

class Checked extends TagRequest {
  override withValidator(validator: Validator) {
    const names = checked
    if (names) validator.after(() => void names.push(validator.data.name))
  }
}

class First extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    register(phase)
  }
}

class Second extends V2 {
  override readonly reads = 'prisma'
  override readonly live = false
}

const api = useServers(async () => {
  const { servers } = await theExample()
  const requests = new Map(servers[0]?.requests)
  requests.set('Post', { request: Slow as never, query: null, collectionQuery: null })
  requests.set('Tag', { request: Checked as never, query: null, collectionQuery: null })
  const [first, second] = [await exampleWith(First, { requests }), await exampleWith(Second)]
  return { ...first, servers: [...first.servers, ...second.servers] }
})
/** A rule that looks at comments has a post removed inside of a transaction; here is none. */
const unruled = useServers(() => exampleWith(V2, { requests: new Map() }))
const admin: ReturnType<typeof api.as> = (...args) => api.as(1)(...args)

beforeEach(async () => {
  register = () => {}
  checked = null
  // Prisma Client connects for its first query.
  await api.db.tag.count()
})

const tag = (name: string, id?: string | number) => ({
  body: { data: { type: 'tags', ...(id !== undefined && { id: String(id) }), attributes: { name } } },
})
const post = (slug: string, relationships: object = {}) => ({
  body: { data: { type: 'posts', attributes: { title: 'T', slug, content: 'C' }, relationships } },
})
const change = (id: number, title: string) => ({
  body: { data: { type: 'posts', id: String(id), attributes: { title } } },
})

/** What wrote rows while the work was done. Prisma shouts, and says nothing of its transactions. */
async function writersOf(work: () => Promise<unknown>, { queriesOf } = api): Promise<readonly string[]> {
  const queries = await queriesOf(work)
  let isWithin = false
  return queries.flatMap((sql) => {
    if (sql === 'BEGIN' || sql === 'COMMIT') isWithin = sql === 'BEGIN'
    if (!/^(insert|update|delete) /i.test(sql)) return []
    return [isWithin ? 'a transaction' : /^(insert|update|delete)/.test(sql) ? 'one statement' : 'Prisma']
  })
}

/** Where the database refuses rows itself, its session is told of new ones at the end of a transaction. */
const creator = isGuarded ? 'a transaction' : 'one statement'

describe('one statement', () => {
  test('creates a row', async () => {
    const writers = await writersOf(async () => {
      const { status, headers, body } = await admin('POST', '/api/v1/tags', tag('plain'))
      const { id } = await api.db.tag.findUniqueOrThrow({ where: { name: 'plain' } })
      const self = at(`/tags/${id}`)
      expect({ status, location: headers.get('Location'), links: body.links }).toEqual({
        status: 201,
        location: self,
        links: documentOf(self, null).links,
      })
    })
    expect(writers).toEqual([creator])
  })

  test('creates a row that belongs to another, and has no members yet', async () => {
    const none = { tags: { data: [] } }
    const writers = await writersOf(async () => {
      expect((await api.as(4)('POST', '/api/v1/posts', post('no-tags', none))).status).toBe(201)
    })
    expect(writers).toEqual([creator])
    expect(await api.db.post.findUniqueOrThrow({ where: { slug: 'no-tags' } })).toMatchObject({ authorId: 4 })
  })

  test('changes a row, and when it was changed', async () => {
    const { id, updatedAt } = await addPost(api.db, { authorId: 4 })
    const writers = await writersOf(async () => {
      expect((await api.as(4)('PATCH', `/api/v1/posts/${id}`, change(id, 'Changed'))).status).toBe(200)
    })
    expect(writers).toEqual(['one statement'])
    const row = await api.db.post.findUniqueOrThrow({ where: { id } })
    expect({ title: row.title, isLater: row.updatedAt > updatedAt }).toEqual({ title: 'Changed', isLater: true })
  })

  test('removes a row', async () => {
    const { id } = await addTag(api.db)
    const writers = await writersOf(async () => {
      expect((await admin('DELETE', `/api/v1/tags/${id}`)).status).toBe(204)
      expect((await admin('DELETE', `/api/v1/tags/${id}`)).status).toBe(404)
    })
    expect(writers).toEqual(['one statement'])
    expect(await api.db.tag.findUnique({ where: { id } })).toBeNull()
  })

  test('marks a row as deleted, and when it was changed', async () => {
    const { id, updatedAt } = await addPost(unruled.db, { authorId: 4 })
    await unruled.db.tag.count()
    const writers = await writersOf(async () => {
      expect((await unruled.as(4)('DELETE', `/api/v2/posts/${id}`)).status).toBe(204)
    }, unruled)
    expect(writers).toEqual(['one statement'])
    const row = await unruled.db.post.findUniqueOrThrow({ where: { id } })
    expect([row.deletedAt instanceof Date, row.updatedAt > updatedAt]).toEqual([true, true])
  })

  test('takes hooks that fill columns and take no event, each of them once', async () => {
    const told: string[] = []
    register = (phase) => {
      phase.creating('Tag', ({ name }) => {
        told.push(`creating ${name}`)
        return { name: `${name}!` }
      })
      phase.saving('Tag', ({ name }) => void told.push(`saving ${name}`))
    }
    expect(await writersOf(() => admin('POST', '/api/v1/tags', tag('filled')))).toEqual([creator])
    expect(told).toEqual(['creating filled', 'saving filled!'])
  })
})

describe('that a value is taken, the statement itself finds out', () => {
  /** What is done with tags, in its order. */
  async function stepsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
    const queries = await api.queriesOf(work)
    const about = queries.filter((sql) => sql.includes('"Tag"') && /^(select|insert|update) /.test(sql))
    return about.map((sql) => sql.slice(0, 6))
  }
  const taken = invalid('unique', 'The name has already been taken.', '/data/attributes/name')
  const written = isGuarded ? [] : ['insert']

  test('of a new row: nobody is asked before', async () => {
    const steps = await stepsOf(async () => {
      expect((await admin('POST', '/api/v1/tags', tag('free'))).status).toBe(201)
    })
    expect(steps[0]).toBe(isGuarded ? 'select' : 'insert')
  })

  test('of a new row: what is taken is told by the rule, after the database refused it', async () => {
    await addTag(api.db, 'taken')
    const steps = await stepsOf(async () => expectErrors(await admin('POST', '/api/v1/tags', tag('taken')), taken))
    expect(steps).toEqual([...written, 'select'])
    expect(await api.db.tag.count({ where: { name: 'taken' } })).toBe(1)
  })

  test('of a row that changes', async () => {
    const { id } = await addTag(api.db)
    const steps = await stepsOf(async () => {
      expect((await admin('PATCH', `/api/v1/tags/${id}`, tag('free again', id))).status).toBe(200)
    })
    expect(steps).toEqual(['select', 'update'])
    await addTag(api.db, 'taken before')
    const refused = await stepsOf(async () =>
      expectErrors(await admin('PATCH', `/api/v1/tags/${id}`, tag('taken before', id)), taken),
    )
    expect(refused).toEqual(['select', 'update', 'select'])
    expect(await api.db.tag.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'free again' })
  })

  test.each(['preparing', 'creating', 'saving'] as const)(
    'but the hook %s sees no value that is taken',
    async (name) => {
      await addTag(api.db, `taken for ${name}`)
      const seen: unknown[] = []
      register = (phase) => phase[name]('Tag', (row) => void seen.push(row.name))
      expectErrors(await admin('POST', '/api/v1/tags', tag(`taken for ${name}`)), taken)
      expect(seen).toEqual([])
    },
  )

  test('of a new row, whatever hooks look at rows that change', async () => {
    register = (phase) => phase.updating('Tag', () => {})
    const steps = await stepsOf(async () => {
      expect((await admin('POST', '/api/v1/tags', tag('free of hooks'))).status).toBe(201)
    })
    expect(steps[0]).toBe(isGuarded ? 'select' : 'insert')
  })

  test('of a row that changes, whatever hooks look at new ones', async () => {
    const { id } = await addTag(api.db)
    register = (phase) => phase.creating('Tag', () => {})
    const steps = await stepsOf(async () => {
      expect((await admin('PATCH', `/api/v1/tags/${id}`, tag('changed without hooks', id))).status).toBe(200)
    })
    expect(steps).toEqual(['select', 'update'])
  })

  test('but what a request class does with valid data begins when nothing is taken', async () => {
    await addTag(api.db, 'taken for a rule')
    checked = []
    expectErrors(await admin('POST', '/api/v1/tags', tag('taken for a rule')), taken)
    expect(checked).toEqual([])
    expect((await admin('POST', '/api/v1/tags', tag('free for a rule'))).status).toBe(201)
    expect(checked).toEqual(['free for a rule'])
  })
})

describe('a transaction', () => {
  const cases: readonly (readonly [string, (phase: Serving) => void])[] = [
    ['looks at what was written', (phase) => phase.created('Tag', () => {})],
    ['asks for the transaction', (phase) => phase.creating('Tag', async (_, { db }) => void (await db.tag.count()))],
    [
      'would do without it',
      (phase) =>
        phase.saving('Tag', async (_, event) => {
          try {
            await event.db.tag.count()
          } catch {}
        }),
    ],
  ]
  test('has hooks that take the event run once, and their work for after the commit', async () => {
    const told: string[] = []
    register = (phase) => {
      phase.creating('Tag', ({ name }, { afterCommit }) => {
        told.push(`creating ${name}`)
        afterCommit(
          async () => void told.push(`there are ${await api.db.tag.count({ where: { name: 'with an event!' } })}`),
        )
        return { name: `${name}!` }
      })
      phase.saving('Tag', ({ name }) => void told.push(`saving ${name}`))
    }
    expect(await writersOf(() => admin('POST', '/api/v1/tags', tag('with an event')))).toEqual(['a transaction'])
    expect(told).toEqual(['creating with an event', 'saving with an event!', 'there are 1'])
  })

  test.each(cases)('is taken where a hook %s', async (name, hook) => {
    register = hook
    const writers = await writersOf(async () => {
      expect((await admin('POST', '/api/v1/tags', tag(name))).status).toBe(201)
    })
    expect(writers).toEqual(['a transaction'])
  })

  test.each(['deleting', 'deleted'] as const)('is taken for the hook %s', async (name) => {
    const { id } = await addTag(api.db)
    const told: unknown[] = []
    register = (phase) => phase[name]('Tag', (row) => void told.push(row.id))
    const writers = await writersOf(async () => {
      expect((await admin('DELETE', `/api/v1/tags/${id}`)).status).toBe(204)
    })
    expect([writers, told]).toEqual([['a transaction'], [id]])
  })

  test('is taken for members', async () => {
    const some = { tags: { data: [{ type: 'tags', id: '2' }] } }
    const writers = await writersOf(() => api.as(4)('POST', '/api/v1/posts', post('one-tag', some)))
    expect(writers).toEqual(['a transaction', 'a transaction'])
    expect(await api.db.post.count({ where: { slug: 'one-tag', tags: { some: { id: 2 } } } })).toBe(1)
  })

  test('is taken on a server that leaves the reading to Prisma', async () => {
    const { id } = await addPost(api.db, { authorId: 4 })
    const send = change(id, 'By Prisma')
    const writers = await writersOf(async () => {
      expect((await api.as(4)('PATCH', `/api/v2/posts/${id}`, send)).status).toBe(200)
    })
    expect(writers).toEqual(['Prisma'])
  })

  test('has a hook that asks for the database run once, and its work for after the commit is done once', async () => {
    const told: string[] = []
    register = (phase) =>
      phase.creating('Tag', async (_, event) => {
        told.push('creating')
        event.afterCommit(() => void told.push('committed'))
        await event.db.tag.count()
      })
    expect((await admin('POST', '/api/v1/tags', tag('committed once'))).status).toBe(201)
    expect(told).toEqual(['creating', 'committed'])
  })
})

describe('what goes wrong with one statement is told as ever', () => {
  test('a value that another request took meanwhile', async () => {
    let others = 0
    register = (phase) =>
      phase.creating('Tag', async () => {
        if (others++ === 0) await addTag(api.db, 'taken meanwhile')
      })
    const answer = await admin('POST', '/api/v1/tags', tag('taken meanwhile'))
    expectErrors(answer, invalid('unique', 'The name has already been taken.', '/data/attributes/name'))
  })

  test('a row that the new one would belong to, and is gone', async () => {
    const late: string[] = []
    register = (phase) =>
      phase.creating('Post', (_, { afterCommit }) => {
        afterCommit(() => void late.push('committed'))
        return { authorId: 987_654 }
      })
    const detail = 'The resource is still related to others, or names one that is gone.'
    expectErrors(await api.as(4)('POST', '/api/v1/posts', post('nobody')), {
      ...conflict,
      detail,
      code: 'constraint',
    })
    expect(late).toEqual([])
  })

  test('a hook that refuses', async () => {
    register = (phase) =>
      phase.updating('Tag', () => {
        throw forbidden('Not this one.')
      })
    const { id, name } = await addTag(api.db)
    expect((await admin('PATCH', `/api/v1/tags/${id}`, tag('never', id))).status).toBe(403)
    expect(await api.db.tag.findUniqueOrThrow({ where: { id } })).toEqual({ id, name })
  })
})

describe('between the judging of a row and its change', () => {
  test('a scope hides it: 404, and it stays as it is', async () => {
    const { id } = await addPost(api.db, { authorId: 4 })
    register = (phase) => phase.scope('Post', { title: { not: 'hidden' } })
    meanwhile = () => api.db.post.update({ where: { id }, data: { title: 'hidden' } })
    expect((await api.as(4)('PATCH', `/api/v1/posts/${id}`, change(id, 'shown'))).status).toBe(404)
    expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'hidden' })
  })

  test('a scope hides it that looks at other rows', async () => {
    const { id } = await addPost(api.db, { authorId: 4, tags: { connect: { id: 1 } } } as never)
    register = (phase) => phase.scope('Post', { tags: { some: { id: 1 } } })
    const send = () => api.as(4)('PATCH', `/api/v1/posts/${id}`, change(id, 'shown'))
    expect(await writersOf(async () => expect((await send()).status).toBe(200))).toEqual(['one statement'])
    meanwhile = () => api.db.post.update({ where: { id }, data: { tags: { set: [] } } })
    expect((await send()).status).toBe(404)
  })

  test('it changes, so that it is judged again', async () => {
    const { id } = await addPost(api.db, { authorId: 4 })
    const seen: unknown[] = []
    register = (phase) => phase.updating('Post', (_, { row }) => void seen.push(row?.title))
    meanwhile = () => api.db.post.update({ where: { id }, data: { title: 'Meanwhile' } })
    expect((await api.as(4)('PATCH', `/api/v1/posts/${id}`, change(id, 'After'))).status).toBe(200)
    expect(seen.at(-1)).toBe('Meanwhile')
    expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'After' })
  })
})
