import { Schema } from 'prismapi'
import { expect, test } from 'vitest'
import { openServer, pathOf } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// A client that chooses ids may not choose the address of the figures: nobody could read the resource.

class Videos extends Schema<'Video'> {
  override fields() {
    return [this.id().clientGenerated(/^[\w-]+$/), this.attribute('rating').aggregatable()]
  }
}
class PlainVideos extends Schema<'Video'> {
  override fields() {
    return [this.id().clientGenerated(/^[\w-]+$/)]
  }
}
const servers = useServers(() => ({
  policies: new Map(),
  servers: [openServer('figures', { Video: Videos }), openServer('plain', { Video: PlainVideos })],
}))
const create = (server: string, id: string) =>
  servers.as(null)('POST', pathOf(server, '/videos'), {
    body: { data: { type: 'videos', id, attributes: { title: 'A', url: 'https://example.com/a' } } },
  })

test('-stats is no id of a type with statistics', async () => {
  const { status, body } = await create('figures', '-stats')
  expect({ status, body }).toEqual({
    status: 422,
    body: expect.objectContaining({
      errors: [expect.objectContaining({ detail: 'The id format is invalid.', source: { pointer: '/data/id' } })],
    }),
  })
  expect((await create('figures', '-stat')).status).toBe(201)
})

test('elsewhere it is an id as others', async () => {
  expect((await create('plain', '-stats')).status).toBe(201)
  const { status, body } = await servers.as(null)('GET', pathOf('plain', '/videos/-stats'))
  expect([status, body.data.id]).toEqual([200, '-stats'])
  await servers.db.video.delete({ where: { id: '-stats' } })
})
