import { describe, expect, test } from 'vitest'
import {
  allowOf,
  badParameter,
  conflict,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  forbidden,
  invalid,
  nonCompliant,
  notFound,
} from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, postResource, sparse, userResource } from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'

const api = useApi()
const addDraft = () => addPost(api.db, { publishedAt: null })
const post = (id: number) => api.db.post.findUniqueOrThrow({ where: { id } })
const publish = (id: number | string) => `/posts/${id}/-actions/publish`
const meta = (publishedAt: unknown) => ({ body: { meta: { publishedAt } } })
const author = () => api.as(users.member3)

describe('POST /posts/:id/-actions/publish', () => {
  test.each([
    ['its author', users.member3],
    ['an editor', users.editor],
    ['an administrator', users.admin],
  ])('%s publishes a draft, without a document, and sees it as it is then', async (_, caller) => {
    const draft = await addDraft()
    const before = Date.now()
    const answer = await api.as(caller).post(publish(draft.id))
    const row = await post(draft.id)
    expectAnswer(answer, 200, documentOf(at(`/posts/${draft.id}`), postResource(row)))
    expect(row).toEqual({ ...draft, publishedAt: expect.any(Date), updatedAt: row.updatedAt })
    expect(Number(row.publishedAt)).toBeGreaterThanOrEqual(before)
    expect(Number(row.publishedAt)).toBeLessThanOrEqual(Date.now())
    expect((await api.guest.get(`/posts/${draft.id}`)).status).toBe(200)
  })

  test.each([
    ['2024-02-29T12:00Z', '2024-02-29T12:00:00.000Z'],
    ['2999-12-31T23:59:59.123456+02:00', '2999-12-31T21:59:59.123Z'],
  ])('it is published from %s on', async (sent, stored) => {
    const { id } = await addDraft()
    const answer = await author().post(publish(id), meta(sent))
    const row = await post(id)
    expectAnswer(answer, 200, documentOf(at(`/posts/${id}`), postResource(row)))
    expect(row.publishedAt?.toISOString()).toBe(stored)
  })

  test('one that is to be published later is published now', async () => {
    const { id } = await addPost(api.db, { publishedAt: new Date('2999-01-01T00:00:00Z') })
    expect((await author().post(publish(id), { body: { meta: {} } })).status).toBe(200)
    expect(Number((await post(id)).publishedAt)).toBeLessThanOrEqual(Date.now())
  })

  test('include and fields are honoured', async () => {
    const { id } = await addDraft()
    const member = await api.db.user.findUniqueOrThrow({ where: { id: users.member3 } })
    const query = { include: 'author', 'fields[posts]': 'author' }
    const answer = await author().post(`${publish(id)}?include=author&fields[posts]=author`)
    const { relationships } = postResource(await post(id), { author: identifier('users', member.id) })
    expectAnswer(
      answer,
      200,
      documentOf(
        at(`/posts/${id}`, query),
        { ...sparse('posts', id), relationships: { author: relationships.author } },
        { included: [userResource(member)] },
      ),
    )
  })

  test('what is published already stays as it is: 409', async () => {
    const published = await addPost(api.db)
    const error = { ...conflict, detail: 'The post is published already.' }
    expectErrors(await author().post(publish(published.id), meta('2999-01-01T00:00Z')), error)
    expect(await post(published.id)).toEqual(published)
  })

  test('of two at once one publishes, and the other finds it done', async () => {
    const { id } = await addDraft()
    const answers = await Promise.all([author().post(publish(id)), api.as(users.admin).post(publish(id))])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test.each([
    ['no date', 'soon'],
    ['a calendar day that is none', '2023-02-29T12:00Z'],
    ['empty', ''],
  ])('a time that is %s is invalid', async (_, publishedAt) => {
    const draft = await addDraft()
    expectErrors(
      await author().post(publish(draft.id), meta(publishedAt)),
      invalid('dateTime', 'The published at is not a valid ISO 8601 date and time.', '/meta/publishedAt'),
    )
    expect(await post(draft.id)).toEqual(draft)
  })

  test('a time that is null is invalid', async () => {
    const { id } = await addDraft()
    expectErrors(
      await author().post(publish(id), meta(null)),
      invalid('nullable', 'The published at field must not be null.', '/meta/publishedAt'),
    )
  })

  test('a meta that is no object is not compliant', async () => {
    const { id } = await addDraft()
    expectErrors(
      await author().post(publish(id), { body: { meta: [] } }),
      nonCompliant('The member meta must be an object.', '/meta'),
    )
  })

  test('a body that is no JSON', async () => {
    const { id } = await addDraft()
    const answer = await author().post(publish(id), { body: '{' })
    expectErrors(answer, { status: '400', title: 'Invalid JSON', detail: expect.any(String) })
  })

  test('query parameters come before the document: filter means nothing here', async () => {
    const { id } = await addDraft()
    expectErrors(await author().post(`${publish(id)}?filter[title]=x`, meta('soon')), badParameter('filter[title]'))
  })

  test('a guest and a stranger may not, and are told so before their documents are looked at', async () => {
    const published = await addPost(api.db)
    for (const caller of [api.guest, api.as(users.member4)]) {
      expectErrors(await caller.post(`${publish(published.id)}?sort=x`, meta('soon')), forbidden())
    }
    expect(await post(published.id)).toEqual(published)
  })

  test('a draft of somebody else, and what is not there, are 404', async () => {
    const draft = await addDraft()
    const deleted = await addPost(api.db, { publishedAt: null, deletedAt: new Date() })
    for (const caller of [api.guest, api.as(users.member4)]) {
      expectErrors(await caller.post(publish(draft.id)), notFound)
    }
    for (const id of ['4711', 'abc', deleted.id]) expectErrors(await author().post(publish(id)), notFound)
    expect(await post(draft.id)).toEqual(draft)
  })

  test.each([
    '/posts/1/-actions/unpublish',
    '/posts/1/-actions/toString',
    '/posts/1/-actions',
    '/posts/-actions/publish',
    '/tags/1/-actions/publish',
  ])('POST %s: there is no such action', async (path) => {
    expectErrors(await api.as(users.admin).post(path), { ...notFound, detail: expect.stringContaining('/-actions') })
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s is not its verb', async (method) => {
    expectNotAllowed(await author().request(method, publish(1)), ['POST'])
  })

  test('OPTIONS says so', async () => {
    expect(allowOf(await api.guest.request('OPTIONS', publish(1)))).toEqual(['POST'])
  })
})
