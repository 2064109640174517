import { describe, expect, test } from 'vitest'
import { useConformance, versions } from '../../support/conformance.ts'
import { addPost, addTag } from '../../support/rows.ts'

const server = useConformance()

describe.each(versions)('deleting on the server $name', (version) => {
  test.each([
    ['tags', () => addTag(server.db)],
    ['posts', () => addPost(server.db)],
  ])('M1 (74): what is deleted of %s is answered with 204, and not found any more', async (type, add) => {
    const path = `/${type}/${(await add()).id}`
    const { status, body } = await server.ask(version, 'DELETE', path)
    expect({ status, body }).toEqual({ status: 204, body: undefined })
    // As a guest: an administrator still sees a post that is marked as deleted.
    expect((await server.get(version, path, { as: null })).status).toBe(404)
  })

  test.each(['/tags/9999', '/posts/9999', '/videos/no-such-video'])(
    'M2 M3 (74): what does not exist is 404: %s',
    async (path) => {
      const { status, body } = await server.refuse(version, 'DELETE', path)
      expect({ status, errors: body.errors }).toEqual({
        status: 404,
        errors: [expect.objectContaining({ status: '404' })],
      })
    },
  )

  test('M4 (74): a collection is not deleted: 405, with Allow', async () => {
    const { status, headers } = await server.refuse(version, 'DELETE', '/tags')
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD, POST, QUERY' })
  })
})
