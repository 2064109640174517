import { expect, test } from 'vitest'
import { type Answer, useApi, users } from '../../support/api.ts'

// Names that every object of JavaScript has are names that nothing has, wherever they stand: docs/security.md.

const api = useApi()
const admin = api.as(users.admin)
const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__']
/** Like it: what begins with two underscores is the name of nothing, whoever made it up. */
const unknownLike = (name: string) => (name.startsWith('__') ? '__madeUp__' : 'madeUp')

const asked: readonly ((name: string) => string)[] = [
  (name) => `/posts?filter[${name}]=1`,
  (name) => `/posts?filter[title][${name}]=1`,
  (name) => `/posts?filter[author.${name}]=1`,
  (name) => `/posts?filter[or][0][${name}]=1`,
  (name) => `/posts?filter[${name}][${name}]=1`,
  (name) => `/posts?page[${name}]=1`,
  (name) => `/posts?fields[${name}]=title`,
  (name) => `/posts?fields[posts]=${name}`,
  (name) => `/posts?include=${name}`,
  (name) => `/posts?include=author.${name}`,
  (name) => `/posts?sort=${name}`,
  (name) => `/posts?${name}=1`,
  (name) => `/posts?${name}[polluted]=1`,
  (name) => `/api/v2/videos?withStats[${name}]=count`,
  (name) => `/api/v2/videos?withStats[rating]=${name}`,
  (name) => `/api/v2/videos/-stats?groupBy=${name}`,
  (name) => `/${name}`,
  (name) => `/posts/${name}`,
  (name) => `/posts/1/${name}`,
  (name) => `/posts/1/relationships/${name}`,
  (name) => `/posts/-actions/${name}`,
  (name) => `/posts/1/-actions/${name}`,
]
const shown = ({ status, body }: Answer, name: string) => [status, JSON.stringify(body).replaceAll(name, 'name')]

test.each(inherited)('%s in a URL is as unknown as a name that was made up', async (name) => {
  const unknown = unknownLike(name)
  for (const pathOf of asked) {
    const [answer, expected] = [await admin.get(pathOf(name)), await admin.get(pathOf(unknown))]
    expect(shown(answer, name), pathOf(name)).toEqual(shown(expected, unknown))
    expect(expected.status, pathOf(name)).toBeGreaterThanOrEqual(400)
  }
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})

test.each(inherited.slice(1))('%s in a document is as unknown as well', async (name) => {
  const documents = (each: string): readonly object[] => [
    { data: { type: each, attributes: {} } },
    { data: { type: 'posts', id: '1', attributes: { [each]: { polluted: true } } } },
    { data: { type: 'posts', id: '1', relationships: { [each]: { data: null } } } },
    { data: { type: 'posts', id: '1', relationships: { tags: { data: [{ type: each, id: '1' }] } } } },
    { data: { type: 'posts', id: each } },
  ]
  const own = documents(name)
  const unknown = unknownLike(name)
  for (const [i, body] of documents(unknown).entries()) {
    const [answer, expected] = [
      await admin.patch('/posts/1', { body: own[i] }),
      await admin.patch('/posts/1', { body }),
    ]
    expect(shown(answer, name), JSON.stringify(own[i])).toEqual(shown(expected, unknown))
    expect(expected.status).toBeGreaterThanOrEqual(400)
  }
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})
