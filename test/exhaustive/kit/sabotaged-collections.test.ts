import { conformance } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import V2 from '../../../src/app/v2/server.ts'
import { origin } from '../../support/api.ts'
import { callers, failureOf, useTested } from '../../support/kit.ts'
import { changing, itemsOf, type Spoilt } from '../../support/sabotage.ts'
import { exampleWith } from '../../support/servers.ts'

// What `conformance` says of collections whose pages, filters, orders and values are wrong.

const { admin = {} } = callers
let spoil: Middleware
const before: Middleware = (ctx, next) => spoil(ctx, next)
const v1 = useTested({ parts: await exampleWith(V1), callers: { admin }, before }).tested
const v2 = useTested({ parts: await exampleWith(V2), callers: { admin }, before }).tested

const servers = { v1, v2 }

async function faultsOf(how: Middleware, [server, type]: readonly [keyof typeof servers, string], more = {}) {
  spoil = how
  const checks = conformance({ ...servers[server], ...more }, { links: 0 })
  const message = await failureOf(checks, `${server} answers admin as JSON:API says: ${type}`)
  return message.split('\n  ')
}

const noLinks = (...names: readonly string[]) =>
  changing(/./, ({ links = {} }) => {
    for (const name of names) delete links[name]
  })

const emptied = (document: Spoilt) => {
  if (Array.isArray(document.data)) document.data = []
}

const reversed =
  (name: string): Middleware =>
  (ctx, next) =>
    changing(new RegExp(`sort=-?${name}$`), ({ data }) => void data.reverse())(ctx, next)

type Case = readonly [what: string, of: readonly [keyof typeof servers, string], how: Middleware, line: string]

const cases: readonly Case[] = [
  [
    'pages by number without a link to the first',
    ['v1', 'posts'],
    noLinks('first'),
    'GET /api/v1/posts?page[size]=1 as admin: links.first is missing',
  ],
  [
    'pages by number without a link to the one before',
    ['v1', 'posts'],
    noLinks('prev'),
    'GET /api/v1/posts?page[number]=2&page[size]=1&sort=-createdAt as admin: links.prev is missing',
  ],
  [
    'pages by number without a link to the next',
    ['v1', 'posts'],
    noLinks('next'),
    'GET /api/v1/posts?page[size]=1 as admin: links.next is missing',
  ],
  [
    'pages by number without a link to the last',
    ['v1', 'users'],
    noLinks('last'),
    'GET /api/v1/users as admin: links.last is missing',
  ],
  [
    'a next page that is said not to be there',
    ['v1', 'posts'],
    changing(/./, ({ links = {} }) => {
      if ('next' in links) links.next = null
    }),
    'GET /api/v1/posts?page[size]=1 as admin: links.next is null, and there is such a page',
  ],
  [
    'a page behind the last one',
    ['v1', 'users'],
    changing(/v1\/users$/, ({ links }) => {
      links.next = links.last
    }),
    'GET /api/v1/users as admin: links.next leads to a page that is none',
  ],
  [
    'simple pages without a link to the next',
    ['v1', 'videos'],
    noLinks('next'),
    'GET /api/v1/videos?page[size]=1 as admin: links.next is missing',
  ],
  [
    'pages by cursor without a link to the next',
    ['v1', 'comments'],
    noLinks('next'),
    'GET /api/v1/comments?page[limit]=1 as admin: links.next is missing',
  ],
  [
    'pages by sealed cursors that do not tell that there is none before',
    ['v2', 'posts'],
    noLinks('prev'),
    'GET /api/v2/posts?page[size]=1 as admin: links.prev is missing',
  ],
  [
    'pages by sealed cursors without a link to the last',
    ['v2', 'posts'],
    noLinks('last'),
    'GET /api/v2/posts?page[size]=1 as admin: links.last is missing',
  ],
  [
    'a link to the last page that leads to another',
    ['v1', 'users'],
    changing(/page\[number\]=2&page\[size\]=1/, ({ links }) => {
      links.last = links.first
    }),
    'GET /api/v1/users?page[number]=1&page[size]=1&sort=id as admin: data is users:1, and by /api/v1/users?page[size]=100 users:10',
  ],
  [
    'a filter that finds nothing',
    ['v1', 'tags'],
    changing(/filter\[(?!id)/, emptied),
    'GET /api/v1/tags?filter[name]=staff-pick as admin: tags:1 has this name, and is missing',
  ],
  [
    'a page of one that is empty',
    ['v1', 'posts'],
    changing(/page\[size\]=1$/, emptied),
    'GET /api/v1/posts?page[size]=1 as admin: data is empty, and by /api/v1/posts?page[size]=100 posts:60',
  ],
  [
    'pages that are empty behind the first',
    ['v1', 'posts'],
    changing(/page\[number\]=[2-9]/, emptied),
    'GET /api/v1/posts?page[number]=2&page[size]=1&sort=-createdAt as admin: data is empty, and by /api/v1/posts?page[size]=100 posts:59',
  ],
  [
    'texts in another order',
    ['v1', 'tags'],
    reversed('name'),
    'GET /api/v1/tags?sort=name as admin: data is in another order',
  ],
  [
    'texts that descend in another order',
    ['v1', 'tags'],
    reversed('name'),
    'GET /api/v1/tags?sort=-name as admin: data is in another order',
  ],
  [
    'a sort that loses resources',
    ['v1', 'tags'],
    changing(/sort=name$/, ({ data }) => void data.pop()),
    'GET /api/v1/tags?sort=name as admin: data has 11 resources, and unsorted 12',
  ],
  [
    'a total that is wrong',
    ['v1', 'users'],
    changing(/./, ({ meta }) => {
      if (meta?.page) meta.page.total = 999
    }),
    'GET /api/v1/users as admin: meta.page.total is 999, not 10',
  ],
  [
    'attributes that are null and cannot be',
    ['v1', 'tags'],
    changing(/./, (document) => {
      for (const { attributes = {} } of itemsOf(document)) for (const name in attributes) attributes[name] = null
    }),
    'GET /api/v1/tags as admin: data.0.attributes.name is null, and its column never is',
  ],
  [
    'attributes of another kind',
    ['v1', 'tags'],
    changing(/v1\/tags$/, ({ data }) => {
      data[0].attributes.name = { x: 1 }
    }),
    'GET /api/v1/tags as admin: data.0.attributes.name is {"x":1}, and no string',
  ],
  [
    'a resource that says something else of itself at its own URL',
    ['v1', 'tags'],
    changing(/v1\/tags\/1$/, ({ data }) => {
      data.attributes.name = 'another'
    }),
    'GET /api/v1/tags/1 as admin: name of tags:1 is "another", and "staff-pick" in GET /api/v1/tags',
  ],
]

test.each(cases)('%s', async (_, of, how, line) => {
  expect(await faultsOf(how, of)).toEqual(expect.arrayContaining([line]))
})

describe('links', () => {
  const elsewhere = (which: RegExp): Middleware =>
    changing(which, (document) => {
      const moved = JSON.parse(JSON.stringify(document).replaceAll(origin, 'http://evil.test'))
      Object.assign(document, moved)
    })

  test('to another origin than the rest are a fault', async () => {
    expect(await faultsOf(elsewhere(/v1\/tags\/1$/), ['v1', 'tags'])).toEqual(
      expect.arrayContaining([
        `GET /api/v1/tags/1 as admin: self is a link to http://evil.test, and should be one to ${origin}`,
      ]),
    )
  })

  test('to another origin than the application was told are a fault, if all of them are alike', async () => {
    expect(await faultsOf(elsewhere(/./), ['v1', 'tags'], { baseUrl: origin })).toEqual(
      expect.arrayContaining([
        `GET /api/v1/tags as admin: self is a link to http://evil.test, and should be one to ${origin}`,
      ]),
    )
  })
})
