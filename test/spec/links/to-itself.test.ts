import { Policy, type Rules, Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import type { FixtureProvider } from '../../support/any-schema/fixtures.ts'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'
import { provider as database } from '../../support/database.ts'
import { atomic } from '../../support/operations.ts'

// JSON:API 1.1: a new resource has a `lid`, by which its own relationships name it.

// No fixture is written for MariaDB.
const provider: FixtureProvider = database === 'postgresql' ? database : 'sqlite'

class Chosen extends Schema<never> {
  override fields() {
    return [this.id().clientGenerated()]
  }
}

class Unparented extends Policy {
  override abilities({ can, cannot }: Rules<never>) {
    can([this.reads, 'create', this.writes] as never)
    cannot('create' as never, 'parent' as never)
  }
}

type Api = ReturnType<typeof useFixture>
type Create = (api: Api, data: object) => Promise<{ readonly status: number; readonly body: never }>

const byPost: Create = async (api, data) => {
  const { status, body } = await api.ask('POST', `/${(data as { type: string }).type}`, { data })
  return { status, body: (status === 201 ? body.data : body.errors) as never }
}

const byOperation: Create = async (api, data) => {
  const response = await fetch(api.url('/operations'), {
    method: 'POST',
    headers: { 'Content-Type': atomic, Accept: atomic },
    body: JSON.stringify({ 'atomic:operations': [{ op: 'add', data }] }),
  })
  const body = (await response.json()) as never
  const { 'atomic:results': results, errors } = body as { 'atomic:results'?: [{ data: object }]; errors?: object[] }
  return { status: results ? 201 : response.status, body: (results?.[0].data ?? errors) as never }
}

const self = (type: string) => ({ type, lid: 'me' })

describe.each([
  ['POST', byPost],
  ['an operation', byOperation],
] as const)('%s', (_, create) => {
  const relations = useFixture('relations', { provider, version: '1.1' })
  const joins = useFixture('joins', { provider, version: '1.1' })
  const created = async (api: Api, type: string, attributes: object, relationships: object, more: object = {}) => {
    const { status, body } = await create(api, { type, lid: 'me', attributes, relationships, ...more })
    expect([status, body]).toEqual([201, expect.anything()])
    return (body as { id: string }).id
  }

  test('to one, whose key the new row has', async () => {
    const id = await created(relations, 'folders', { name: 'own parent' }, { parent: { data: self('folders') } })
    expect(await relations.linkage(`/folders/${id}/relationships/parent`)).toEqual(toOne('folders', id).data)
    expect(await relations.linkage(`/folders/${id}/relationships/children`)).toEqual(to('folders', id).data)
  })

  test('to one, by the other end', async () => {
    const id = await created(relations, 'folders', { name: 'own previous' }, { previous: { data: self('folders') } })
    expect(await relations.linkage(`/folders/${id}/relationships/next`)).toEqual(toOne('folders', id).data)
  })

  test('to many, with others', async () => {
    const other = await relations.create('folders', { name: 'other' })
    const children = { data: [self('folders'), { type: 'folders', id: other }] }
    const id = await created(relations, 'folders', { name: 'own child' }, { children })
    expect(await relations.linkage(`/folders/${id}/relationships/children?sort=id`)).toEqual(
      to('folders', other, id).data,
    )
  })

  test('many to many', async () => {
    const other = await joins.create('posts', { title: 'other' })
    const related = { data: [{ type: 'posts', id: other }, self('posts')] }
    const id = await created(joins, 'posts', { title: 'own' }, { related })
    expect(await joins.linkage(`/posts/${id}/relationships/related?sort=id`)).toEqual(to('posts', other, id).data)
  })

  test('another lid, another type, and a lid where there is none are 400 as ever', async () => {
    const wrong: readonly object[] = [
      { type: 'folders', lid: 'me', relationships: { parent: { data: { type: 'folders', lid: 'you' } } } },
      { type: 'folders', lid: 'me', relationships: { children: { data: [{ type: 'users', lid: 'me' }] } } },
      { type: 'folders', relationships: { parent: { data: self('folders') } } },
    ]
    const before = await relations.rows('Folder')
    for (const data of wrong) expect((await create(relations, { ...data, attributes: { name: 'x' } })).status).toBe(400)
    expect(await relations.rows('Folder')).toEqual(before)
  })

  test('a relation to another type is 422 as ever', async () => {
    const relationships = { author: { data: self('articles') } }
    const data = { type: 'articles', lid: 'me', attributes: { title: 'x' }, relationships }
    const { status, body } = await create(relations, data)
    expect([status, (body as { detail: string }[])[0]?.detail]).toEqual([
      422,
      'The author field must be a to-one relationship containing users resources.',
    ])
  })
})

describe('a required relation', () => {
  const models = `
    model Node {
      id     Int    @id
      root   Node   @relation("root", fields: [rootId], references: [id])
      rootId Int
      nodes  Node[] @relation("root")
    }`
  const api = useFixture(models, { provider, version: '1.1', schemas: { Node: Chosen as never } })

  test('is filled at once where the client says the id', async () => {
    const root = { root: { data: self('nodes') } }
    const id = await api.create('nodes', {}, root, { id: '7', lid: 'me' })
    expect([id, await api.linkage('/nodes/7/relationships/root')]).toEqual(['7', toOne('nodes', '7').data])
  })
})

describe('who may not write the relation of the row that keeps the link', () => {
  const api = useFixture('relations', { provider, version: '1.1', policies: { Folder: Unparented as never } })

  test('makes no new resource its own child either', async () => {
    for (const relationships of [{ parent: { data: self('folders') } }, { children: { data: [self('folders')] } }]) {
      const { status, body } = await api.ask('POST', '/folders', {
        data: { type: 'folders', lid: 'me', attributes: { name: 'x' }, relationships },
      })
      expect([status, body.errors[0].detail]).toEqual([403, 'You may not change the field parent.'])
    }
  })
})
