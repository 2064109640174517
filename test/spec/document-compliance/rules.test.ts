import { describe, expect, test } from 'vitest'
import { badParameter, constrained, expectErrors, invalid, missing, notFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { identifier } from '../../support/row-documents.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()

const tagNamed = (name: string) => ({ body: { data: { type: 'tags', attributes: { name } } } })
const postWith = (attributes: object) => ({ body: { data: { type: 'posts', attributes } } })
const post = { title: 'A post', slug: 'a-post', content: 'Text.' }
const taken = (field: string) => invalid('unique', `The ${field} has already been taken.`, `/data/attributes/${field}`)

describe('a failed rule', () => {
  test('of a field that was left out points to data and names the field; of an empty one, to the field', async () => {
    const send = () => api.as(users.member3).post('/posts', postWith({ title: '', content: null }))
    const errors = [
      missing('slug'),
      invalid('required', 'The title field is required.', '/data/attributes/title'),
      invalid('required', 'The content field is required.', '/data/attributes/content'),
    ]
    await expectRefusal(api.db, send, { status: 422, errors })
  })

  test('of a string is one for a number too: nothing is converted', async () => {
    const send = () => api.as(users.member3).post('/posts', postWith({ ...post, title: 7 }))
    const error = invalid('string', 'The title field must be a string.', '/data/attributes/title')
    await expectRefusal(api.db, send, { status: 422, errors: [error] })
  })

  test.each([{ set: 'x' }, { increment: 1 }, ['x'], true])(
    'is what %j for a text meets: it never reaches the database',
    async (title) => {
      const send = () => api.as(users.member3).post('/posts', postWith({ ...post, title }))
      const error = invalid('string', 'The title field must be a string.', '/data/attributes/title')
      await expectRefusal(api.db, send, { status: 422, errors: [error] })
    },
  )

  test('of a deletion has the message of the rule and no source', async () => {
    const before = await snapshot(api.db)
    expectErrors(await api.as(users.admin).delete('/posts/2'), {
      status: '422',
      code: expect.any(String),
      title: 'Not Deletable',
      detail: 'A post with comments cannot be deleted.',
    })
    expect(await snapshot(api.db)).toEqual(before)
  })
})

describe('a value that is taken', () => {
  test('is refused at its field', async () => {
    await expectRefusal(api.db, () => api.as(users.admin).post('/tags', tagNamed('tag-2')), {
      status: 422,
      errors: [taken('name')],
    })
  })

  test('by a row that the client cannot see, too', async () => {
    // Post 5 is a draft of another.
    const send = () => api.as(users.member3).post('/posts', postWith({ ...post, slug: 'post-5' }))
    await expectRefusal(api.db, send, { status: 422, errors: [taken('slug')] })
  })

  test('is no clash with itself', async () => {
    const sent = { body: { data: { type: 'tags', id: '2', attributes: { name: 'tag-2' } } } }
    expect((await api.as(users.admin).patch('/tags/2', sent)).status).toBe(200)
  })

  test('of ten who want it at once, one gets it and nine are refused at the field', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.as(users.admin).post('/tags', tagNamed('wanted'))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)])
    for (const answer of answers) if (answer.status === 422) expectErrors(answer, taken('name'))
    expect(await api.db.tag.count({ where: { name: 'wanted' } })).toBe(1)
  })
})

describe('what the database refuses', () => {
  test('because others need the row is 409', async () => {
    await expectRefusal(api.db, () => api.as(users.admin).delete('/users/3'), {
      status: 409,
      errors: [constrained],
    })
  })

  test('because a number does not fit its column is 422 at the field', async () => {
    const attributes = { title: 'x', url: 'https://example.com', durationSeconds: 2 ** 31 }
    const before = await snapshot(api.db)
    const { status, body } = await api
      .as(users.admin)
      .post('/videos', { body: { data: { type: 'videos', attributes } } })
    expect({ status, errors: body.errors.map(({ source }: { source: object }) => source) }).toEqual({
      status: 422,
      errors: [{ pointer: '/data/attributes/durationSeconds' }],
    })
    expect(await snapshot(api.db)).toEqual(before)
  })
})

describe('a wrong query of a writing request is 400, and nothing is written', () => {
  test.each([
    ['POST', '/tags?include=bogus', tagNamed('fresh'), badParameter('include', 'Include path bogus is not allowed.')],
    ['POST', '/tags?bogus=1', tagNamed('fresh'), badParameter('bogus')],
    ['POST', '/tags?sort=name', tagNamed('fresh'), badParameter('sort')],
    [
      'PATCH',
      '/tags/2?filter[name]=x',
      { body: { data: { type: 'tags', id: '2', attributes: { name: 'fresh' } } } },
      badParameter('filter[name]'),
    ],
    ['DELETE', '/comments/1?page[limit]=1', {}, badParameter('page')],
    ['PATCH', '/posts/1/relationships/tags?page[size]=1', { body: { data: [] } }, badParameter('page')],
    [
      'POST',
      '/posts/1/relationships/tags?fields[tags]=x',
      { body: { data: [identifier('tags', 9)] } },
      badParameter('fields[tags]', 'Sparse field set tags.x is not allowed.'),
    ],
    [
      'DELETE',
      '/posts/1/relationships/tags?include=author',
      { body: { data: [identifier('tags', 9)] } },
      badParameter('include', 'Include path author is not allowed.'),
    ],
  ])('%s %s', async (method, path, sent, error) => {
    const send = () => api.as(users.admin).request(method, path, sent)
    await expectRefusal(api.db, send, { status: 400, errors: [error] })
  })
})

describe('an identifier of DELETE on a relationship', () => {
  test('that exists and is not attached is no fault', async () => {
    const before = await snapshot(api.db)
    const sent = { body: { data: [identifier('tags', 1)] } }
    expect((await api.as(users.admin).delete('/posts/1/relationships/tags', sent)).status).toBe(204)
    expect(await snapshot(api.db)).toEqual(before)
  })
})

test('a resource that is gone is 404, whatever the document says', async () => {
  for (const body of [{}, { data: null }, { data: { type: 'x' } }]) {
    await expectRefusal(api.db, () => api.as(users.admin).patch('/posts/999', { body }), {
      status: 404,
      errors: [notFound],
    })
  }
})
