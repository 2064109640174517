import { Server, type Serving, type WhereOf } from 'prismapi'
import type { ScopesOfAll } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { useBoot } from '../support/boot.ts'
import { expectTold } from '../support/documentation/told.ts'
import { plain, useServers } from '../support/servers.ts'

// A scope that says less than its author meant would show what it should hide.

/** What is seen by each role, of which one was forgotten. */
const conditions: Readonly<Record<string, WhereOf<'Post'>>> = { MEMBER: { id: 1 } }
const everything: ScopesOfAll = {
  ...{ User: 'public', Profile: 'public', Post: 'public', Tag: 'public', Video: 'public', Comment: 'public' },
}

const serving = (name: string, register: (phase: Serving) => void) =>
  plain(
    class extends Server {
      override readonly name = name
      override authorizable() {
        return false
      }
      override serving(phase: Serving) {
        register(phase)
      }
    },
  )

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    serving('nothing', (phase) => {
      phase.scope('Post', { OR: [] })
      phase.scope('Post', { deletedAt: null })
    }),
    serving('missing', (phase) =>
      phase.scope('Post', { authorId: (phase.user as { id?: number } | null)?.id as number }),
    ),
    serving('unknown', (phase) => phase.scope('Post', { autor: 1 } as never)),
    serving('empty', (phase) => phase.scope('Post', { author: {} })),
    serving('table', (phase) => phase.scope('Post', () => conditions.GUEST as never)),
    serving('static', (phase) => phase.scope('Post', conditions.GUEST as never)),
    serving('allOfTable', (phase) => phase.scopes({ ...everything, Post: () => conditions.GUEST as never })),
    serving('allButNull', (phase) => phase.scopes({ ...everything, Post: () => null as never })),
    serving('null', (phase) => phase.scope('Post', () => null)),
  ],
}))

test('no branch at all is no row, beside another scope too', async () => {
  const { body } = await servers.as(null)('GET', '/api/nothing/posts')
  expect(body.data).toEqual([])
})

test('null is no condition', async () => {
  const { body } = await servers.as(null)('GET', '/api/null/posts?page[size]=5')
  expect(body.data).toHaveLength(5)
})

const noCondition = "scope('Post'): the condition is undefined. Refuse the request, or hide all rows: { OR: [] }."

describe('what Prisma would drop is refused, and the log says where', () => {
  test.each([
    ['missing', "scope('Post'): authorId is undefined. Refuse the request, or hide all rows: { OR: [] }."],
    ['unknown', 'scope(\'Post\'): the model Post has no field "autor". Did you mean "author"?'],
    [
      'empty',
      "scope('Post'): author has no condition. Leave it out, or say { is: {} } where there only has to be such a row.",
    ],
    ['table', noCondition],
    ['static', noCondition],
    ['allOfTable', noCondition],
    ['allButNull', "scopes(): the condition of Post is null. Write 'public' where all of its rows may be seen."],
  ])('%s', async (name, message) => {
    servers.logs.length = 0
    const { status } = await servers.as(null)('GET', `/api/${name}/posts`)
    expect(status).toBe(500)
    if (name === 'missing') expectTold(message)
    expect(servers.logs.map(({ fields }) => (fields.err as Error | undefined)?.message)).toContain(message)
  })
})

describe('a rule with an empty relation, which would hold for every row', () => {
  const boot = useBoot()
  test('stops the start', async () => {
    const policy = `import { Policy } from 'prismapi'
export default class PostPolicy extends Policy {
  abilities({ can }) {
    can('update', { author: {} })
  }
}`
    await expect(boot({ 'policies/post.policy.js': policy })).rejects.toThrow(
      'author has no condition. Leave it out, or say { is: {} } where there only has to be such a row.',
    )
  })
})
