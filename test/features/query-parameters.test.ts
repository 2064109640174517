import type { Feature } from '@prismapi/core/api/feature'
import { badParameter } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { onlyValue, type QueryParameter, sentValue } from '@prismapi/jsonapi/query/query-parameter'
import { FeatureKey } from '@prismapi/jsonapi/request/features'
import { type ModelName, Server } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectErrorsOf11 } from '../support/answers.ts'
import { openTestDatabase } from '../support/database.ts'
import { addPost, addUser } from '../support/rows.ts'
import { plain, startServers, useServers } from '../support/servers.ts'

class V1 extends Server {
  override readonly name: string = 'v1'
  override readonly version = '1.1'
  override readonly models: readonly ModelName[] = ['User', 'Post', 'Tag', 'Video', 'Comment']
  override authorizable() {
    return false
  }
}

/** It leaves out what no feature knows, and no more. */
class Lenient extends V1 {
  override readonly name = 'lenient'
  override readonly ignoresUnknownParameters = true
}

const zones = ['utc', 'local']

const timeZone: QueryParameter<string> = {
  name: 'timeZone',
  parse(sent) {
    const value = onlyValue(sent)
    if (zones.includes(value)) return value
    throw badParameter('timeZone', say`There is no function ${value}.`)
  },
  openapi: { description: 'The zone of all times.', schema: { type: 'string', enum: zones } },
}

/** A family, of collections alone. */
const shownBy: QueryParameter<readonly string[]> = {
  name: 'shownBy',
  isAbout: ({ isCollection, isRelationship }) => isCollection && !isRelationship,
  parse: (sent) => sent.map(({ path, value }) => `${path.join('.')} ${value}`),
  openapi: { style: 'deepObject', schema: { type: 'object' } },
}

const feature = (...parameters: readonly QueryParameter[]): Feature => ({
  compiled: { key: new FeatureKey<true>('of this test'), compile: () => true, parameters: () => parameters },
  serve: () => () => ({
    execute: (next) => (call) => {
      call.koa.set('Zone', sentValue(timeZone, call.at) ?? 'none')
      call.koa.set('Shown', sentValue(shownBy, call.at)?.join() ?? 'none')
      return next(call)
    },
  }),
})

const parts = { servers: [plain(V1), plain(Lenient)], policies: new Map() }
const api = useServers(() => ({ ...parts, features: [feature(timeZone, shownBy)] }))
const get = (path: string) => api.as(null)('GET', path)
const refused = (parameter: string, detail: string) => ({
  status: '400',
  title: 'Invalid Query Parameter',
  detail,
  source: { parameter },
})
const notAllowed = (key: string) => refused(key, `Query parameter ${key} is not allowed.`)

describe('a query parameter of a feature', () => {
  test('reaches the feature, and stays in the links of pages', async () => {
    await addPost(api.db)
    const { status, headers, body } = await get('/api/v1/posts?timeZone=utc&shownBy[a][b]=c&page[size]=1')
    expect([status, headers.get('Zone'), headers.get('Shown')]).toEqual([200, 'utc', 'a.b c'])
    expect(decodeURIComponent(body.links.first)).toContain('shownBy[a][b]=c&timeZone=utc')
    expect((await get('/api/v1/posts')).headers.get('Zone')).toBe('none')
  })

  test('is refused by the feature beside all else that is wrong with the query', async () => {
    const answer = await get('/api/v1/posts?timeZone=mars&sort=nothing&include=nothing')
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ source }: { source: object }) => source)).toEqual([
      { parameter: 'include' },
      { parameter: 'sort' },
      { parameter: 'timeZone' },
    ])
  })

  test('has its syntax checked, whatever was asked before', async () => {
    for (const _ of [1, 2]) {
      const again = refused('timeZone', 'Query parameter timeZone must not be repeated.')
      expectErrorsOf11(await get('/api/v1/posts?timeZone=utc&timeZone=utc'), again)
      expectErrorsOf11(await get('/api/v1/posts?timeZone[x]=utc'), notAllowed('timeZone[x]'))
    }
  })

  test('is refused where it means nothing', async () => {
    const { id } = await addUser(api.db)
    expectErrorsOf11(await get(`/api/v1/users/${id}?shownBy[x]=1`), notAllowed('shownBy[x]'))
    expectErrorsOf11(await get(`/api/v1/users/${id}/relationships/posts?shownBy[x]=1`), notAllowed('shownBy[x]'))
    expect((await get(`/api/v1/users/${id}/posts?shownBy[x]=1`)).status).toBe(200)
  })

  test('is known where others are ignored', async () => {
    const { headers, status } = await get('/api/lenient/posts?timeZone=utc&timeZones=utc')
    expect([status, headers.get('Zone')]).toEqual([200, 'utc'])
    expectErrorsOf11(await get('/api/lenient/posts?timeZone[x]=utc'), notAllowed('timeZone[x]'))
    expectErrorsOf11(await get('/api/v1/posts?timeZones=utc'), notAllowed('timeZones'))
  })

  test('is described by OpenAPI where the server takes it', async () => {
    const { body } = await get('/api/v1/openapi.json')
    expect(body.components.parameters.timeZone).toEqual({ name: 'timeZone', in: 'query', ...timeZone.openapi })
    const withRef = (name: string) =>
      Object.entries<Record<string, { parameters?: { $ref?: string }[] }>>(body.paths).flatMap(([path, item]) =>
        Object.entries(item)
          .filter(([, { parameters = [] }]) =>
            parameters.some(({ $ref }) => $ref === `#/components/parameters/${name}`),
          )
          .map(([method]) => `${method} ${path.replace('/api/v1', '')}`),
      )
    const ofTags = (name: string) => withRef(name).filter((place) => / \/tags(?:\/\{id\}(?:\/posts)?)?$/.test(place))
    expect(ofTags('timeZone')).toEqual([
      'get /tags',
      'post /tags',
      'get /tags/{id}',
      'patch /tags/{id}',
      'get /tags/{id}/posts',
    ])
    expect(ofTags('shownBy')).toEqual(['get /tags', 'get /tags/{id}/posts'])
  })
})

describe('a server whose features', () => {
  const start = async (...parameters: readonly QueryParameter[]) => {
    const database = await openTestDatabase()
    try {
      await (await startServers(database, { ...parts, features: [feature(...parameters)] })).close()
    } finally {
      await database.close()
    }
  }

  test.each([
    [
      'zone',
      'A feature has the query parameter "zone". Give it the name of a member with one character that is none of a–z, such as timeZone.',
    ],
    [
      'time[zone]',
      'A feature has the query parameter "time[zone]". Give it the name of a member with one character that is none of a–z, such as timeZone.',
    ],
    [
      'withStats',
      'A feature has the query parameter withStats, which means something else already. Give it another name.',
    ],
    [
      'includeFilter',
      'A feature has the query parameter includeFilter, which means something else already. Give it another name.',
    ],
    ['timeZone', 'Two features have the query parameter timeZone. Rename it in one of them.'],
  ])('claim the parameter %s does not start', async (name, message) => {
    await expect(start(timeZone, { ...timeZone, name })).rejects.toThrow(message)
  })
})
