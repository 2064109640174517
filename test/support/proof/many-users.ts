import path from 'node:path'
import { readApplication } from '@prismapi/cli/policies/application'
import type { AnyPolicy } from '@prismapi/core/auth/policy'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { decideReally } from '@prismapi/proof/confirm/real-decision'
import { Prover } from '@prismapi/proof/prover'
import { type Answer, whoMay } from '@prismapi/proof/who'

/** A user of the example. */
export interface ManyUser {
  readonly id: number
  readonly role: 'MEMBER' | 'EDITOR' | 'ADMIN'
}

const users: readonly ManyUser[] = Array.from({ length: 10_000 }, (_, i) => ({
  ...{ id: i + 1, name: `User ${i + 1}`, email: `${i + 1}@example.com`, passwordHash: '' },
  ...{ role: i % 50 === 0 ? 'EDITOR' : i % 501 === 0 ? 'ADMIN' : 'MEMBER' },
  ...{ createdAt: new Date(), updatedAt: new Date() },
}))
const post = {
  ...{ id: 1, title: 'A post', slug: 'a-post', content: '', synopsis: null, publishedAt: null, deletedAt: null },
  ...{ authorId: 7, createdAt: new Date(), updatedAt: new Date() },
}

/** The example with 10,000 users, of whom the seventh has written a draft. */
export async function openManyUsers() {
  const app = await readApplication(path.resolve(import.meta.dirname, '../../..'))
  const prover = new Prover(app)
  const policies = await prover.model()
  const { reader, fill, close } = await app.openScratch()
  const rows = new Map<string, object[]>([
    ['User', [...users]],
    ['Post', [post]],
  ])
  await fill({ root: post, model: app.resources.models.Post as ModelMeta, rows: rows as never, joined: [] })
  const server = app.servers.find(({ name }) => name === 'v1') as (typeof app.servers)[number]
  const schema = server.schemas.byModel.get('Post') as NonNullable<ReturnType<typeof server.schemas.byModel.get>>
  return {
    users,
    /** Who may do something with the draft, or with posts where there is no row. */
    ask: (action: string, row: object | null = post): Promise<Answer> =>
      whoMay({
        ...{ app, personas: prover.personas, reader, now: Date.now(), row: row as never },
        entries: policies.filter((entry) => entry.server === 'v1' && entry.model === 'Post' && entry.action === action),
      }),
    /** Who may attach tags to the draft, by another policy of posts. */
    async askOf(policy: AnyPolicy): Promise<Answer> {
      const servers = app.servers.map((each) => Object.freeze({ ...each, policies: new Map([['Post', policy]]) }))
      const changed = new Prover({ ...app, servers })
      const entries = (await changed.model()).filter(
        (entry) => entry.server === 'v1' && entry.model === 'Post' && entry.action === 'attachTags',
      )
      return whoMay({
        ...{ app: changed.app, personas: prover.personas, entries, reader, now: Date.now(), row: post as never },
      })
    },
    /** What one of them would be answered. */
    decide: (action: string, user: ManyUser) => decideReally({ server, schema, action, user, row: post, reader }),
    async close() {
      await close()
      await prover.close()
    },
  }
}
