import { boolean, Policy, ResourceRequest, type RowOf, type Rules, string, type User, unique } from 'prismapi'
import type { Validator } from 'prismapi/rules'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { expectErrorsOf11, invalid } from '../../support/answers.ts'
import { fresh } from '../../support/idempotency.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What a 422 says, and whether there is one, does not depend on values that its caller does not see.

/** Everybody writes addresses, which only the staff sees. */
class UserPolicy extends Policy<'User'> {
  override abilities({ can, cannot }: Rules<'User'>, user: User | null) {
    can([this.reads, 'create', 'update'])
    if (user?.role === 'MEMBER') cannot('view', ['email', 'posts'])
  }
}

class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can([this.reads, 'update', 'delete'])
    if (user?.role === 'MEMBER') cannot('view', ['synopsis', 'publishedAt', 'author', 'tags'])
  }
}

class UserRequest extends ResourceRequest<'User'> {
  override rules() {
    return { name: string().required(), email: string().required().min(9).test(unique()), password: string() }
  }
}

/** Rules that compare what is sent with what is there, each in one of the ways that a request class has. */
class PostRequest extends ResourceRequest<'Post'> {
  override rules() {
    return {
      title: string().test(
        'not the synopsis',
        'The title is the synopsis.',
        (title, { parent }) => title !== parent.synopsis,
      ),
      body: string(),
      synopsis: string().required().max(20),
    }
  }

  /** The whole row is the application's: of it, rules see what `metaForDelete` gives them. */
  override deleteRules() {
    return {
      synopsis: string().notOneOf(['Kept'], 'It is kept.'),
      'meta.isPrinted': boolean().isFalse('It is printed.'),
    }
  }

  override metaForDelete({ content }: RowOf<'Post'>) {
    return { isPrinted: content === 'Printed' }
  }

  override withExisting(_post: RowOf<'Post'>, existing: Readonly<Record<string, unknown>>) {
    return { ...existing, body: `Behind ${existing.synopsis}` }
  }

  override withValidator(validator: Validator) {
    const { publishedAt, author, body } = validator.data
    if (this.isDeleting() && body === 'Behind null') return
    if (publishedAt) validator.fail('title', `It is published since ${publishedAt}.`)
    if (author) validator.fail('title', `It is by ${JSON.stringify(author)}.`)
    if (body !== 'Behind null') validator.fail('body', String(body))
  }
}

const api = useServers(async () => {
  const { policies, servers } = await exampleWith(V2)
  const own = (request: unknown) => ({ request, query: null, collectionQuery: null })
  return {
    policies: new Map([...policies, ['User', UserPolicy], ['Post', PostPolicy]] as const) as never,
    servers: servers.map((each) => ({
      ...each,
      requests: new Map([
        ...each.requests,
        ['User', own(UserRequest)],
        ['Post', own(PostRequest)],
      ] as never) as typeof each.requests,
    })),
  }
})

const [member, editor] = [3, 2]
const patch = (as: number, type: string, id: number | string, attributes: object) =>
  api.as(as)('PATCH', `/api/v2/${type}/${id}`, { body: { data: { type, id: `${id}`, attributes } } })
const taken = invalid('unique', 'The email has already been taken.', '/data/attributes/email')

describe('that an address is taken', () => {
  const emailOf = async (id: number) => (await api.db.user.findUniqueOrThrow({ where: { id } })).email

  test('is told in the same words whoever has it, and of nobody else', async () => {
    for (const other of [4, 5, 9]) {
      const email = await emailOf(other)
      expectErrorsOf11(await patch(member, 'users', 7, { email }), taken)
      const attributes = { name: 'New', email, password: 'correct horse battery' }
      const created = await api.as(member)('POST', '/api/v2/users', { body: { data: { type: 'users', attributes } } })
      expectErrorsOf11(created, taken)
    }
  })

  test('is not told of the address that the row has: it is written again, as another one is', async () => {
    const own = await patch(member, 'users', 6, { email: await emailOf(6) })
    const other = await patch(member, 'users', 6, { email: `${fresh('six')}@example.org` })
    const hidden = ({ status, body }: typeof own) => [status, Object.keys(body.data.attributes)]
    expect(hidden(own)).toEqual(hidden(other))
    expect(hidden(own)).toEqual([200, ['name', 'role', 'createdAt', 'updatedAt']])
  })

  test('is told by the database alone in the same words', async () => {
    const email = `${fresh('race')}@example.org`
    const answers = await Promise.all([7, 8, 9, 10].map((id) => patch(member, 'users', id, { email })))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(3)
    for (const answer of refused) expectErrorsOf11(answer, taken)
  })
})

test('no rule about what is not sent fails for a value that is hidden', async () => {
  const short = 'x@y.z'
  const { email } = await api.db.user.findUniqueOrThrow({ where: { id: 8 } })
  await api.db.user.update({ where: { id: 8 }, data: { email: short } })
  expect((await patch(member, 'users', 8, { name: 'Eight' })).status).toBe(200)
  expect((await patch(editor, 'users', 8, { name: 'Eight' })).status).toBe(422)
  await api.db.user.update({ where: { id: 8 }, data: { email } })
})

describe('rules of deletions', () => {
  const addPost = (data: object) =>
    api.db.post.create({ data: { title: 'T', slug: fresh('kept'), content: 'C', authorId: 3, ...data } })
  const remove = (as: number, { id }: { id: number }) => api.as(as)('DELETE', `/api/v2/posts/${id}`)

  test('see null in the place of what the caller does not see', async () => {
    const [kept, other] = [await addPost({ synopsis: 'Kept' }), await addPost({ synopsis: 'Other' })]
    expect((await remove(editor, kept)).status).toBe(422)
    expect((await remove(member, kept)).status).toBe(204)
    expect((await remove(member, other)).status).toBe(204)
  })

  test('see what the application hands to them from the row', async () => {
    const refused = await remove(member, await addPost({ content: 'Printed' }))
    expectErrorsOf11(refused, { status: '422', code: 'is-value', title: 'Not Deletable', detail: 'It is printed.' })
  })
})

describe('rules that compare with what is there', () => {
  const hiding = [
    { synopsis: 'A title', publishedAt: new Date('2024-01-01'), authorId: 3, tags: { connect: { id: 1 } } },
    { synopsis: 'Hidden', publishedAt: new Date('2025-01-01'), authorId: 4 },
    { synopsis: 'Far too long for the rule of it', publishedAt: new Date('2023-01-01'), authorId: 5 },
    { synopsis: null, publishedAt: new Date('2024-02-02'), authorId: 3, tags: { connect: [{ id: 2 }, { id: 3 }] } },
  ]
  const addRows = () =>
    Promise.all(
      hiding.map((data) => api.db.post.create({ data: { title: 'T', slug: fresh('rules'), content: 'C', ...data } })),
    )
  const told = ({ text, status }: { text: string; status: number }, { id, slug }: { id: number; slug: string }) =>
    [
      status,
      text
        .replaceAll(`/${id}`, '/id')
        .replaceAll(`"${id}"`, '"id"')
        .replace(slug, '')
        .replaceAll(/At":"[^"]+/g, ''),
    ].join(' ')

  test.each([
    ['passes', { title: 'A title' }, '200'],
    ['fails', { title: 7 }, '422'],
  ])('what %s does so whatever is hidden', async (_, attributes, status) => {
    const rows = await addRows()
    const answers = await Promise.all(
      rows.map(async (row) => told(await patch(member, 'posts', row.id, attributes), row)),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(new RegExp(`^${status} `))
  })

  test('tell who sees it', async () => {
    const [own] = await addRows()
    const { body } = await patch(editor, 'posts', own?.id ?? 0, { title: 'A title' })
    expect(body.errors.map(({ detail }: { detail: string }) => detail).sort()).toEqual([
      'Behind A title',
      expect.stringMatching(/^It is by .+"3"/),
      expect.stringMatching(/^It is published since /),
      'The title is the synopsis.',
    ])
  })
})
