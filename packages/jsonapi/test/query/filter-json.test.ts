import { describe, expect, test } from 'vitest'
import { asWhere, conditionIn } from '../../../../test/support/conditions.ts'
import { checkContext } from '../../../../test/support/query-context.ts'
import { registryOf, resources, schemaOfModel } from '../../../../test/support/schemas.ts'
import type { Provider } from '../../src/model/meta.ts'
import { AnyNull } from '../../src/model/prisma-values.ts'
import type { Where } from '../../src/model/where.ts'
import { checkFilter } from '../../src/query/filter.ts'
import { parseQuery } from '../../src/query/parse.ts'
import type { Attribute } from '../../src/schema/resource-schema.ts'
import { refusals } from './query-errors.ts'

// Post.meta is a Json column whose schema class says filterableByPath().
const closed = schemaOfModel('Post')
const meta = { ...(closed.attributes.get('meta') as Attribute), isFilterable: true }
const post = schemaOfModel('Post', { attributes: new Map(closed.attributes).set('meta', meta) })
const registry = registryOf(post)

function filter(search: string, provider: Provider = 'postgresql', schema = post) {
  const context = checkContext({ provider, registry })
  const { condition } = checkFilter(parseQuery({ search }, context.limits).filter, schema, context)
  return condition && asWhere(condition, 'Post', context.resources)
}

/** The same condition in the spelling that conditions are shown in. */
const said = (where: Where, model = 'Post') => asWhere(conditionIn(where, model, resources), model, resources)

const at = (condition: object, path: readonly string[] | string = ['a', 'b']) => ({ meta: { path, ...condition } })

describe('a path into JSON', () => {
  test.each([
    ['filter[meta.a.b]=x', at({ equals: 'x' })],
    ['filter[meta.a.b]=3', at({ equals: 3 })],
    ['filter[meta.a.b]=-1.5e3', at({ equals: -1500 })],
    ['filter[meta.a.b]=007', at({ equals: '007' })],
    ['filter[meta.a.b]="3"', at({ equals: '3' })],
    ['filter[meta.a.b]="null"', at({ equals: 'null' })],
    ['filter[meta.a.b]="', at({ equals: '"' })],
    ['filter[meta.a.b]=true', at({ equals: true })],
    ['filter[meta.a.b]=null', at({ equals: AnyNull })],
    ['filter[meta.a.b]=1,x', { OR: [at({ equals: 1 }), at({ equals: 'x' })] }],
    ['filter[meta.a.b][equals]=1,x', at({ equals: '1,x' })],
    ['filter[meta.a.b][in]=1,null', { OR: [at({ equals: 1 }), at({ equals: AnyNull })] }],
    ['filter[meta.a.b][not]=false', at({ not: false })],
    ['filter[meta.a.b][notIn]=1,2', { AND: [at({ not: 1 }), at({ not: 2 })] }],
    ['filter[meta.a.b][isNull]=true', at({ equals: AnyNull })],
    ['filter[meta.a.b][isNull]=false', at({ not: AnyNull })],
    ['filter[meta.a.b][contains]=50%25', at({ string_contains: '50\\%' })],
    ['filter[meta.a.b][istartsWith]=3', at({ string_starts_with: '3', mode: 'insensitive' })],
    ['filter[meta.a.b][gte]=3', at({ gte: 3 })],
    ['filter[meta.a.b][lt]=m', at({ lt: 'm' })],
    ['filter[meta.a.b][has]=x', at({ array_contains: ['x'] })],
    ['filter[meta.a.0.b-c]=x', at({ equals: 'x' }, ['a', '0', 'b-c'])],
    ['filter[meta][isNull]=true', { meta: { equals: AnyNull } }],
    ['filter[meta][isNull]=false', { meta: { not: AnyNull } }],
    ['filter[not][0][meta.a.b][contains]=x', { NOT: at({ string_contains: 'x' }) }],
  ])('%s', (search, where) => {
    expect(filter(search)).toStrictEqual(said(where))
  })

  test('is one text where the database wants one', () => {
    expect(filter('filter[meta.a.0.b-c]=x', 'sqlite')).toEqual(said(at({ equals: 'x' }, '$."a"[0]."b-c"')))
  })

  test('stands behind relations, and beside other conditions on the same row', () => {
    const search = 'filter[posts.meta.a.b][contains]=x&filter[posts.slug]=y'
    expect(filter(search, 'postgresql', schemaOfModel('User'))).toEqual(
      said(
        {
          posts: { some: { AND: [at({ string_contains: 'x' }), { slug: { equals: 'y' } }] } },
        },
        'User',
      ),
    )
  })

  test.each([
    ['filter[meta.a.b][gte]=3', 'meta.a.b[gte]'],
    ['filter[meta.a.b][has]=3', 'meta.a.b[has]'],
    ['filter[meta.a.b][icontains]=x', 'meta.a.b[icontains]'],
  ])('has no operators that Prisma lacks on SQLite: %s', (search, name) => {
    expect(refusals(() => filter(search, 'sqlite')).map(([, detail]) => detail)).toEqual([
      `Filter parameter ${name} is not allowed.`,
    ])
  })

  test.each([
    ['filter[meta]=1', 'meta'],
    ['filter[meta.a][hasSome]=1', 'meta.a[hasSome]'],
    ['filter[meta][a]=1', 'meta[a]'],
    ['filter[meta.a][b][gte]=1', 'meta.a[b][gte]'],
    ['filter[title.a]=1', 'title.a'],
  ])('%s is no filter', (search, name) => {
    expect(refusals(() => filter(search))).toEqual([[search.split('=')[0], `Filter parameter ${name} is not allowed.`]])
  })

  test('is no filter unless the schema says so', () => {
    expect(refusals(() => filter('filter[meta.a]=1', 'postgresql', closed))).toEqual([
      ['filter[meta.a]', 'Filter parameter meta.a is not allowed.'],
    ])
    expect(refusals(() => filter('filter[meta][isNull]=true', 'postgresql', closed))).toHaveLength(1)
  })

  test.each([
    ['filter[meta.a]=1e400', 'a number, true, false, null, or a text without null characters'],
    ['filter[meta.a]=%00', 'a number, true, false, null, or a text without null characters'],
    ['filter[meta.a]="\\u0000"', 'a number, true, false, null, or a text without null characters'],
    ['filter[meta.a][lt]=true', 'a number or a text'],
    ['filter[meta.a][isNull]=1', 'true or false'],
  ])('%s does not fit', (search, expected) => {
    const [key] = search.split('=')
    expect(refusals(() => filter(search))).toEqual([[key, `The value of ${key} must be ${expected}.`]])
  })

  test('counts as levels', () => {
    expect(filter('filter[meta.a.b.c.d.e]=1')).not.toBeNull()
    expect(refusals(() => filter('filter[meta.a.b.c.d.e.f]=1'))).toEqual([
      ['filter[meta.a.b.c.d.e.f]', 'A filter must not nest deeper than 5 levels.'],
    ])
  })
})

describe('searches and comparisons say nothing of values of another kind, so that', () => {
  const user = schemaOfModel('User')
  const detail = (operator: string) =>
    `The operator ${operator} of a path into JSON cannot stand behind a to-many relation within not, nor behind every.`

  test.each([
    ['filter[not][0][posts.meta.a][contains]=x', 'contains'],
    ['filter[not][0][posts.none.meta.a][gt]=1', 'gt'],
    ['filter[posts.every.meta.a][startsWith]=x', 'startsWith'],
    ['filter[posts.every.tags.posts.meta.a][has]=x', 'has'],
  ])('what Prisma would get wrong is refused: %s', (search, operator) => {
    expect(refusals(() => filter(search, 'postgresql', user))).toEqual([[search.split('=')[0], detail(operator)]])
  })

  test('equality is not concerned, nor what is denied by none', () => {
    const where = at({ equals: 'x' }, ['a'])
    expect(filter('filter[posts.every.meta.a]=x', 'postgresql', user)).toEqual(
      said({ posts: { every: where } }, 'User'),
    )
    expect(filter('filter[not][0][posts.meta.a]=x', 'postgresql', user)).toEqual(
      said({ NOT: { posts: { some: where } } }, 'User'),
    )
    expect(filter('filter[posts.none.meta.a][contains]=x', 'postgresql', user)).toEqual(
      said(
        {
          posts: { none: at({ string_contains: 'x' }, ['a']) },
        },
        'User',
      ),
    )
  })
})
