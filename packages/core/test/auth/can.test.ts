import type { Can } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import { type Authorizer, PolicyAuthorizer } from '../../src/auth/authorizer.ts'
import { permissions } from '../../src/auth/can.ts'
import { deny } from '../../src/auth/decision.ts'
import type { AnyRules } from '../../src/auth/policy.ts'
import type { Resource } from '../../src/read/resource.ts'
import { ResourceRequest } from '../../src/validation/request/resource-request.ts'
import { contextOf, post, posts } from './fixture.ts'

const shown: ResourceSchema = { ...posts, showsCan: true }
type Given = Parameters<typeof contextOf>[0] & { readonly request?: unknown; readonly rules?: object }
type Declare = (rules: AnyRules) => void

function context({ request = null, ...given }: Given = {}) {
  const requests = new Map(request ? [['Post', { request, query: null, collectionQuery: null }]] : [])
  const server = { requests, baseUrl: 'http://127.0.0.1/api/v1', ...given.server } as never
  return contextOf({ ...given, server })
}
const by = (abilities: Declare, methods: object = {}) => ({ policies: { Post: { abilities, ...methods } } })

async function can(given: Given, row: Row = post, schema = shown): Promise<Can | null | undefined> {
  const resource = { schema, row, id: '1', loaded: new Map() } as unknown as Resource
  await permissions.attach(context(given), [resource], new Map())
  return resource.can
}
const none = {
  view: false,
  update: false,
  delete: false,
  viewAuthor: false,
  updateAuthor: false,
  viewTags: false,
  updateTags: false,
  attachTags: false,
  detachTags: false,
}

describe('what may be done with a resource', () => {
  test('is what the rules say of its row', async () => {
    const declare: Declare = ({ can }) => {
      can(['view', 'viewTags'])
      can('update', { authorId: 7 })
      can('delete', { authorId: 8 })
    }
    expect(await can(by(declare))).toEqual({ ...none, view: true, viewTags: true, update: true })
    expect(await can({})).toEqual(none)
  })

  test('is everything where no permission is needed', async () => {
    const all = Object.fromEntries(Object.keys(none).map((name) => [name, true]))
    expect(await can({ server: { authorizable: false } })).toEqual(all)
  })

  test('is what a method says, also later', async () => {
    const methods = { view: async () => true, update: () => deny('No.') }
    expect(await can(by(() => {}, methods))).toEqual({ ...none, view: true })
  })

  test('is the fields that may be written, where these are not all', async () => {
    const declare: Declare = ({ can, cannot }) => {
      can(['view', 'update'])
      cannot('update', ['author', 'title'])
    }
    expect(await can(by(declare))).toEqual({ ...none, view: true, update: ['tags'] })
  })

  test('is unknown where a request class decides, which would read a document', async () => {
    class Own extends ResourceRequest {
      override authorize() {
        return true
      }
    }
    expect(await can({ ...by(({ can }) => can('view')), request: Own })).toEqual(
      Object.fromEntries(Object.keys(none).map((name) => [name, null])),
    )
  })

  test('of a row that was deleted softly is to remove it for good', async () => {
    const schema = { ...shown, deletedAt: 'readAt' }
    const { delete: _, ...others } = none
    expect(
      await can(
        by(({ can }) => can('forceDelete')),
        post,
        schema,
      ),
    ).toEqual({ ...others, forceDelete: true })
    expect(
      await can(
        by(({ can }) => can('delete')),
        { ...post, readAt: null },
        schema,
      ),
    ).toEqual({ ...none, delete: true })
  })

  test('is asked of an authorizer with the request that would do it', async () => {
    const asked: string[] = []
    class Own extends PolicyAuthorizer {
      override update(request: Parameters<Authorizer['update']>[0]) {
        asked.push(`${request.method} ${request.url.pathname}`)
        return true
      }
      override attach(request: Parameters<Authorizer['attach']>[0]) {
        asked.push(`${request.method} ${request.url.pathname} ${request.value === null}`)
        return false
      }
      override viewRelated(request: Parameters<Authorizer['attach']>[0]) {
        asked.push(`${request.method} ${request.url.pathname} ${request.value === null}`)
        return false
      }
    }
    const served = { defaultAuthorizer: Own as never }
    expect(await can({ ...by(({ can }) => can('view')), served })).toEqual({ ...none, view: true, update: true })
    expect(asked.sort()).toEqual([
      'GET /api/v1/posts/1/author true',
      'GET /api/v1/posts/1/tags true',
      'PATCH /api/v1/posts/1',
      'POST /api/v1/posts/1/relationships/tags false',
    ])
  })

  test('is not told where its type does not show it', async () => {
    expect(
      await can(
        by(({ can }) => can('view')),
        post,
        posts,
      ),
    ).toBe(undefined)
  })
})

describe('what may be done with a type', () => {
  test('is to create one', async () => {
    const given = by(({ can }) => can('create'))
    expect(await permissions.ofType(context(given), shown)).toEqual({ create: true })
    expect(await permissions.ofType(context({}), shown)).toEqual({ create: false })
    expect(await permissions.ofType(context(given), posts)).toBe(null)
  })

  test('is the fields that a new one may have', async () => {
    const declare: Declare = ({ can, cannot }) => {
      can('create')
      cannot('create', 'author')
    }
    expect(await permissions.ofType(context(by(declare)), shown)).toEqual({ create: ['tags'] })
  })
})
