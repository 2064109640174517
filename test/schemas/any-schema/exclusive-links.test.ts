import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { Schema } from 'prismapi'
import { beforeAll, expect, test } from 'vitest'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// A link one of whose ends is unique: what it links belongs to one resource, as in a one-to-many.

class MemberSchema extends Schema {
  override fields() {
    return [this.relation('complaints' as never).countable()]
  }
}

const api = useFixture('joins', { schemas: { Member: MemberSchema as unknown as SchemaClass } })
const ids: Record<'ann' | 'bob' | 'spam' | 'noise' | 'idle', string> = {
  ann: '',
  bob: '',
  spam: '',
  noise: '',
  idle: '',
}

beforeAll(async () => {
  for (const reason of ['spam', 'noise', 'idle'] as const) ids[reason] = await api.create('complaints', { reason })
  ids.ann = await api.create('members', { name: 'ann' }, { complaints: to('complaints', ids.spam, ids.noise) })
  ids.bob = await api.create('members', { name: 'bob' })
})

const shownIds = async (url: string): Promise<readonly string[]> => {
  const { status, body } = await api.ask('GET', url)
  return status === 200 ? body.data.map(({ id }: { id: string }) => id) : [`${status}`]
}

test('its resources are read at both URLs, included, filtered, sorted and counted', async () => {
  const { ann, bob, spam, noise } = ids
  const { body } = await api.ask(
    'GET',
    `/members/${ann}?include=complaints&withCount=complaints&fields[complaints]=reason`,
  )
  const { meta, data } = body.data.relationships.complaints
  expect({
    related: await shownIds(`/members/${ann}/complaints`),
    linkage: await shownIds(`/members/${ann}/relationships/complaints`),
    none: await shownIds(`/members/${bob}/complaints`),
    included: [meta, data, body.included.map(({ attributes }: { attributes: object }) => attributes)],
    filtered: await shownIds(`/members/${ann}/complaints?filter[reason]=noise`),
    sorted: await shownIds(`/members/${ann}/complaints?sort=-reason`),
    page: await shownIds(`/members/${ann}/complaints?page[number]=2&page[size]=1`),
    some: await shownIds('/members?filter[complaints.reason]=spam'),
    every: await shownIds('/members?filter[complaints.every.reason]=spam'),
    exists: await shownIds('/members?filter[complaints][exists]=false'),
    back: await shownIds(`/complaints?filter[reportedMember.member.name]=ann&sort=reason`),
  }).toEqual({
    related: [spam, noise],
    linkage: [spam, noise],
    none: [],
    included: [
      { count: 2 },
      [spam, noise].map((id) => ({ type: 'complaints', id, meta: { note: null } })),
      [{ reason: 'spam' }, { reason: 'noise' }],
    ],
    filtered: [noise],
    sorted: [spam, noise],
    page: [noise],
    some: [ann],
    every: [bob],
    exists: [bob],
    back: [noise, spam],
  })
})

test('what belongs to one member is not taken away by another', async () => {
  const { ann, bob, spam, noise, idle } = ids
  const url = `/members/${bob}/relationships/complaints`
  const taken = await api.ask('POST', url, to('complaints', idle, spam))
  const moved = await api.ask('PATCH', `/members/${ann}/relationships/complaints`, to('complaints', noise))
  const added = await api.ask('POST', url, to('complaints', idle, spam))
  expect([taken.status, moved.status, added.status, await shownIds(url)]).toEqual([409, 200, 204, [spam, idle]])
  const { body } = await api.ask('GET', `/complaints/${spam}/relationships/reportedMember`)
  expect(body.data).toEqual(toOne('member-complaints', `${spam}_${bob}`).data)
})
