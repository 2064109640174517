import { Policy, type Rules } from 'prismapi'
import { beforeEach, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { users } from '../../support/api.ts'
import { atomic, inOperation, jsonapi, newPost, path } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

/** Posts are locked by their title, or by a tag, which only the database can tell. */
class Locks extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>) {
    can([this.reads, this.writes, 'create'])
    cannot('update', { title: 'Locked' }).because('Locked by its title.')
    cannot('update', { tags: { some: { id: 2 } } }).because('Locked by its tag.')
  }
}

const api = useServers(async () => {
  const { policies, servers } = await exampleWith(V2)
  return { servers, policies: new Map([...policies, ['Post', Locks]]) }
})
const operate = (...operations: readonly object[]) =>
  api.as(users.member4)('POST', path, {
    headers: { 'Content-Type': atomic },
    body: { 'atomic:operations': operations },
  })

let id: number
beforeEach(async () => {
  const { body, ...post } = newPost()
  id = (await api.db.post.create({ data: { ...post, content: body, authorId: users.member4 } })).id
})
const change = (attributes: object) => ({ op: 'update', data: { ...identifier('posts', id), attributes } })
const tags = () => ({ ref: { ...identifier('posts', id), relationship: 'tags' }, data: [identifier('tags', 2)] })
const denied = (n: number, detail: string) => ({
  status: 403,
  body: { jsonapi, errors: [inOperation(n, { status: '403', title: 'Forbidden', detail })] },
})

test('a row is judged by the columns that an operation before has given it', async () => {
  const { status, body } = await operate(change({ title: 'Locked' }), change({ synopsis: 'S' }))
  expect({ status, body }).toEqual(denied(1, 'Locked by its title.'))
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'A post', synopsis: null })
})

test('it is judged by the relations that an operation before has given it, and taken from it', async () => {
  const { status, body } = await operate({ op: 'add', ...tags() }, change({ synopsis: 'S' }))
  expect({ status, body }).toEqual(denied(1, 'Locked by its tag.'))
  const freed = await operate({ op: 'add', ...tags() }, { op: 'remove', ...tags() }, change({ synopsis: 'S' }))
  expect(freed.status).toBe(200)
})

test('who may add a resource has no more right to it by its lid than by its id', async () => {
  const { status, body } = await operate(
    { op: 'add', data: { type: 'posts', lid: 'p', attributes: newPost({ title: 'Locked' }) } },
    { op: 'update', data: { type: 'posts', lid: 'p', attributes: { title: 'Open' } } },
  )
  expect({ status, body }).toEqual(denied(1, 'Locked by its title.'))
  expect(await api.db.post.count({ where: { title: 'Locked' } })).toBe(0)
})
