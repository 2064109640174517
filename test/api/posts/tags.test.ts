import { describe, expect, test } from 'vitest'
import {
  allowOf,
  badParameter,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  expectNothing,
  forbidden,
  notFound,
  relatedNotFound,
} from '../../support/answers.ts'
import { type Caller, useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, relationshipDocument, tagResource } from '../../support/row-documents.ts'
import { addPost, tagsOf } from '../../support/rows.ts'

const api = useApi()
const tags = (...ids: (number | string)[]) => ids.map((id) => identifier('tags', id))
const staffPick = 1

/** A post of member 3 with the tags 2 and 3. */
const tagged = () => addPost(api.db, { tags: { connect: [{ id: 2 }, { id: 3 }] } })

type Verb = 'patch' | 'post' | 'delete'
const send = (caller: Caller, verb: Verb, id: number | string, data: unknown) =>
  caller[verb](`/posts/${id}/relationships/tags`, { body: { data } })

describe('GET /posts/:id/tags', () => {
  test('the tags by their names', async () => {
    const { id } = await addPost(api.db, { tags: { connect: [{ id: 2 }, { id: 10 }, { id: staffPick }] } })
    const rows = await api.db.tag.findMany({ where: { id: { in: [2, 10, staffPick] } }, orderBy: { name: 'asc' } })
    expect(rows.map(({ name }) => name)).toEqual(['staff-pick', 'tag-10', 'tag-2'])
    const resources = rows.map((row) => tagResource(row))
    expectAnswer(await api.guest.get(`/posts/${id}/tags`), 200, documentOf(at(`/posts/${id}/tags`), resources))
    const reversed = documentOf(at(`/posts/${id}/tags`, { sort: '-name' }), resources.toReversed())
    expectAnswer(await api.guest.get(`/posts/${id}/tags?sort=-name`), 200, reversed)
    const linkage = relationshipDocument(`/posts/${id}`, 'tags', tags(1, 10, 2))
    expectAnswer(await api.guest.get(`/posts/${id}/relationships/tags`), 200, linkage)
  })

  test('none is an empty list', async () => {
    const { id } = await addPost(api.db)
    expectAnswer(await api.guest.get(`/posts/${id}/tags`), 200, documentOf(at(`/posts/${id}/tags`), []))
    const linkage = relationshipDocument(`/posts/${id}`, 'tags', [])
    expectAnswer(await api.guest.get(`/posts/${id}/relationships/tags`), 200, linkage)
  })

  test('tags have no pages, here neither', async () => {
    expectErrors(await api.guest.get('/posts/1/tags?page[size]=1'), badParameter('page'))
    expectErrors(await api.guest.get('/posts/1/relationships/tags?page[size]=1'), badParameter('page'))
  })

  test.each(['5', '4711'])('of post %s, which a guest cannot see, 404', async (id) => {
    for (const path of [`/posts/${id}/tags`, `/posts/${id}/relationships/tags`]) {
      expectErrors(await api.guest.get(path), notFound)
    }
  })

  test('the URL of the tags is for reading', async () => {
    expectNotAllowed(await api.as(users.admin).patch('/posts/1/tags'), ['GET', 'HEAD'])
    const allow = allowOf(await api.guest.request('OPTIONS', '/posts/1/relationships/tags'))
    expect(allow).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST'])
  })
})

describe('writing /posts/:id/relationships/tags', () => {
  const writers = [
    ['the author', users.member3],
    ['an editor', users.editor],
    ['an administrator', users.admin],
  ] as const

  test.each(writers)('PATCH by %s replaces them', async (_, caller) => {
    const { id } = await tagged()
    const answer = await send(api.as(caller), 'patch', id, tags(3, 5, 3))
    expectAnswer(answer, 200, relationshipDocument(`/posts/${id}`, 'tags', tags(3, 5)))
    expect(await tagsOf(api.db, id)).toEqual([3, 5])
  })

  test('PATCH with none removes all', async () => {
    const { id } = await tagged()
    const answer = await send(api.as(users.member3), 'patch', id, [])
    expectAnswer(answer, 200, relationshipDocument(`/posts/${id}`, 'tags', []))
    expect(await tagsOf(api.db, id)).toEqual([])
  })

  test.each(writers)('POST by %s adds; what is there already is fine', async (_, caller) => {
    const { id } = await tagged()
    expectNothing(await send(api.as(caller), 'post', id, tags(3, 5)))
    expectNothing(await send(api.as(caller), 'post', id, tags(3, 5)))
    expectNothing(await send(api.as(caller), 'post', id, []))
    expect(await tagsOf(api.db, id)).toEqual([2, 3, 5])
  })

  test.each(writers)('DELETE by %s removes; what is gone already is fine', async (_, caller) => {
    const { id } = await tagged()
    expectNothing(await send(api.as(caller), 'delete', id, tags(3, 5)))
    expectNothing(await send(api.as(caller), 'delete', id, tags(3, 5)))
    expect(await tagsOf(api.db, id)).toEqual([2])
    expect(await api.db.tag.count({ where: { id: 3 } })).toBe(1)
  })

  test('PATCH answers with what was asked to be included', async () => {
    const { id } = await tagged()
    const path = `/posts/${id}/relationships/tags`
    const answer = await api.as(users.member3).patch(`${path}?include=tags`, { body: { data: tags(4) } })
    const { links, ...document } = relationshipDocument(`/posts/${id}`, 'tags', tags(4))
    const included = [tagResource({ id: 4, name: 'tag-4' })]
    expectAnswer(answer, 200, { ...document, links: { ...links, self: at(path, { include: 'tags' }) }, included })
  })
})

describe('writing tags that is refused', () => {
  const verbs = ['patch', 'post', 'delete'] as const

  const expectRefused = async (caller: Caller, verb: Verb, data: unknown, error: ReturnType<typeof forbidden>) => {
    const { id } = await tagged()
    expectErrors(await send(caller, verb, id, data), error)
    expect(await tagsOf(api.db, id)).toEqual([2, 3])
  }

  test.each(verbs)('a guest and a stranger may not %s', async (verb) => {
    await expectRefused(api.guest, verb, tags(5), forbidden())
    await expectRefused(api.as(users.member4), verb, tags(5), forbidden())
    await expectRefused(api.as(users.member4), verb, tags(staffPick), forbidden())
  })

  test.each(['patch', 'post'] as const)('a member may not pick their own post: %s', async (verb) => {
    await expectRefused(api.as(users.member3), verb, tags(5, staffPick), forbidden('Only editors may pick.'))
    await expectRefused(
      api.as(users.member3),
      verb,
      [{ type: 'tags' }, ...tags(1)],
      forbidden('Only editors may pick.'),
    )
  })

  test('editors may pick, and a member may undo it', async () => {
    const { id } = await tagged()
    expectNothing(await send(api.as(users.editor), 'post', id, tags(staffPick)))
    expect(await tagsOf(api.db, id)).toEqual([1, 2, 3])
    expectNothing(await send(api.as(users.member3), 'delete', id, tags(staffPick)))
    expect(await tagsOf(api.db, id)).toEqual([2, 3])
    expect((await send(api.as(users.admin), 'patch', id, tags(staffPick))).status).toBe(200)
    expect(await tagsOf(api.db, id)).toEqual([1])
  })

  test.each(verbs)('a tag that does not exist is 404: %s', async (verb) => {
    await expectRefused(api.as(users.member3), verb, tags(2, 4711), relatedNotFound('/data/1'))
  })

  test.each(verbs)('a user is no tag: %s', async (verb) => {
    await expectRefused(api.as(users.member3), verb, [identifier('users', 3)], {
      status: '422',
      title: 'Unprocessable Entity',
      detail: 'The tags field must be a to-many relationship containing tags resources.',
      source: { pointer: '/data/0' },
    })
  })

  test.each(verbs)('a post that cannot be seen is 404, before anybody is asked for permission: %s', async (verb) => {
    const deleted = await addPost(api.db, { deletedAt: new Date() })
    for (const id of ['5', '4711', deleted.id]) expectErrors(await send(api.guest, verb, id, tags(2)), notFound)
    expectErrors(await send(api.as(users.admin), verb, deleted.id, tags(2)), notFound)
  })
})
