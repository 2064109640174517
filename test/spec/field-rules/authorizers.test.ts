import {
  type AuthorizationRequest,
  allow,
  Policy,
  PolicyAuthorizer,
  ResourceRequest,
  type Rules,
  string,
} from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { expectErrors } from '../../support/answers.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Whoever decides about a row without asking the policy does not decide about its fields: the policy's rules hold beside.

class TagPolicy extends Policy<'Tag'> {
  override abilities({ can, cannot }: Rules<'Tag'>) {
    can('viewAny')
    cannot(['view', 'update'], ['name', 'posts'])
  }
}

class Generous extends PolicyAuthorizer<'Tag'> {
  override view(_request: AuthorizationRequest) {
    return allow()
  }
  override update(_request: AuthorizationRequest) {
    return allow()
  }
}

class Certain extends ResourceRequest<'Tag'> {
  override authorize() {
    return true
  }
  override rules() {
    return { name: string() }
  }
}

const api = useServers(async () => {
  const { policies, servers } = await exampleWith(V1)
  const [own] = servers
  if (!own) throw new Error('The example has no first server.')
  const beside = { ...own, authorizers: new Map([['Tag', Generous]]) as never }
  class Other extends V1 {
    override readonly name = 'certain' as never
  }
  const request = { request: Certain, query: null, collectionQuery: null } as never
  return {
    policies: new Map([...policies, ['Tag', TagPolicy]] as never) as typeof policies,
    servers: [beside, { ...own, server: Other, requests: new Map([...own.requests, ['Tag', request]]) }],
  }
})

describe.each([
  ['an authorizer', 'v1'],
  ['a request class', 'certain'],
])('where %s allows all', (_, server) => {
  const url = `/api/${server}/tags/1`

  test('a field that rules hide is not seen, and not written', async () => {
    const rename = { body: { data: { type: 'tags', id: '1', attributes: { name: 'Renamed' } } } }
    expectErrors(await api.as(1)('PATCH', url, rename), {
      ...{ status: '403', title: 'Forbidden', detail: 'You may not change the field name.' },
      source: { pointer: '/data/attributes/name' },
    })
    const { status, body } = await api.as(1)('GET', url)
    expect([status, body.data?.attributes, Object.keys(body.data?.relationships)]).toEqual([200, undefined, ['videos']])
  })
})
