import fc from 'fast-check'
import { type ModelName, Schema } from 'prismapi'
import { beforeAll, expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import { meets, type Sees } from '../../support/filters/judge.ts'
import { type Tree, toQuery, tree } from '../../support/filters/trees.ts'
import { fillWorld, linkedWorld, type Row, type Type } from '../../support/filters/world.ts'
import { isNight } from '../../support/night.ts'
import { openServer } from '../../support/open-server.ts'
import { type Ask, useServers } from '../../support/servers.ts'

// A filter finds the rows that meet it: what the server answers is what asking every row, one by one, comes to.

const runs = isNight ? 1000 : 300
// FC_SEED=<seed> runs again what has failed.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: Date.now() % 2 ** 31, from: 0 })

const models: Readonly<Record<Type, ModelName>> = {
  users: 'User',
  profiles: 'Profile',
  tags: 'Tag',
  posts: 'Post',
  videos: 'Video',
  comments: 'Comment',
}

class Whole extends Schema {
  override pagination() {
    return null
  }
}
const schemas = Object.fromEntries(Object.values(models).map((model) => [model, Whole]))
const limits = { filterTerms: 500, filterDepth: 10, urlLength: 15_000, parameters: 1000 }

/** Every kind of scope: on a column that may be null, under a NOT, across a relation. */
const sees: Sees = (type, row) => {
  const { values } = row
  switch (type) {
    case 'users':
      return values.role !== 'EDITOR'
    case 'profiles':
      return String(values.website).startsWith('http')
    case 'tags':
      return values.name !== 'c'
    case 'posts':
      return values.synopsis !== null && values.synopsis !== 'Bo'
    case 'videos':
      return values.rating !== null && Number(values.rating) >= 0.5
    case 'comments':
      return (row.related.author as Row).values.role !== 'ADMIN'
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('open', schemas, { limits }),
    openServer('scoped', schemas, {
      limits,
      serving(phase) {
        phase.scope('User', { role: { not: 'EDITOR' } })
        phase.scope('Profile', { website: { startsWith: 'http' } })
        phase.scope('Tag', { NOT: { name: 'c' } })
        phase.scope('Post', { NOT: { synopsis: 'Bo' } })
        phase.scope('Video', { rating: { gte: 0.5 } })
        phase.scope('Comment', { author: { is: { role: { not: 'ADMIN' } } } })
      },
    }),
  ],
}))

const world = linkedWorld()
beforeAll(() => fillWorld(servers.db))

async function found(ask: Ask, server: string, { type, group }: Tree): Promise<string[]> {
  const { status, body } = await ask('GET', `/api/${server}/${type}?fields[${type}]=&${toQuery(group)}`)
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return body.data.map(({ id }: { id: string }) => id).sort()
}

const expected = ({ type, group }: Tree, seen: Sees): string[] =>
  world[type]
    .filter((row) => seen(type, row) && meets(row, group, seen))
    .map(({ id }) => String(id))
    .sort()

test.each<[string, Sees]>([
  ['open', () => true],
  ['scoped', sees],
])(
  'of the %s server, a filter finds the rows that meet it, and no others',
  { timeout: 600_000 },
  async (name, seen) => {
    console.info(`Random filters of the ${name} server: FC_SEED=${seed}, ${runs} of them`)
    const ask = servers.as(null)
    let telling = 0
    await fc.assert(
      fc.asyncProperty(tree, async (each) => {
        const ids = await found(ask, name, each)
        expect(ids).toEqual(expected(each, seen))
        if (ids.length > 0 && ids.length < world[each.type].length) telling += 1
      }),
      { seed, numRuns: runs },
    )
    expect(telling).toBeGreaterThan(runs / 5)
  },
)
