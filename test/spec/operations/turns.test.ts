import type { Serving } from 'prismapi'
import { expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { users } from '../../support/api.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Operations of one request are one transaction, and others are answered meanwhile.

const turns: number[] = []
let turn = 0

class Watched extends V2 {
  override serving(phase: Serving): void {
    super.serving?.(phase)
    phase.updated('Post', () => void turns.push(turn))
  }
}
// A machine that is busy takes longer for them than a transaction may stay open.
const transactions = { timeout: 60_000, holdMilliseconds: 60_000 }
const api = useServers(async () => ({ ...(await exampleWith(Watched)), transactions }))

test('between two operations that name many resources the event loop has a turn', async () => {
  await api.db.tag.createMany({ data: Array.from({ length: 300 }, (_, i) => ({ name: `turn-${i}` })) })
  const tags = await api.db.tag.findMany({ where: { name: { startsWith: 'turn-' } } })
  const data = tags.map(({ id }) => ({ type: 'tags', id: String(id) }))
  const posts = await api.db.post.findMany({ take: 3, orderBy: { id: 'asc' } })
  const operations = posts.map(({ id }) => ({
    op: 'update',
    data: { type: 'posts', id: String(id), relationships: { tags: { data } } },
  }))
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  count()
  const mediaType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
  const { status } = await api.as(users.admin)('POST', '/api/v2/operations', {
    body: { 'atomic:operations': operations },
    headers: { 'Content-Type': mediaType, Accept: mediaType },
  })
  isOver = true
  expect({ status, distinct: new Set(turns).size }).toEqual({ status: 200, distinct: 3 })
})
