import { parseQuery } from '@prismapi/jsonapi/query/parse'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { Schema } from '@prismapi/jsonapi/schema/schema'
import { describe, expect, test } from 'vitest'
import { checkRequestClasses } from '../../src/validation/request/check-request-classes.ts'
import { ResourceCollectionQuery, ResourceQuery } from '../../src/validation/request/resource-query.ts'
import { ResourceRequest } from '../../src/validation/request/resource-request.ts'
import { notSupported, page } from '../../src/validation/rules/field-rules.ts'
import { boolean, integer, string } from '../../src/validation/rules/rules.ts'
import { checkQueryRules } from '../../src/validation/run/query-rules.ts'
import { world } from './fixture.ts'

class TagsQuery extends ResourceCollectionQuery<'Tag'> {
  override rules() {
    const size = integer().min(1).max(200)
    return {
      page: page(),
      'page.size': this.isNotRelationship() ? size.required() : size,
      sort: notSupported(),
      'filter.name': string().max(3),
      'filter.isOld': boolean(),
    }
  }
}
class TagQuery extends ResourceQuery<'Tag'> {
  override rules() {
    return { include: notSupported() }
  }
  override messages() {
    return { 'include.notSupported': 'Nothing to :attribute.' }
  }
}

const { ctx, schema } = world({ classes: { Tag: { query: TagQuery, collectionQuery: TagsQuery } } })
const related = (model: string, name: string): Operation => ({
  kind: 'viewRelated',
  schema: schema(model),
  id: '1',
  relation: schema(model).relations.get(name) as Relation,
})
const parse = (search: string) => parseQuery({ search }, { parameters: 100 })
const errorsFor = (op: Operation, search: string) =>
  (checkQueryRules(ctx, op)?.(parse(search)) ?? []).flatMap(({ errors }) => errors)
const bad = (parameter: string, detail: string) => ({
  title: 'Invalid Query Parameter',
  status: '400',
  detail,
  source: { parameter },
})

describe('rules of collections', () => {
  const tags = { kind: 'viewAny', schema: schema('Tag') } as const

  test('numbers and booleans are read from text', async () => {
    expect(errorsFor(tags, '?page[size]=20&filter[name]=12&filter[isOld]=true')).toEqual([])
  })
  test('each failure names the exact key', async () => {
    const search = '?page[size]=201&page[colour]=red&sort=-name&filter[name]=long&filter[isOld]=1'
    const errors = errorsFor(tags, search)
    expect(errors).toHaveLength(5)
    expect(errors).toEqual(
      expect.arrayContaining([
        bad('page[size]', 'The page.size field must not be greater than 200.'),
        bad('page[colour]', 'Page parameter colour is not allowed.'),
        bad('sort', 'Parameter sort is not allowed.'),
        bad('filter[name]', 'The filter.name field must not be greater than 3 characters.'),
        bad('filter[isOld]', 'The filter.is old field must be a boolean.'),
      ]),
    )
  })
  test.each(['x', '1.5', '', ' 1', '1e2', '0'])('page[size]=%j is no size', async (size) => {
    expect(errorsFor(tags, `?page[size]=${encodeURIComponent(size)}`)).toMatchObject([
      { source: { parameter: 'page[size]' } },
    ])
  })
  test('are asked for when the collection is read through a relationship, too', async () => {
    expect(errorsFor(related('Post', 'tags'), '?sort=name')).toEqual([bad('sort', 'Parameter sort is not allowed.')])
    expect(errorsFor(tags, '')).toEqual([bad('page[size]', 'The page.size field is required.')])
  })
})

test('a write through a to-many relation is no collection', () => {
  const op = { ...related('Post', 'tags'), kind: 'attach' } as Operation
  expect(errorsFor(op, '?sort=name&include=posts')).toEqual([bad('include', 'Nothing to include.')])
})

describe('rules of single resources', () => {
  test('are about reading and writing one', async () => {
    for (const op of [
      { kind: 'view', schema: schema('Tag'), id: '1' },
      { kind: 'create', schema: schema('Tag') },
    ] as const) {
      expect(errorsFor(op, '?include=posts&sort=name')).toEqual([bad('include', 'Nothing to include.')])
    }
  })
  test('there are none without a class', () => {
    expect(checkQueryRules(ctx, { kind: 'viewAny', schema: schema('Post') })).toBe(null)
  })
})

test('a dotted key is reported as it was sent', async () => {
  class PostsQuery extends ResourceCollectionQuery<'Post'> {
    override rules() {
      return {
        'filter.author.name': string().max(3),
        'filter.title': notSupported(),
        'page.number': integer().required(),
      }
    }
  }
  const { ctx, schema } = world({ classes: { Post: { collectionQuery: PostsQuery } } })
  const raw = parse('?filter[author.name]=long&filter[title][contains]=x')
  expect(
    checkQueryRules(ctx, { kind: 'viewAny', schema: schema('Post') })?.(raw).flatMap(({ errors }) => errors),
  ).toEqual([
    bad('filter[author.name]', 'The filter.author.name field must not be greater than 3 characters.'),
    bad('filter[title]', 'Parameter filter[title] is not allowed.'),
    bad('page[number]', 'The page.number field is required.'),
  ])
})

test('a rule that waits is a mistake in a query class', () => {
  class Waiting extends ResourceCollectionQuery<'Post'> {
    override rules() {
      return { sort: string().test('late', async () => true) }
    }
  }
  const { ctx, schema } = world({ classes: { Post: { collectionQuery: Waiting } } })
  const check = checkQueryRules(ctx, { kind: 'viewAny', schema: schema('Post') })
  expect(() => check?.(parse('?sort=x'))).toThrow('returned a Promise during a synchronous validate')
})

test('rules that look at the user only as they run are its own', () => {
  class Late extends ResourceCollectionQuery<'Tag'> {
    override rules() {
      return { sort: string().test('mine', () => this.user !== null) }
    }
  }
  const { ctx, schema } = world({ classes: { Tag: { collectionQuery: Late } }, user: { id: 1 } })
  const count = () => checkQueryRules(ctx, { kind: 'viewAny', schema: schema('Tag') })?.(parse('?sort=x')).length
  expect(count()).toBe(0)
  Object.assign(ctx, { user: null })
  expect(count()).toBe(1)
})

describe('at boot', () => {
  const check = (request: typeof ResourceRequest<'Post', string>) =>
    checkRequestClasses({ request, query: null, collectionQuery: null }, { schema: schema('Post'), services: {} })

  test('a rule for a field that the schema lacks is an error with its cure', () => {
    class Misspelt extends ResourceRequest<'Post', string> {
      override rules() {
        return { titel: string() }
      }
    }
    class Unknown extends ResourceRequest<'Post', string> {
      override deleteRules() {
        return { 'stuff.of': string() }
      }
    }
    expect(() => check(Misspelt)).toThrow('Misspelt: there is no field for the rule titel. Did you mean title?')
    expect(() => check(Unknown)).toThrow(
      'Unknown: there is no field for the rule stuff.of. Remove it, or declare the field.',
    )
  })
  test('hidden columns and foreign keys are no fields', () => {
    class PostSchema extends Schema<'Post'> {
      override fields() {
        return [this.attribute('deletedAt').hidden()]
      }
    }
    class Hidden extends ResourceRequest<'Post'> {
      override rules() {
        return { deletedAt: string() }
      }
    }
    class Key extends ResourceRequest<'Post'> {
      override rules() {
        return { authorId: integer() }
      }
    }
    const hiding = world({ schemas: { Post: PostSchema } }).schema('Post')
    const classes = (request: typeof Hidden | typeof Key) => ({ request, query: null, collectionQuery: null })
    expect(() => checkRequestClasses(classes(Hidden), { schema: hiding, services: {} })).toThrow(
      'no field for the rule deletedAt',
    )
    expect(() => checkRequestClasses(classes(Key), { schema: hiding, services: {} })).toThrow(
      'no field for the rule authorId',
    )
  })
  test('what is no yup schema is an error', () => {
    class Wrong extends ResourceRequest<'Post', string> {
      override rules() {
        return { title: string as never }
      }
    }
    expect(() => check(Wrong)).toThrow('Wrong: the rule of title is no yup schema.')
  })
  test('rules that look at the request wait for one, and are checked then', async () => {
    class Later extends ResourceRequest<'Post', string> {
      override rules() {
        return { [this.user ? 'titel' : 'title']: string() }
      }
    }
    check(Later)
    const { create } = world({ request: { Post: Later }, user: { id: 1 } })
    await expect(create('Post', {}).done).rejects.toThrow('Later: there is no field for the rule titel.')
  })
  test('query classes know the families of parameters', () => {
    class Misspelt extends ResourceQuery<'Post'> {
      override rules() {
        return { pages: notSupported() } as never
      }
    }
    const classes = { request: null, query: Misspelt, collectionQuery: null }
    expect(() => checkRequestClasses(classes, { schema: schema('Post'), services: {} })).toThrow(
      'no field for the rule pages. Did you mean page?',
    )
    expect(() => checkRequestClasses(null, { schema: schema('Post'), services: {} })).not.toThrow()
  })
})
