import { Policy, type Rules, Schema, Server, type User } from 'prismapi'
import { expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { plain, useServers } from '../support/servers.ts'

// A default sort by the mark of a soft delete is named in the links of who may see deleted rows, and of nobody else,
// whoever asked the same before.

class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    can(['viewAny', 'view'])
    if (user?.role === 'ADMIN') can('viewTrashed')
  }
}

class UserPolicy extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>) {
    can(['viewAny', 'view', 'viewPosts'])
  }
}

class PostSchema extends Schema<'Post'> {
  override readonly softDelete = 'deletedAt'
  override readonly defaultSort = 'deletedAt,-createdAt'
}

class V1 extends Server {
  override readonly name = 'v1'
  override readonly models = ['User', 'Post'] as const
}

const api = useServers(() => ({
  servers: [plain(V1, { schemas: new Map([['Post', PostSchema]]) })],
  policies: new Map<string, new () => Policy>([
    ['Post', PostPolicy as never],
    ['User', UserPolicy as never],
  ]),
}))

/** The sort that a caller's link to the next page names, and what it answers with. */
async function followed(userId: number | null, path: string) {
  const ask = api.as(userId)
  const { status, body } = await ask('GET', path)
  const next = new URL(body.links.next)
  const { status: after } = await ask('GET', next.pathname + next.search)
  return { status, sort: next.searchParams.get('sort'), after }
}

test.each([
  ['of a collection', '/api/v1/posts?page[size]=2'],
  ['of a related one', '/api/v1/users/3/posts?page[size]=2'],
])('%s', async (_, path) => {
  const asAdmin = { status: 200, sort: 'deletedAt,-createdAt', after: 200 }
  const asGuest = { status: 200, sort: null, after: 200 }
  for (const [suffix, callers] of [
    ['', [users.admin, null, users.admin]],
    // A text of its own is kept of who asks first.
    ['&fields[posts]=title', [null, users.admin, null]],
  ] as const)
    for (const userId of callers)
      expect(await followed(userId, path + suffix)).toEqual(userId === null ? asGuest : asAdmin)
})
