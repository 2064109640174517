import { notSupported, object, page, ResourceCollectionQuery, Schema, string } from 'prismapi'
import { CursorPagination } from 'prismapi/cursor-pagination'
import { expect, test } from 'vitest'
import { openServer, pathOf, type Query } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// A query class says how the collection is asked. Groups have pages and an order of their own; filters are the same.

class Videos extends Schema<'Video'> {
  override fields() {
    return [this.attribute('featured').groupable(), this.attribute('rating').aggregatable()]
  }
  override pagination() {
    return new CursorPagination()
  }
}
class VideoCollectionQuery extends ResourceCollectionQuery<'Video'> {
  override rules() {
    return this.checked({
      page: page().required(),
      'page.limit': string().required(),
      sort: notSupported(),
      filter: object().shape({ title: notSupported() }),
    })
  }
}
const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('videos', { Video: Videos }, { requests: { Video: { collectionQuery: VideoCollectionQuery } } }),
  ],
}))
const ask = async (query: Query) => {
  const { status, body } = await servers.as(null)('GET', pathOf('videos', '/videos/-stats', query))
  return {
    status,
    groups: body.meta?.groups.length,
    errors: body.errors?.map(({ source }: { source: object }) => source),
  }
}

test('its rules of pages and sorts are those of the collection alone', async () => {
  const groupBy = 'featured'
  expect(await ask({ groupBy })).toEqual({ status: 200, groups: 2 })
  expect(await ask({ groupBy, 'page[number]': 2, 'page[size]': 1, sort: '-count' })).toEqual({ status: 200, groups: 1 })
  const { status } = await servers.as(null)('GET', pathOf('videos', '/videos'))
  expect(status).toBe(400)
})

test('and those of filters hold for groups', async () => {
  const parameter = 'filter[title]'
  expect(await ask({ groupBy: 'featured', [parameter]: 'A' })).toEqual({ status: 400, errors: [{ parameter }] })
})
