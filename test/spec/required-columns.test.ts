import { ResourceRequest, Server, string } from 'prismapi'
import { test } from 'vitest'
import { expectErrors } from '../support/answers.ts'
import { users } from '../support/api.ts'
import { expectTold } from '../support/documentation/told.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// A required column that clients cannot send, and that no hook fills: the application forgot something, and nobody else can mend it.

class Forgetful extends Server {
  override readonly name = 'v1'
}

class UserRequest extends ResourceRequest<'User'> {
  override rules() {
    return this.checked({ name: string().required(), email: string().required() })
  }
}

const requests = new Map([['User', { request: UserRequest, query: null, collectionQuery: null }]])
const parts = () => exampleWith(Forgetful, { requests })
const development = useServers(async () => ({ ...(await parts()), production: false }))
const production = useServers(parts)

const create = {
  body: { data: { type: 'users', attributes: { name: 'New', email: 'new@example.com' } } },
}
const refused = 'Resources of type users cannot be created.'
const cure =
  'User.passwordHash is required, and clients cannot send it. Fill it in a creating hook, write /// @writeOnly above it, or let a schema class show it.'

test('outside of production the answer says the cure', async () => {
  expectErrors(await development.as(users.admin)('POST', '/api/v1/users', create), {
    status: '403',
    title: 'Forbidden',
    detail: `${refused} ${cure}`,
  })
  expectTold(`${refused} ${cure}`)
})

test('in production it does not', async () => {
  expectErrors(await production.as(users.admin)('POST', '/api/v1/users', create), {
    status: '403',
    title: 'Forbidden',
    detail: refused,
  })
})
