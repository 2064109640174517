import { Server, type Serving } from 'prismapi'
import { expect, test } from 'vitest'
import { plain, useServers } from '../../support/servers.ts'

// A scope is its server's alone. Where another server serves the model and says nothing of it, the start says so: what was hidden is seen there.

class V1 extends Server {
  override readonly name: string = 'v1'
  override serving(phase: Serving): void {
    phase.scope('Post', { publishedAt: { not: null } })
    if (phase.user?.role === 'MEMBER') phase.scope('Video', { ownerId: phase.user.id })
    phase.scope('Tag', () => ({ id: { gt: 1 } }))
    phase.scope('User', { id: { gt: 0 } })
  }
}

/** Says of tags that all may be seen, hides users as well, and has no comments. */
class Site extends Server {
  override readonly name = 'site'
  override readonly models = ['Post', 'Tag', 'Video', 'User'] as const
  override serving(phase: Serving): void {
    phase.scope('Tag', {})
    phase.scope('User', { role: 'MEMBER' })
    phase.scopes({
      User: 'public',
      Profile: { id: 1 },
      Tag: 'public',
      Post: 'public',
      Video: 'public',
      Comment: 'public',
    })
  }
}

class Silent extends Site {
  override readonly name = 'site' as never
  override serving(phase: Serving): void {
    phase.scope('Tag', {})
    phase.scope('User', { role: 'MEMBER' })
  }
}

const admin = { id: 1, name: 'A', email: 'a@example.com', role: 'ADMIN' } as const
const sampleUsers = {
  ADMIN: admin,
  EDITOR: { ...admin, role: 'EDITOR' },
  MEMBER: { ...admin, role: 'MEMBER' },
} as const
const line = (model: string) =>
  `${model} has a scope on v1, and none on site, which serves it, too. Add phase.scope('${model}', …) there; phase.scope('${model}', {}) says that all rows may be seen.`

const told = (logs: readonly { level: string; message: string }[]) =>
  logs.flatMap(({ level, message }) => (level === 'warn' && message.includes('has a scope') ? [message] : []))

const silent = useServers(() => ({ servers: [plain(V1), plain(Silent)], policies: new Map(), sampleUsers }))
const said = useServers(() => ({ servers: [plain(V1), plain(Site)], policies: new Map(), sampleUsers }))
const alone = useServers(() => ({ servers: [plain(V1)], policies: new Map(), sampleUsers }))

test('models that another server says nothing of are named, each once, whoever the scope is for', () => {
  expect(told(silent.logs).sort()).toEqual([line('Post'), line('Video')])
})

test('models of which all rows may be seen are not', () => {
  expect(told(said.logs)).toEqual([])
})

test('nor are those of the only server', () => {
  expect(told(alone.logs)).toEqual([])
})
