import { notSupported, ResourceQuery, Schema } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { describe, expect, test } from 'vitest'
import { badParameter, expectErrors } from '../../support/answers.ts'
import { openServer } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Everything that is wrong with what is asked of an included collection names its exact key.

class User extends Schema<'User'> {}
class Post extends Schema<'Post'> {
  override maxPageSize = 50
}
class Comment extends Schema<'Comment'> {
  override pagination() {
    return new CursorPagination()
  }
}
class NoFilters extends ResourceQuery<'User'> {
  override rules() {
    return { includeFilter: notSupported() }
  }
}
class Profile extends Schema<'Profile'> {}

const limits = { filterTerms: 4, sortKeys: 2 }
const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('bad', { User, Post, Comment, Profile }, { limits }),
    openServer('rules', { User, Post }, { requests: { User: { query: NoFilters } } }),
  ],
}))

const ask = (query: string) => servers.as(null)('GET', `/api/bad/users/5?${query}`)

const notIncluded = (key: string, path: string) =>
  `Parameter ${key} is not allowed: ${path} is not a to-many relation that is included.`
const noInteger = 'Page parameter size must be an integer of at least 1.'

describe('400 that names', () => {
  test.each([
    ['includePage[posts][size]', '0', noInteger],
    ['includePage[posts][size]', '-1', noInteger],
    ['includePage[posts][size]', '1.5', noInteger],
    ['includePage[posts][size]', 'abc', noInteger],
    ['includePage[posts][size]', '', noInteger],
    ['includePage[posts][size]', '51', 'Page parameter size must not be greater than 50.'],
    ['includePage[posts][number]', '2', 'Page parameter number is not allowed.'],
    ['includePage[comments][limit]', '2', 'Page parameter limit is not allowed.'],
    ['includePage[posts]', '2', 'Query parameter includePage[posts] must name a member, as in includePage[posts][…].'],
    ['includePage[posts][size][x]', '2', 'Query parameter includePage[posts][size][x] is not allowed.'],
    ['includePage[posts][]', '2', 'Query parameter includePage[posts][] is not allowed.'],
    ['includePage[][size]', '2', 'Query parameter includePage[][size] is not allowed.'],
    ['includePage', '2', 'Query parameter includePage must name an include path, as in includePage[…].'],
    ['includeSort', 'id', 'Query parameter includeSort must name an include path, as in includeSort[…].'],
    ['includeSort[posts][id]', 'asc', 'Query parameter includeSort[posts][id] is not allowed.'],
    ['includeSort[posts]', 'nope', 'Sort parameter nope is not allowed.'],
    ['includeSort[posts]', '', 'The parameter sort must be a list of fields, with - before those that descend.'],
    ['includeSort[posts]', 'author.passwordHash', 'Sort parameter author.passwordHash is not allowed.'],
    ['includeSort[posts]', 'id,-id', 'Sort parameter id is repeated.'],
    ['includeSort[posts]', 'id,title,slug', 'The parameter sort must not have more than 2 fields.'],
    ['includeSort[comments]', 'id', 'Sort parameter id is not allowed.'],
    ['includeFilter', '1', 'Query parameter includeFilter must name an include path, as in includeFilter[…].'],
    ['includeFilter[posts]', '1', 'The parameter filter must be a JSON object such as {"id":["1","2"]}.'],
    ['includeFilter[posts][]', '1', 'Query parameter includeFilter[posts][] is not allowed.'],
    ['includeFilter[posts][nope]', '1', 'Filter parameter nope is not allowed.'],
    ['includeFilter[posts][author.passwordHash]', 'x', 'Filter parameter author.passwordHash is not allowed.'],
    ['includeFilter[posts][id][nope]', '1', 'Filter parameter id[nope] is not allowed.'],
    ['includeFilter[posts][publishedAt][gt]', 'soon', expect.any(String)],
    ['includePage[profile][size]', '1', notIncluded('includePage[profile][size]', 'profile')],
    ['includeSort[posts.author]', 'id', notIncluded('includeSort[posts.author]', 'posts.author')],
    ['includeFilter[posts.comments][id]', '1', notIncluded('includeFilter[posts.comments][id]', 'posts.comments')],
    ['includePage[name][size]', '1', notIncluded('includePage[name][size]', 'name')],
    ['includePage[nope][size]', '1', notIncluded('includePage[nope][size]', 'nope')],
    ['includePage[posts.nope][size]', '1', notIncluded('includePage[posts.nope][size]', 'posts.nope')],
  ])('%s=%s', async (key, value, detail) => {
    const answer = await ask(`include=posts.author,comments,profile&${key}=${encodeURIComponent(value)}`)
    expectErrors(answer, badParameter(key, detail))
  })
})

test('a parameter of a collection is not repeated', async () => {
  for (const key of ['includePage[posts][size]', 'includeSort[posts]']) {
    const answer = await ask(`include=posts&${key}=id&${key}=id`)
    expectErrors(answer, badParameter(key, `Query parameter ${key} must not be repeated.`))
  }
})

test('everything that is wrong is said at once', async () => {
  const answer = await ask(
    'include=posts,comments&includePage[posts][size]=0&includeSort[posts]=nope&includeFilter[comments][nope]=1&includeSort[videos]=id&sort=id',
  )
  expectErrors(
    answer,
    badParameter('includePage[posts][size]'),
    badParameter('includeSort[posts]'),
    badParameter('includeFilter[comments][nope]'),
    badParameter('includeSort[videos]'),
    badParameter('sort'),
  )
})

test('a collection has the terms of a query, and all of them together have no more filters than that', async () => {
  const filters = (path: string, numbers: readonly number[]) =>
    numbers.map((number) => `includeFilter[${path}][or][${number}][id]=${number}`).join('&')
  expect((await ask(`include=posts,comments&${filters('posts', [0, 1])}&${filters('comments', [0, 1])}`)).status).toBe(
    200,
  )
  const tooMany = await ask(`include=posts,comments&${filters('posts', [0, 1, 2])}&${filters('comments', [3, 4])}`)
  const detail = 'What is included must not have more than 4 filters.'
  expectErrors(tooMany, badParameter('includeFilter[comments][or][4][id]', detail))
})

test('a query class may refuse them', async () => {
  const get = (query: string) => servers.as(null)('GET', `/api/rules/users/5?include=posts&${query}`)
  expect((await get('includePage[posts][size]=1')).status).toBe(200)
  expectErrors(
    await get('includeFilter[posts][id]=1'),
    badParameter('includeFilter', 'Parameter includeFilter is not allowed.'),
  )
})
