import { Schema } from 'prismapi'
import { expect, test } from 'vitest'
import { linkServers, makePost, makeUser } from '../../support/links/servers.ts'
import { useServers } from '../../support/servers.ts'

class UserSchema extends Schema<'User'> {
  override authorizable() {
    return false
  }
  override actions() {
    return [
      this.action('take', {
        on: 'collection',
        handle: ({ save }) =>
          save('User', null, {
            name: 'Taker',
            email: 'taker@example.com',
            passwordHash: 'x',
            posts: { connect: [{ slug: 'taken' }] },
          } as never),
      }),
    ]
  }
}

const api = useServers(() => linkServers({ schemas: { User: UserSchema } }))

test('an action saves no link in the columns of another row', async () => {
  const ann = await makeUser(api, 'ann')
  const { id } = await makePost(api, ann, 'taken')
  const { status } = await api.as(null)('POST', '/api/v1/users/-actions/take')
  expect(status).toBe(500)
  expect((await api.db.post.findUniqueOrThrow({ where: { id } })).authorId).toBe(ann)
  expect(JSON.stringify(api.logs.map(({ fields }) => String(fields.err)))).toContain('the model has no column posts')
})
