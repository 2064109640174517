import { createApi, Policy, ResourceRequest, type Rules, string, type User } from 'prismapi'
import { expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import V1 from '../../src/app/v1/server.ts'
import { read } from '../support/documentation/pages.ts'
import { exampleWith } from '../support/servers.ts'

// What classes say to users of a role is checked at boot, where the application names a user of each.

const user = <Role extends User['role']>(role: Role) =>
  ({ id: 1, name: 'Somebody', email: 'somebody@example.com', role }) as const
const sampleUsers = { MEMBER: user('MEMBER'), EDITOR: user('EDITOR'), ADMIN: user('ADMIN') }

class MisspeltRequest extends ResourceRequest<'Tag'> {
  override rules() {
    // As JavaScript would have it.
    return this.user?.role === 'EDITOR' ? { nmae: string() } : { name: string() }
  }
}

class MisspeltPolicy extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag'>, user: User | null) {
    if (user?.role === 'ADMIN') can('update', { nmae: 'a' } as never)
  }
}

interface Own {
  readonly request?: typeof MisspeltRequest
  readonly policy?: typeof MisspeltPolicy
  readonly isChecked?: boolean
}

async function start({ request, policy, isChecked = true }: Own) {
  const requests = new Map(request ? [['Tag', { request, query: null, collectionQuery: null }]] : [])
  const parts = await exampleWith(V1, { requests })
  const policies = new Map([...parts.policies, ...(policy ? ([['Tag', policy]] as const) : [])])
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const clients = { reader: {}, writer: {} } as never
  return createApi({
    ...{ resources, clients, logger, ...parts, policies, baseUrl: 'http://a.example' },
    ...(isChecked && { sampleUsers }),
  })
}

const ofRequest = 'MisspeltRequest: there is no field for the rule nmae. Did you mean name? (The rules of EDITOR.)'

test('the rules of a request class, with the role in whose branch the mistake is', async () => {
  await expect(start({ request: MisspeltRequest })).rejects.toThrow(ofRequest)
  expect(read('docs/validation.md')).toContain(ofRequest.replace('MisspeltRequest', 'TagRequest'))
})

test('the rules of a policy', async () => {
  await expect(start({ policy: MisspeltPolicy })).rejects.toThrow(
    /^policies\/tag\.policy\.ts.*nmae.*\(The rules of ADMIN\.\)$/,
  )
})

test('without sample users a guest is all that boot knows', async () => {
  await expect(start({ request: MisspeltRequest, policy: MisspeltPolicy, isChecked: false })).resolves.toBeDefined()
})
