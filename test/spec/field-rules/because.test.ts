import { Policy, type Rules, type User } from 'prismapi'
import { expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What a rule about a field says by because() is what clients are told.

class TagPolicy extends Policy<'Tag'> {
  override abilities({ can, cannot }: Rules<'Tag'>, _user: User | null) {
    can([this.reads, 'create', 'update'])
    cannot(['create', 'update'], 'name').because('The names of tags are fixed.')
    cannot('update', 'name', { id: 1 }).because('The first tag keeps its name.')
  }
}

const api = useServers(async () => {
  const { policies, servers } = await exampleWith(V1)
  return { policies: new Map([...policies, ['Tag', TagPolicy]] as never) as typeof policies, servers }
})

const detailOf = async (method: string, id: string | null) => {
  const data = { type: 'tags', ...(id && { id }), attributes: { name: 'Renamed' } }
  const { status, body } = await api.as(1)(method, `/api/v1/tags${id ? `/${id}` : ''}`, { body: { data } })
  return [status, body.errors?.map(({ detail }: { detail: string }) => detail)]
}

test('the strongest rule that holds for the row tells why', async () => {
  expect(await detailOf('PATCH', '1')).toEqual([403, ['The first tag keeps its name.']])
  expect(await detailOf('PATCH', '2')).toEqual([403, ['The names of tags are fixed.']])
  expect(await detailOf('POST', null)).toEqual([403, ['The names of tags are fixed.']])
})
