import { Policy, Schema, Server } from 'prismapi'
import { expect, test } from 'vitest'
import { jsonapi } from '../support/row-documents.ts'
import { plain, useServers } from '../support/servers.ts'

// Prisma leaves out what is undefined: a condition on a user who is not signed in would hold for every row.

let named: 'indexQuery' | 'a filter' | null = null
const unknown = { name: undefined }

class TagSchema extends Schema<'Tag'> {
  override indexQuery() {
    return named === 'indexQuery' ? (unknown as never) : null
  }
  override filters() {
    return [this.filter('mine', { where: () => (named === 'a filter' ? (unknown as never) : { id: 1 }) })]
  }
}

class Readable extends Policy<'Tag'> {
  override viewAny() {
    return true
  }
  override view() {
    return true
  }
}

class Tags extends Server {
  override readonly name = 'tags'
  override readonly models = ['Tag'] as const
}

const servers = useServers(() => ({
  policies: new Map([['Tag', Readable]]) as never,
  servers: [plain(Tags, { schemas: new Map([['Tag', TagSchema]]) as never })],
}))

test.each([
  ['indexQuery', 'indexQuery of Tag: name is undefined.'],
  ['a filter', "filter('mine') of Tag: name is undefined."],
] as const)('%s that asks for undefined shows nothing, and says where', async (place, message) => {
  const ask = () => servers.as(null)('GET', '/api/tags/tags?filter[mine]=1')
  expect((await ask()).status).toBe(200)
  named = place
  const { status, body } = await ask()
  named = null
  expect(status).toBe(500)
  const error = { id: expect.any(String), status: '500', title: 'Internal Server Error' }
  expect(body).toEqual({ jsonapi, errors: [error] })
  expect(servers.logs.map(({ fields }) => String(fields.err)).at(-1)).toContain(message)
})
