import { type ConformanceOptions, conformance } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { mediaType } from '../../support/api.ts'
import { callers, failureOf, shownBy, useTested } from '../../support/kit.ts'
import { asking, changing } from '../../support/sabotage.ts'
import { exampleWith } from '../../support/servers.ts'

// What `conformance` says of an application that does something wrong: the example behind a middleware that spoils its answers.

const parts = await exampleWith(V1)
const { guest = {}, admin = {} } = callers
let spoil: Middleware
const { tested } = useTested({ parts, callers: { guest, admin }, before: (ctx, next) => spoil(ctx, next) })

const api = 'https://api.example.org/api/v1'

const failure = (how: Middleware, name: string, options: ConformanceOptions = {}) => {
  spoil = how
  return failureOf(conformance(tested, options), name)
}

test('a missing link is named by its place', async () => {
  const how = changing(/^\/api\/v1\/tags$/, ({ data }) => void delete data[0].links)
  expect(await failure(how, 'v1 answers guest as JSON:API says: tags')).toBe(
    'Not what JSON:API 1.0 says:\n  GET /api/v1/tags as guest: data.0.links.self is missing',
  )
})

test('a wrong status is named beside those that are right', async () => {
  const how: Middleware = async (ctx, next) => {
    await next()
    if (ctx.method === 'GET' && ctx.path === '/api/v1/tags/1/posts') ctx.status = 202
  }
  expect(await failure(how, 'v1 answers admin as JSON:API says: tags', { links: 0 })).toBe(
    'Not what JSON:API 1.0 says:\n  GET /api/v1/tags/1/posts as admin: the status is 202, not 200 or 401 or 403',
  )
})

test('several faults are told in the order of what was asked, as the documentation shows them', async () => {
  const noLink = changing(/v1\/tags$/, ({ data }) => void delete data[0].links)
  const notIncluded = changing(/include=posts$/, ({ included }) => void included.pop())
  const how: Middleware = async (ctx, next) => {
    await noLink(ctx, () => notIncluded(ctx, next))
    if (ctx.method === 'GET' && ctx.path === '/api/v1/tags/1/posts') ctx.status = 202
  }
  const message = await failure(how, 'v1 answers guest as JSON:API says: tags', { links: 0 })
  expect(message.split('\n')).toEqual(shownBy('docs/testing-kit.md', 'sabotaged'))
})

test('many faults are told by the first of them and their number', async () => {
  const how: Middleware = async (ctx, next) => {
    await next()
    ctx.remove('Vary')
  }
  const message = await failure(how, 'v1 answers guest as JSON:API says: media types and methods')
  const lines = message.split('\n')
  expect([lines[1], lines.length, lines.at(-1)]).toEqual([
    '  GET /api/v1/no-such-type as guest: Vary does not name Accept',
    14,
    expect.stringMatching(/^… and \d+ more$/),
  ])
})

const inTypes: readonly (readonly [what: string, type: string, how: Middleware, line: string])[] = [
  [
    'a link that leads elsewhere',
    'tags',
    changing(/\/tags\/1$/, ({ data }) => {
      data.links.self += '0'
    }),
    `GET /api/v1/tags/1 as admin: data.links.self is ${api}/tags/10, and should lead to /api/v1/tags/1`,
  ],
  [
    'a link of a relationship that is missing',
    'posts',
    changing(/v1\/posts$/, ({ data }) => void delete data[0].relationships.tags.links.related),
    'GET /api/v1/posts as admin: data.0.relationships.tags.links.related is missing',
  ],
  [
    'a link of the document that is missing',
    'tags',
    changing(/v1\/tags$/, (document) => void delete document.links),
    'GET /api/v1/tags as admin: links.self is missing',
  ],
  [
    'a link that cannot be fetched',
    'posts',
    changing(/v1\/posts$/, ({ links }) => {
      links.next = `${api}/posts?page%5Bnumber%5D=abc`
    }),
    'GET /api/v1/posts?page[number]=abc as admin: the status is 400, not 200 or 401 or 403 (Page parameter number must be an integer of at least 1.)',
  ],
  [
    'an attribute that is not shown',
    'tags',
    changing(/v1\/tags$/, ({ data }) => void delete data[0].attributes.name),
    'GET /api/v1/tags as admin: data.0.attributes.name is missing',
  ],
  [
    'an attribute that nobody declared',
    'tags',
    changing(/v1\/tags$/, ({ data }) => {
      data[0].attributes.secret = 1
    }),
    'GET /api/v1/tags as admin: data.0.attributes.secret is no attribute of tags',
  ],
  [
    'a resource that is linked to, and not included',
    'tags',
    changing(/include=posts$/, ({ included }) => void included.splice(0, 1)),
    'GET /api/v1/tags?include=posts as admin: posts:60 is linked to by posts of tags:1, and not included',
  ],
  [
    'an order that is none',
    'posts',
    changing(/sort=publishedAt$/, ({ data }) => void data.reverse()),
    'GET /api/v1/posts?sort=publishedAt as admin: data is in another order',
  ],
  [
    'linkage that differs from what is related',
    'posts',
    changing(/relationships\/tags$/, ({ data }) => void data.pop()),
    'GET /api/v1/posts/60/relationships/tags as admin: the linkage is tags:1, and by its related URL tags:1,tags:7',
  ],
  [
    'a filter that is not looked at',
    'tags',
    asking('filter[id]=1', ''),
    'GET /api/v1/tags?filter[id]=1 as admin: data is not tags:1',
  ],
  [
    'a page that comes again',
    'posts',
    asking('page[number]=2', 'page[number]=1'),
    'GET /api/v1/posts?page[number]=2&page[size]=1&sort=-createdAt as admin: posts:60 was on an earlier page',
  ],
  [
    'a parameter that is passed over',
    'tags',
    asking('bogus=1', ''),
    'GET /api/v1/tags?bogus=1 as admin: the status is 200, not 400',
  ],
  [
    'an error that does not say which parameter is wrong',
    'tags',
    changing(/bogus/, ({ errors }) => void delete errors[0].source, 400),
    'GET /api/v1/tags?bogus=1 as admin: no error has the source.parameter bogus',
  ],
  [
    'an error that tells of the inside',
    'tags',
    changing(
      /bogus/,
      ({ errors }) => {
        errors[0].detail = 'Invalid `prisma.tag` in PrismaClient'
      },
      400,
    ),
    'GET /api/v1/tags?bogus=1 as admin: the error tells of the inside: {"jsonapi":{"version":"1.0"},"errors":[{"status":"400","title":"Invalid Query Parameter","detail":"Invalid `prisma.tag` in PrismaClient","source":{"parameter":"bogus"}}]}',
  ],
  [
    'a document of another media type that is taken all the same',
    'tags',
    (ctx, next) => {
      if (ctx.method === 'POST') ctx.req.headers['content-type'] = mediaType
      return next()
    },
    'POST /api/v1/tags as admin with Content-Type application/json and {"data":{"type":"no-such-type"}}: the status is 409, not 415 or 401 or 403 (Resource type no-such-type is not supported by this endpoint.)',
  ],
]

test.each(inTypes)('%s', async (_, type, how, line) => {
  expect((await failure(how, `v1 answers admin as JSON:API says: ${type}`)).split('\n  ')).toEqual(
    expect.arrayContaining([line]),
  )
})

const around: readonly (readonly [what: string, how: Middleware, line: string])[] = [
  [
    'a media type that nobody asked for',
    (ctx, next) => {
      ctx.req.headers.accept = mediaType
      return next()
    },
    'GET /api/v1/profiles as guest with Accept text/plain: the status is 200, not 406',
  ],
  [
    'a refused method without those that are not',
    async (ctx, next) => {
      await next()
      if (ctx.status === 405) ctx.remove('Allow')
    },
    'PUT /api/v1/profiles as guest: Allow does not name GET: ',
  ],
  [
    'a page of HTML for what is not there',
    async (ctx, next) => {
      await next()
      if (ctx.status === 404) Object.assign(ctx, { type: 'text/html', body: '<h1>404</h1>' })
    },
    'GET /api/v1/no-such-type as guest: the Content-Type is text/html; charset=utf-8, not application/vnd.api+json',
  ],
]

test.each(around)('%s', async (_, how, line) => {
  const message = await failure(how, 'v1 answers guest as JSON:API says: media types and methods')
  expect(message.split('\n  ')).toEqual(expect.arrayContaining([line]))
})

describe('a type of which nobody sees a resource', () => {
  const { tested } = useTested({ parts, callers: { guest }, prepare: (db) => db.profile.deleteMany().then(() => {}) })
  const name = 'v1 shows resources of every type to some caller'

  test('is a failure, because it is not tested', async () => {
    expect(await failureOf(conformance(tested), name)).toBe(
      'Types without resources:\n  profiles: none of the callers (guest) sees a resource, so little is tested. Add rows, or a caller who may see them, or name the type in conformance(…, { unseen }).',
    )
  })

  test('unless that is meant', async () => {
    expect(await failureOf(conformance(tested, { unseen: ['profiles'] }), name)).toBe('nothing failed')
  })
})
