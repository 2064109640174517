import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import V2 from '../../../src/app/v2/server.ts'
import { isNight } from '../../support/night.ts'
import { exampleWith, type Running, useServers } from '../../support/servers.ts'
import {
  type Asked,
  arbitraryStats,
  instant,
  numeric,
  partsOf,
  refused,
  type Type,
  urlOf,
} from '../../support/statistics/arbitrary-stats.ts'
import { hidingFields, spreadInstants } from '../../support/statistics/hiding-fields.ts'
import { figureOf, figuresOf, groupsOf, type Resource } from '../../support/statistics/reckon.ts'

// Figures equal those that a client would reckon that fetches all that it is listed, with the same filter, page by page. What it is not
// shown of a row it takes for null.

/** How many of each caller. */
const requests = isNight ? 1000 : 60
// FC_SEED=<seed> runs again what has failed.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: Date.now() % 2 ** 31, from: 0 })
const callers = { 'a guest': null, 'a member': 4, 'an editor': 2, 'an admin': 1 }

const rows = ['count']
const posts: Type = {
  at: ['/posts'],
  keys: ['author', ...partsOf('publishedAt')],
  figures: { '*': rows },
  filters: ['', 'filter[title][contains]=1', 'filter[author.name]=Member 4', 'filter[comments.id][gt]=10'],
  minimum: 1,
}
const videos: Type = {
  at: ['/videos', '/tags/2/videos', '/tags/5/videos'],
  keys: ['owner', 'featured'],
  figures: { '*': rows, rating: numeric, durationSeconds: numeric },
  filters: ['', 'filter[featured]=true', 'filter[rating][gte]=2', 'filter[rating][isNull]=true'],
  minimum: 1,
}
const comments: Type = {
  at: ['/comments', '/posts/1/comments'],
  keys: ['author', ...partsOf('createdAt')],
  figures: { '*': rows },
  filters: ['', 'filter[id][lte]=20', 'filter[content][contains]=2'],
  minimum: 1,
}

/** What only the server has whose rules hide fields; guests see some of them nowhere. */
const hidden = {
  types: [
    {
      ...posts,
      keys: [...posts.keys, 'synopsis'],
      figures: { ...posts.figures, publishedAt: instant, synopsis: rows },
      filters: [...posts.filters, 'filter[not][0][publishedAt][gte]=2021-01-01T00:00:00Z', 'filter[author.id]=3'],
    },
    {
      ...videos,
      keys: [...videos.keys, 'durationSeconds', ...partsOf('createdAt')],
      figures: { ...videos.figures, createdAt: instant },
      filters: [...videos.filters, 'filter[not][0][rating][gte]=2', 'filter[owner][isNull]=true'],
    },
    { ...comments, figures: { ...comments.figures, createdAt: instant }, minimum: 2 },
  ],
  unseen: { '/posts': ['synopsis'], '/videos': ['durationSeconds'], '/comments': ['author'] },
}

const settings = [
  { name: 'the example', parts: () => exampleWith(V2), types: [posts, videos, comments], unseen: {} },
  { name: 'a server that hides rows and fields', parts: hidingFields, ...hidden },
]

describe.each(settings)('$name', ({ parts, types, unseen }) => {
  const api = useServers(parts)

  beforeAll(() => spreadInstants(api.db))

  test.each(Object.entries(callers))('answers %s with what it could reckon', async (_, userId) => {
    const get: Get = async (path) => api.as(userId)('GET', `/api/v2${path}`)
    const never = userId === null ? unseen : {}
    const listed = new Map<string, Promise<readonly Resource[]>>()
    const check = async (asked: Asked) => {
      const { type, at, filter } = asked
      const wrong = refused(asked, (never as Readonly<Record<string, readonly string[]>>)[type.at[0]] ?? [])
      if (wrong.length > 0) return expectRefused(get, asked, wrong)
      const from = `${asked.keys.length > 0 ? type.at[0] : at}?${including(type)}${filter && `&${filter}`}`
      const all = listed.get(from) ?? fetchAll(get, from)
      listed.set(from, all)
      await (asked.keys.length > 0 ? expectGroups(get, asked, await all) : expectFigures(get, asked, await all))
    }
    await fc.assert(fc.asyncProperty(arbitraryStats(types), check), { seed, numRuns: requests })
  })
})

type Get = (path: string) => ReturnType<ReturnType<Running['as']>>

/** Relationships that are keys have to have data. */
const including = ({ keys }: Type) => `include=${keys.filter((key) => key === 'author' || key === 'owner').join()}`

async function fetchAll(get: Get, path: string): Promise<readonly Resource[]> {
  const { status, body } = await get(path)
  expect(status, path).toBe(200)
  const next = body.links.next as string | null | undefined
  if (!next) return body.data
  const { pathname, search } = new URL(next)
  return [...body.data, ...(await fetchAll(get, pathname.slice('/api/v2'.length) + search))]
}

async function expectFigures(get: Get, asked: Asked, all: readonly Resource[]): Promise<void> {
  const { body } = await get(urlOf(asked))
  expect(body.meta.stats).toEqual(figuresOf(all, asked.figures))
}

async function expectGroups(get: Get, asked: Asked, all: readonly Resource[]): Promise<void> {
  const { type, keys, figures, order } = asked
  const { body } = await get(urlOf(asked))
  const groups = new Map([...groupsOf(all, keys)].filter(([, { length }]) => length >= type.minimum))
  const told = body.meta.groups as { key: Record<string, unknown>; stats: object }[]
  const found = told.map(({ key, stats }) => [JSON.stringify(keys.map((each) => key[each])), stats] as const)
  expect(new Map(found)).toEqual(new Map([...groups].map(([key, members]) => [key, figuresOf(members, figures)])))
  expect(body.meta.page.total).toBe(groups.size)
  if (order)
    expectOrder(
      found.map(([key]) => figureOf(groups.get(key) ?? [], order.name, order.each)),
      order,
    )
}

/** Null comes last, whatever the direction. */
function expectOrder(
  figures: readonly (number | string | null)[],
  { isDescending }: NonNullable<Asked['order']>,
): void {
  const values = figures.filter((each) => each !== null)
  expect(figures.slice(0, values.length)).not.toContain(null)
  for (const [i, value] of values.slice(1).entries()) {
    const [low, high] = isDescending ? [value, values[i]] : [values[i], value]
    // Sums of floats differ a little by the order in which they are made.
    expect(typeof low === 'number' ? low - 1e-9 <= Number(high) : String(low) <= String(high)).toBe(true)
  }
}

async function expectRefused(get: Get, asked: Asked, errors: readonly object[]): Promise<void> {
  const { status, body } = await get(urlOf(asked))
  expect(status).toBe(400)
  expect(body.errors).toHaveLength(errors.length)
  expect(body.errors).toMatchObject(errors)
}
