import type { Action } from '@prismapi/jsonapi/schema/actions'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { expect, test } from 'vitest'
import { type Possible, possibleWithRow, possibleWithType } from '../../src/auth/possible.ts'
import { contextOf, posts } from './fixture.ts'

const action = (name: string, on: 'member' | 'collection', method: string) =>
  ({ name, on, method }) as unknown as Action
const actions = new Map(
  [action('publish', 'member', 'POST'), action('import', 'collection', 'PUT')].map((each) => [each.name, each]),
)
const given: ResourceSchema = { ...posts, actions }
const ctx = contextOf({ server: { baseUrl: 'http://127.0.0.1/api/v1' } })

/** Each as the request that would do it. */
const requests = (possible: readonly Possible[], id: string | null = 'a/b') =>
  possible.map((each) => {
    const { method, at, body } = each.request(ctx, id)
    return [each.name, each.operationOn(id).kind, method, at.url.pathname, body]
  })

const before = [
  ['view', 'view', 'GET', '/api/v1/posts/a%2Fb', undefined],
  ['update', 'update', 'PATCH', '/api/v1/posts/a%2Fb', undefined],
]
const at = '/api/v1/posts/a%2Fb'
const after = [
  ['viewAuthor', 'viewRelated', 'GET', `${at}/author`, undefined],
  ['updateAuthor', 'updateRelationship', 'PATCH', `${at}/relationships/author`, undefined],
  ['viewTags', 'viewRelated', 'GET', `${at}/tags`, undefined],
  ['updateTags', 'updateRelationship', 'PATCH', `${at}/relationships/tags`, undefined],
  ['attachTags', 'attach', 'POST', `${at}/relationships/tags`, undefined],
  ['detachTags', 'detach', 'DELETE', `${at}/relationships/tags`, undefined],
  ['publish', 'action', 'POST', `${at}/-actions/publish`, undefined],
]

test('what can be done with a row, and with one that was deleted', () => {
  const { kept, trashed } = possibleWithRow(given)
  expect(requests(kept)).toEqual([...before, ['delete', 'delete', 'DELETE', at, undefined], ...after])
  expect(requests(trashed)).toEqual([...before, ['forceDelete', 'forceDelete', 'DELETE', at, undefined], ...after])
  expect(kept[0]?.operationOn('7')).toEqual({ kind: 'view', schema: given, id: '7' })
})

test('what can be done with a type', () => {
  expect(requests(possibleWithType(given), null)).toEqual([
    ['create', 'create', 'POST', '/api/v1/posts', undefined],
    ['import', 'action', 'PUT', '/api/v1/posts/-actions/import', undefined],
  ])
})

test('nothing that the type does not offer', () => {
  const author = posts.relations.get('author')
  const relations = new Map([['author', { ...author, readOnly: true } as never]])
  const bare: ResourceSchema = { ...posts, relations, operations: new Set() }
  expect(possibleWithRow(bare).kept.map(({ name }) => name)).toEqual(['view', 'viewAuthor'])
  expect(possibleWithRow(bare).trashed.map(({ name }) => name)).toEqual(['view', 'viewAuthor'])
  expect(possibleWithType(bare)).toEqual([])
})
