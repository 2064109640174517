import { once } from 'node:events'
import { connect } from 'node:net'
import { Schema } from 'prismapi'
import { expect, test } from 'vitest'
import { provider } from '../../support/database.ts'
import { openServer } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// Requests that arrive together, and take long each, keep others waiting no longer than a few of them do.

const clients = 16
const milliseconds = 8
/** The turn of the event loop, and in which of them each request was worked on. */
let turn = 0
const worked: number[] = []

function work(): null {
  worked.push(turn)
  const began = performance.now()
  while (performance.now() - began < milliseconds);
  return null
}

class Tags extends Schema<'Tag'> {
  override indexQuery() {
    return work()
  }
}
class Users extends Schema<'User'> {
  override relatableQuery() {
    return work()
  }
}
class Profiles extends Schema<'Profile'> {}
class Posts extends Schema<'Post'> {
  override relatableQuery() {
    return work()
  }
}

const api = useServers(() => ({
  policies: new Map(),
  servers: [openServer('all', { Tag: Tags, User: Users, Post: Posts, Profile: Profiles })],
}))

// PostgreSQL answers at once as many as it has connections, before the hooks of these run.
const related = provider === 'sqlite' ? ['/users/3/posts', '/users/3/relationships/posts'] : []

test.each(['/tags', ...related])('%s', async (path) => {
  const port = Number(new URL(api.at).port)
  const sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const request = `GET /api/all${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/vnd.api+json\r\n\r\n`
  const ask = async () => {
    const answers = sockets.map((socket) => once(socket, 'data'))
    for (const socket of sockets) socket.write(request)
    for (const [data] of await Promise.all(answers)) expect(String(data)).toMatch(/^HTTP\/1.1 200/)
  }
  await ask()
  worked.length = 0
  let isOpen = true
  const nextTurn = () => {
    turn++
    if (isOpen) setImmediate(nextTurn)
  }
  nextTurn()
  await ask()
  isOpen = false
  for (const socket of sockets) socket.destroy()
  expect(worked).toHaveLength(clients)
  const most = Math.max(...worked.map((each) => worked.filter((other) => other === each).length))
  expect(most).toBeLessThanOrEqual(4)
})
