import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { describe, expect, test } from 'vitest'
import { checkIdentifiers } from '../../src/actions/document-checks.ts'
import { takenByAnother } from '../../src/actions/judged.ts'
import { relatedRows } from '../../src/read/find.ts'
import { ResourceRequest } from '../../src/validation/request/resource-request.ts'
import { string } from '../../src/validation/rules/rules.ts'
import { errorsOf, invalid, world } from './fixture.ts'

const tables = { User: [{ id: 1 }], Tag: [{ id: 1 }, { id: 2 }] }
const { ctx, schema, plans } = world({ tables, scopes: { Tag: { id: 1 } } })
const posts = schema('Post')
const tags = (...ids: string[]): Linkage => ids.map((id) => ({ type: 'tags', id }))
const author = (id: string): Linkage => ({ type: 'users', id })
const missing = (pointer: string) => ({
  title: 'Not Found',
  status: '404',
  detail: 'The related resource does not exist.',
  source: { pointer },
})

const check = (linkages: Readonly<Record<string, readonly [string, Linkage]>>) =>
  errorsOf(
    checkIdentifiers(
      relatedRows(ctx),
      new Map(
        Object.entries(linkages).map(([base, [name, linkage]]) => [
          base,
          { linkage, relation: posts.relations.get(name) as Relation },
        ]),
      ),
    ),
  )

describe('identifiers that do not exist', () => {
  test('are 404, all of them, where they stand in a resource', async () => {
    const sent = {
      '/data/relationships/author': ['author', author('9')],
      '/data/relationships/tags': ['tags', tags('1', '9', '8')],
    } as const
    expect(await check(sent)).toEqual([
      missing('/data/relationships/author'),
      missing('/data/relationships/tags/data/1'),
      missing('/data/relationships/tags/data/2'),
    ])
  })
  test('are pointed at from the root of a relationship document', async () => {
    expect(await check({ '/data': ['author', author('9')] })).toEqual([missing('/data')])
    expect(await check({ '/data': ['tags', tags('1', '9')] })).toEqual([missing('/data/1')])
  })
  test('look like those that a scope hides, and like those that nothing can be called', async () => {
    const errors = await check({ '/data': ['tags', tags('2', 'x', '1', '')] })
    expect(errors).toEqual([missing('/data/0'), missing('/data/1'), missing('/data/3')])
  })
  test('are looked for with one query for each type; without any there is none', async () => {
    plans.length = 0
    expect(
      await check({
        '/data/relationships/author': ['author', author('1')],
        '/data/relationships/tags': ['tags', tags('1', '1')],
      }),
    ).toEqual([])
    expect(plans.map(({ model }) => model)).toEqual(['User', 'Tag'])
    expect(
      await check({ '/data/relationships/author': ['author', null], '/data/relationships/tags': ['tags', []] }),
    ).toEqual([])
    expect(plans).toHaveLength(2)
  })
})

describe('a unique constraint that is broken in a race', () => {
  class PostRequest extends ResourceRequest<'Post'> {
    override rules() {
      return { title: string(), slug: string() }
    }
    override messages() {
      return { 'title.unique': 'Another title, please.' }
    }
  }
  const validated = async (attributes: object) => {
    const { done } = world({ request: { Post: PostRequest } }).create('Post', {
      attributes: { ...attributes },
    })
    return done
  }

  test('is the 422 of the rule', async () => {
    const both = await validated({ slug: 'a', title: 'a' })
    expect(takenByAnother(both, ['slug']).errors).toEqual([
      invalid('/data/attributes/slug', 'The slug has already been taken.', 'unique'),
    ])
    expect(takenByAnother(both, ['title']).errors).toEqual([
      invalid('/data/attributes/title', 'Another title, please.', 'unique'),
    ])
  })
  test('is at the field that was sent, of several', async () => {
    expect(takenByAnother(await validated({ title: 'a' }), ['slug', 'title']).errors).toMatchObject([
      { source: { pointer: '/data/attributes/title' } },
    ])
  })
  test('is 409 where no rule covers the columns', async () => {
    const slug = await validated({ slug: 'a' })
    for (const columns of [[], ['content'], ['authorId'], ['nothing']])
      expect(takenByAnother(slug, columns).status).toBe(409)
  })
})
