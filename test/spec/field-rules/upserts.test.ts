import { Policy, type Rules, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { nonCompliant } from '../../support/answers.ts'
import { atomic } from '../../support/operations.ts'
import { exampleWith, useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

// An upsert asks whether a row has a value. By a field that its caller does not see of every row, it would be told.

/** Anybody may sign up; addresses are between a user and administrators. */
class UserPolicy extends Policy<'User'> {
  override abilities({ can, cannot }: Rules<'User'>, user: User | null) {
    can([this.reads, 'create'])
    if (user) can('update', { id: user.id })
    if (user?.role === 'ADMIN') return can('update')
    cannot('view', 'email')
    if (user) can('view', 'email', { id: user.id })
  }
}

/** Editors see names of some tags, others of none. */
class TagPolicy extends Policy<'Tag'> {
  override abilities({ can, cannot }: Rules<'Tag'>, user: User | null) {
    can([this.reads, 'create', 'update'])
    if (user?.role === 'MEMBER') cannot('view', 'name')
    if (user?.role === 'EDITOR') cannot('view', 'name', { id: { gt: 3 } })
  }
}

const api = useServers(async () => {
  const { policies, servers } = await exampleWith(V2)
  return { servers, policies: new Map([...policies, ['User', UserPolicy], ['Tag', TagPolicy]] as const) as never }
})

const profile = 'urn:prismapi:profile:upsert'
const media = `${atomic};profile="${profile}"`
const jsonapi = { version: '1.1', ext: ['https://jsonapi.org/ext/atomic'], profile: [profile] }
const upsert = (as: number | null, type: string, attributes: object, by: string) =>
  api.as(as)('POST', '/api/v2/operations', {
    headers: { Accept: media, 'Content-Type': media },
    body: { 'atomic:operations': [{ op: 'update', data: { type, attributes }, meta: { upsert: { by: [by] } } }] },
  })
const unknownKey = (type: string, name: string) =>
  nonCompliant(`No unique key of ${type} consists of ${name}.`, '/atomic:operations/0/meta/upsert/by')
const password = { password: 'correct horse battery', passwordConfirmation: 'correct horse battery' }

describe.each([
  ['a guest', null],
  ['a member', 3],
])('by a key that is hidden of some rows, %s', (_, as) => {
  test('gets the same answer whether such a row is there or not, and nothing is written', async () => {
    const own = (await api.db.user.findUniqueOrThrow({ where: { id: 3 } })).email
    const other = (await api.db.user.findUniqueOrThrow({ where: { id: 4 } })).email
    const before = await snapshot(api.db)
    for (const email of [own, other, 'nobody@example.org', 'no address', '']) {
      const answer = await upsert(as, 'users', { email, name: 'Somebody', ...password }, 'email')
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 400,
        body: { jsonapi, errors: [unknownKey('users', 'email')] },
      })
    }
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('is answered as by a field that is no key', async () => {
    const hidden = await upsert(as, 'users', { email: 'x@example.org', name: 'X', ...password }, 'email')
    const unknown = await upsert(as, 'users', { email: 'x@example.org', name: 'X', ...password }, 'name')
    expect(hidden.text.replaceAll('email', 'name')).toBe(unknown.text)
  })
})

test.each([
  ['of every row', 3],
  ['of some rows', 2],
])('by a key that is hidden %s, nobody learns which rows are there', async (_, as) => {
  const names = (await api.db.tag.findMany({ orderBy: { id: 'asc' } })).map(({ name }) => name)
  const answers = await Promise.all([...names, 'of-no-tag'].map((name) => upsert(as, 'tags', { name }, 'name')))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers[0]?.body.errors).toEqual([unknownKey('tags', 'name')])
  expect(await api.db.tag.count()).toBe(names.length)
})

test('who sees it of every row may', async () => {
  const { id, email } = await api.db.user.findUniqueOrThrow({ where: { id: 5 } })
  const answer = await upsert(1, 'users', { email, name: 'Found' }, 'email')
  expect(answer.body['atomic:results'][0].data).toMatchObject({ id: `${id}`, attributes: { name: 'Found' } })
  const [tag] = await api.db.tag.findMany({ orderBy: { id: 'asc' } })
  expect((await upsert(1, 'tags', { name: tag?.name }, 'name')).body['atomic:results'][0].data.id).toBe(`${tag?.id}`)
})
