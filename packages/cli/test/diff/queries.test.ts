import { CursorPagination } from 'prismapi/cursor-pagination'
import { describe, expect, test } from 'vitest'
import {
  AnySchema,
  type ApiParts,
  attribute,
  changesOf,
  posts,
  relation,
  served,
} from '../../../../test/support/api-files.ts'

class Published extends AnySchema {
  override filters() {
    return [this.filter('published', { kind: 'boolean', where: () => ({}) as never })]
  }
}

const named = (list: boolean) =>
  posts(
    class extends AnySchema {
      override filters() {
        return [this.filter('named', { list, where: () => ({}) as never })]
      }
    },
  )

class Popular extends AnySchema {
  override sorts() {
    return [this.sort('popularity', 'comments.count')]
  }
}

class Cursors extends AnySchema {
  override pagination() {
    return new CursorPagination().withCursorColumn('id')
  }
}

class Unpaged extends AnySchema {
  override pagination() {
    return null
  }
}

/** A server of users only. */
const limited = (limits: object) => served({ models: ['User'], limits })

type Row = readonly [name: string, old: ApiParts, now: ApiParts, forth: readonly string[], back: readonly string[]]

// What breaks clients in one direction is compatible in the other, or the other way round; some break either way.
const rows: readonly Row[] = [
  [
    'the filters of an attribute',
    {},
    attribute('words', (field) => field.notFilterable()),
    ['- posts filters by words: gone'],
    ['+ posts filters by words: new'],
  ],
  [
    'a filter of its own',
    posts(Published),
    {},
    ['- posts filters by published: gone'],
    ['+ posts filters by published: new'],
  ],
  [
    'whether a filter takes a list',
    named(true),
    named(false),
    ['- posts filter[named]: has maxItems 1, had maxItems 500'],
    ['+ posts filter[named]: has maxItems 500, had maxItems 1'],
  ],
  [
    'a filter that answers one resource',
    {},
    attribute('title', (field) => field.singular()),
    [
      '- posts answer to GET /posts: is collection or resource, was collection',
      '- posts answer to GET /posts: may be null',
    ],
    [
      '+ posts answer to GET /posts: is collection, was collection or resource',
      '+ posts answer to GET /posts: may not be null any more',
    ],
  ],
  [
    'how many values a filter takes',
    limited({}),
    limited({ filterValues: 10 }),
    [
      '- users filter[id]: has maxItems 10, had maxItems 500',
      '- users filter[id][in]: has maxItems 10, had maxItems 500',
      '- users filter[id][notIn]: has maxItems 10, had maxItems 500',
      '- users filter[name]: has maxItems 10, had maxItems 500',
      '- users filter[name][in]: has maxItems 10, had maxItems 500',
      '- users filter[name][notIn]: has maxItems 10, had maxItems 500',
    ],
    [
      '+ users filter[id]: has maxItems 500, had maxItems 10',
      '+ users filter[id][in]: has maxItems 500, had maxItems 10',
      '+ users filter[id][notIn]: has maxItems 500, had maxItems 10',
      '+ users filter[name]: has maxItems 500, had maxItems 10',
      '+ users filter[name][in]: has maxItems 500, had maxItems 10',
      '+ users filter[name][notIn]: has maxItems 500, had maxItems 10',
    ],
  ],
  [
    'an attribute to sort by',
    {},
    attribute('title', (field) => field.notSortable()),
    ['- posts sort=title: gone'],
    ['+ posts sort=title: new'],
  ],
  ['a sort of its own', posts(Popular), {}, ['- posts sort=popularity: gone'], ['+ posts sort=popularity: new']],
  [
    'how many keys are sorted by',
    limited({}),
    limited({ sortKeys: 1 }),
    ['- users sort: has maxItems 1, had maxItems 5'],
    ['+ users sort: has maxItems 5, had maxItems 1'],
  ],
  [
    'a relation to include',
    {},
    relation('author', (field) => field.cannotInclude()),
    ['- posts include=author: gone'],
    ['+ posts include=author: new'],
  ],
  [
    'how deep includes go',
    {},
    served({ limits: { includeDepth: 2 } }),
    [
      '- comments include=post.author.posts: gone',
      '- comments include=post.comments.post: gone',
      '- posts include=author.posts.author: gone',
      '- posts include=author.posts.comments: gone',
      '- posts include=comments.post.author: gone',
      '- posts include=comments.post.comments: gone',
      '- users include=posts.author.posts: gone',
      '- users include=posts.comments.post: gone',
    ],
    [
      '+ comments include=post.author.posts: new',
      '+ comments include=post.comments.post: new',
      '+ posts include=author.posts.author: new',
      '+ posts include=author.posts.comments: new',
      '+ posts include=comments.post.author: new',
      '+ posts include=comments.post.comments: new',
      '+ users include=posts.author.posts: new',
      '+ users include=posts.comments.post: new',
    ],
  ],
  [
    'the number of related resources',
    relation('comments', (field) => field.countable()),
    {},
    ['- posts withCount=comments: gone'],
    ['+ posts withCount=comments: new'],
  ],
  [
    'how large pages may be',
    limited({}),
    limited({ maxPageSize: 50 }),
    ['- users page[size]: has maximum 50, had maximum 1000'],
    ['+ users page[size]: has maximum 1000, had maximum 50'],
  ],
  [
    'another kind of pages',
    {},
    posts(Cursors),
    [
      '+ posts page[after]: new',
      '+ posts page[before]: new',
      '+ posts page[limit]: new',
      '- posts page[number]: gone',
      '- posts page[size]: gone',
      '- posts sort: gone',
    ],
    [
      '+ posts page[number]: new',
      '+ posts page[size]: new',
      '+ posts sort: new',
      '- posts page[after]: gone',
      '- posts page[before]: gone',
      '- posts page[limit]: gone',
    ],
  ],
  [
    'pages',
    {},
    posts(Unpaged),
    ['- posts page[number]: gone', '- posts page[size]: gone'],
    ['+ posts page[number]: new', '+ posts page[size]: new'],
  ],
]

describe.each(rows)('%s', (_name, old, now, forth, back) => {
  test('that is another', () => expect(changesOf(old, now)).toEqual(forth))

  test('that is what it was again', () => expect(changesOf(now, old)).toEqual(back))
})
