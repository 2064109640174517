import { json, ResourceRequest, Schema, string } from 'prismapi'
import { expect, test } from 'vitest'
import { expectErrors, invalid } from '../../support/answers.ts'
import { openServer } from '../../support/open-server.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// A date-time names a day that the calendar has, however loose the rule.

class Posts extends Schema<'Post'> {}
class Loose extends ResourceRequest<'Post'> {
  override rules() {
    return this.checked({ publishedAt: string().nullable() })
  }
}
class AnyJson extends ResourceRequest<'Post'> {
  override rules() {
    return this.checked({ publishedAt: json() })
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer('loose', { Post: Posts }, { requests: { Post: { request: Loose } } }),
    openServer('json', { Post: Posts }, { requests: { Post: { request: AnyJson } } }),
  ],
}))

const patch = async (server: string, publishedAt: unknown) => {
  const { id } = await addPost(servers.db, { publishedAt: null })
  const body = { data: { type: 'posts', id: String(id), attributes: { publishedAt } } }
  const answer = await servers.as(null)('PATCH', `/api/${server}/posts/${id}`, { body })
  const row = await servers.db.post.findUniqueOrThrow({ where: { id } })
  return { answer, stored: row.publishedAt }
}

test.each([
  ['loose', '2026-02-30T00:00:00Z'],
  ['loose', '2026-02-30'],
  ['loose', '30 Feb 2026'],
  ['loose', '2026-04-31 10:00'],
  ['loose', '2026-02-28'],
  ['json', '2025-02-29T10:00:00+02:00'],
  ['json', 5],
])('a rule that lets pass everything stores no other day (%s): %j', async (server, sent) => {
  const { answer, stored } = await patch(server, sent)
  const detail = 'The published at is not a valid ISO 8601 date and time.'
  expectErrors(answer, invalid('dateTime', detail, '/data/attributes/publishedAt'))
  expect(stored).toBeNull()
})

test('a day that there is, is stored as it was sent', async () => {
  const { answer, stored } = await patch('loose', '2028-02-29T23:30:00-01:00')
  expect(answer.status).toBe(200)
  expect(stored).toEqual(new Date('2028-03-01T00:30:00Z'))
})
