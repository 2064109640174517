import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { identifier, mediaType, newPost, pointersOf, useConformance, v1, v2 } from '../../support/conformance.ts'
import { atomic, jsonapi } from '../../support/operations.ts'
import type { RawAnswer } from '../../support/raw.ts'
import { addPost, addTag, tagsOf } from '../../support/rows.ts'

// Atomic operations, which the server v2 has: each is written at length in the tests of operations.
const server = useConformance()
const sent = (body: unknown, as: number = users.admin) => ({ body, as, headers: { 'Content-Type': atomic } })
const operate = (...operations: readonly unknown[]) =>
  server.ask(v2, 'POST', '/operations', sent({ 'atomic:operations': operations }))
const refuse = async (body: unknown) => pointersOf(await server.refuse(v2, 'POST', '/operations', sent(body)))
const refuseAll = (...operations: readonly unknown[]) => refuse({ 'atomic:operations': operations })

let made = 0
const addTagNamed = (name = `operation-${++made}`, more: object = {}) => ({
  op: 'add',
  data: { type: 'tags', ...more, attributes: { name } },
})
const post = (more: object = {}) => ({ op: 'add', data: { ...newPost(v2), ...more } })
const lid = (type: string, name: string) => ({ type, lid: name })
// biome-ignore lint/suspicious/noExplicitAny: results are documents of every shape
const results = ({ body }: RawAnswer): any[] => body['atomic:results']

describe('atomic operations', () => {
  test('P1 (78): are answered with results and nothing beside them, in the extension', async () => {
    const { status, headers, body } = await operate(addTagNamed())
    expect({ status, type: headers['content-type'], body }).toEqual({
      status: 200,
      type: atomic,
      body: { jsonapi, 'atomic:results': [{ data: expect.objectContaining({ type: 'tags' }) }] },
    })
  })

  test('P2 (78): have their results at their places', async () => {
    const { id } = await addTag(server.db)
    const answer = await operate(
      addTagNamed('p2 first'),
      { op: 'remove', ref: identifier('tags', id) },
      addTagNamed('p2 third'),
    )
    expect(results(answer).map(({ data }) => data?.attributes.name)).toEqual(['p2 first', undefined, 'p2 third'])
  })

  test('P3 P4 (79): use the lid of an earlier one in ref and in linkage', async () => {
    const answer = await operate(
      addTagNamed('p3', { lid: 'a' }),
      post({ lid: 'p', relationships: { tags: { data: [lid('tags', 'a')] } } }),
      { op: 'add', ref: { ...lid('posts', 'p'), relationship: 'tags' }, data: [identifier('tags', 2)] },
    )
    const [tag, created] = results(answer)
    expect(await tagsOf(server.db, Number(created.data.id))).toEqual([2, Number(tag.data.id)])
  })

  test.each([
    ['an unknown lid', [post(), { op: 'remove', ref: lid('posts', 'no') }], '/1/ref/lid'],
    ['an unknown type', [post(), { op: 'add', data: { type: 'dragons' } }], '/1/data/type'],
    ['a lid before its add', [{ op: 'remove', ref: lid('posts', 'p') }, post({ lid: 'p' })], '/0/ref/lid'],
  ])('P14 (79): %s is 400', async (_, operations, at) => {
    expect(await refuseAll(...operations)).toEqual({ status: 400, pointers: [`/atomic:operations${at}`] })
  })

  test('P5 P6 (80): are all undone when one fails, which the pointer leads to', async () => {
    const taken = { op: 'add', data: newPost(v2, { slug: 'post-1' }) }
    expect(await refuseAll(addTagNamed(), post(), taken)).toEqual({
      status: 422,
      pointers: ['/atomic:operations/2/data/attributes/slug'],
    })
  })

  test('P13 (80): are done in their order', async () => {
    const { id } = await addTag(server.db, 'p13')
    const rename = (name: string) => ({ op: 'update', data: { ...identifier('tags', id), attributes: { name } } })
    const answer = await operate(rename('p13 other'), addTagNamed('p13'), rename('p13 at last'))
    expect(results(answer).map(({ data }) => data.attributes.name)).toEqual(['p13 other', 'p13', 'p13 at last'])
    expect(await server.db.tag.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'p13 at last' })
  })

  const target = identifier('posts', 1)
  test.each([
    ['an unknown op', { ...post(), op: 'replace' }, '/op'],
    ['no op', { data: newPost(v2) }, ''],
    ['add without data', { op: 'add' }, ''],
    ['remove without target', { op: 'remove' }, ''],
    ['ref and href', { op: 'remove', ref: target, href: 'posts/1' }, ''],
    ['ref without type', { op: 'remove', ref: { id: '1' } }, '/ref'],
    ['what is no object', 'add', ''],
  ])('P7 (81): %s is 400', async (_, operation, at) => {
    expect(await refuseAll(operation)).toEqual({ status: 400, pointers: [`/atomic:operations/0${at}`] })
  })

  test.each([
    ['missing', { meta: {} }, ''],
    ['none', { 'atomic:operations': [] }, '/atomic:operations'],
    ['no list', { 'atomic:operations': addTagNamed() }, '/atomic:operations'],
    ['next to data', { 'atomic:operations': [addTagNamed()], data: null }, '/data'],
  ])('P8 (81): are refused with 400 when they are %s', async (_, body, pointer) => {
    expect(await refuse(body)).toEqual({ status: 400, pointers: [pointer] })
  })

  test('P9 (82): are refused with 415 without the extension, and nothing is done', async () => {
    const body = { 'atomic:operations': [addTagNamed()] }
    expect((await server.refuse(v2, 'POST', '/operations', { body })).status).toBe(415)
  })

  test.each(['GET', 'PATCH', 'PUT', 'DELETE'])('P10 (82): are sent by POST alone, not by %s', async (method) => {
    const { status, headers } = await server.refuse(v2, method, '/operations')
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' })
  })

  test('P15 (82): leave nothing of the extension in an answer that does not declare it', async () => {
    const answers = [
      await server.ask(v2, 'POST', '/operations', { body: { 'atomic:operations': [] } }),
      await server.ask(v2, 'POST', '/tags', { body: { data: addTagNamed().data, 'atomic:operations': [] } }),
      await server.get(v2, '/tags'),
    ]
    for (const { headers, body } of answers) {
      expect(headers['content-type']).toBe(mediaType)
      expect(Object.keys(body).filter((name) => name.includes(':'))).toEqual([])
    }
  })

  test('P11 (83): have no data in the result of a remove, or no results at all', async () => {
    const remove = async () => ({ op: 'remove', ref: identifier('tags', (await addTag(server.db)).id) })
    expect(results(await operate(addTagNamed(), await remove()))[1]).toEqual({})
    const { status, body } = await operate(await remove(), await remove())
    expect({ status, body }).toEqual({ status: 204, body: undefined })
  })

  test('P12 (83): add to, update and remove from to-many relationships, and update to-one ones', async () => {
    const { id } = await addPost(server.db, { tags: { connect: [{ id: 2 }] } })
    const change = (op: string, relationship: string, data: unknown) =>
      operate({ op, ref: { ...identifier('posts', id), relationship }, data })
    const seen: unknown[] = []
    for (const [op, ...tags] of [
      ['add', 3, 4],
      ['remove', 2],
      ['update', 5],
    ] as const) {
      const { status } = await change(
        op,
        'tags',
        tags.map((tag) => identifier('tags', tag)),
      )
      seen.push([status, ...(await tagsOf(server.db, id))])
    }
    expect(seen).toEqual([
      [204, 2, 3, 4],
      [204, 3, 4],
      [204, 5],
    ])
    expect((await change('update', 'author', identifier('users', users.member5))).status).toBe(204)
    expect(await server.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ authorId: users.member5 })
  })

  test('(84): that add, or change more than was asked, have the resource in their result', async () => {
    const added = results(await operate(post()))[0].data
    expect(added).toEqual((await server.get(v2, `/posts/${added.id}`)).body.data)
    const update = { op: 'update', data: { ...identifier('posts', added.id), attributes: { title: 'Other' } } }
    const updated = results(await operate(update))[0].data
    expect(updated.attributes).toEqual({ ...added.attributes, title: 'Other', updatedAt: updated.attributes.updatedAt })
    expect(updated).toEqual((await server.get(v2, `/posts/${added.id}`)).body.data)
  })

  test('(84): are authorized one by one, and one denial undoes all', async () => {
    const body = { 'atomic:operations': [post(), addTagNamed(), post()] }
    const answer = await server.refuse(v2, 'POST', '/operations', sent(body, users.member3))
    expect(pointersOf(answer)).toEqual({ status: 403, pointers: ['/atomic:operations/1'] })
  })

  test('are unknown to the server v1, which declares 1.0', async () => {
    const body = { 'atomic:operations': [addTagNamed()] }
    expect((await server.refuse(v1, 'POST', '/operations', sent(body))).status).toBe(404)
  })
})
