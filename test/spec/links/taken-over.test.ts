import type { Serving } from 'prismapi'
import { beforeEach, describe, expect, test } from 'vitest'
import type { FixtureProvider } from '../../support/any-schema/fixtures.ts'
import { toOne, useFixture } from '../../support/any-schema/use-fixture.ts'
import { provider as database } from '../../support/database.ts'

// A partner in a one-to-one is taken over from the row that has it, by whatever end.

// No fixture is written for MariaDB.
const provider: FixtureProvider = database === 'postgresql' ? database : 'sqlite'

interface Told {
  readonly row: { readonly id: number; readonly userId: number | null }
  readonly relation?: string
  readonly identifiers?: readonly object[]
}

const heard: { readonly hook: string; readonly id: number; readonly [other: string]: unknown }[] = []
const hidden = 'hidden'
const serving = (phase: Serving) => {
  phase.scope('Folder' as never, { name: { not: hidden } } as never)
  const tell = (hook: string, { row, relation, identifiers }: Told) =>
    void heard.push({ hook, id: row.id, relation, identifiers, userId: row.userId })
  phase.updating('Locker' as never, ((_: object, event: Told) => tell('updating', event)) as never)
  phase.updated('Locker' as never, ((row: Told['row'], event: Told) => tell('updated', { ...event, row })) as never)
}

const api = useFixture('relations', { provider, serving })
beforeEach(() => void heard.splice(0))

const resource = (type: string, relationships: object, more: object = {}) => ({
  data: { type, relationships, ...more },
})
let handles = 0
const addUser = () => api.create('users', { handle: `user ${++handles}` })
const lockerOf = async (user: string) => (await api.ask('GET', `/users/${user}/relationships/locker`)).body.data

describe.each<[string, (locker: string, user: string) => Promise<{ readonly status: number }>]>([
  [
    'PATCH of the user',
    (locker, user) =>
      api.ask('PATCH', `/users/${user}`, resource('users', { locker: toOne('lockers', locker) }, { id: user })),
  ],
  [
    'PATCH of the user’s relationship',
    (locker, user) => api.ask('PATCH', `/users/${user}/relationships/locker`, toOne('lockers', locker)),
  ],
  [
    'PATCH of the locker',
    (locker, user) =>
      api.ask('PATCH', `/lockers/${locker}`, resource('lockers', { user: toOne('users', user) }, { id: locker })),
  ],
  [
    'PATCH of the locker’s relationship',
    (locker, user) => api.ask('PATCH', `/lockers/${locker}/relationships/user`, toOne('users', user)),
  ],
])('%s', (_, link) => {
  test('gives the user another locker, and takes it from who had it; the one that is left is empty', async () => {
    const [ann, ben] = [await addUser(), await addUser()]
    const ofAnn = await api.create('lockers', {}, { user: toOne('users', ann) })
    const ofBen = await api.create('lockers', {}, { user: toOne('users', ben) })
    expect((await link(ofAnn, ben)).status).toBe(200)
    expect([
      await lockerOf(ann),
      await lockerOf(ben),
      await api.linkage(`/lockers/${ofBen}/relationships/user`),
    ]).toEqual([null, toOne('lockers', ofAnn).data, null])
  })

  test('runs the hooks of the row that loses its user', async () => {
    const ben = await addUser()
    const ofBen = await api.create('lockers', {}, { user: toOne('users', ben) })
    const free = await api.create('lockers', {})
    expect((await link(free, ben)).status).toBe(200)
    expect(heard.filter((each) => each.id === Number(ofBen))).toEqual([
      { hook: 'updating', id: Number(ofBen), relation: 'user', identifiers: [], userId: Number(ben) },
      { hook: 'updated', id: Number(ofBen), relation: 'user', identifiers: [], userId: null },
    ])
  })

  test('changes nothing else where they belong together', async () => {
    const ben = await addUser()
    const ofBen = await api.create('lockers', {}, { user: toOne('users', ben) })
    const before = await api.rows('Locker')
    expect([(await link(ofBen, ben)).status, await api.rows('Locker')]).toEqual([200, before])
  })
})

test('a new row takes over, too', async () => {
  const ann = await addUser()
  const old = await api.create('lockers', {}, { user: toOne('users', ann) })
  const locker = await api.create('lockers', {}, { user: toOne('users', ann) })
  expect([await lockerOf(ann), await api.linkage(`/lockers/${old}/relationships/user`)]).toEqual([
    toOne('lockers', locker).data,
    null,
  ])
})

const taken = (relation: string, at: string) => ({
  status: 422,
  errors: [
    {
      status: '422',
      title: 'Unprocessable Entity',
      detail: `The ${relation} has already been taken.`,
      code: 'unique',
      source: { pointer: at },
    },
  ],
})
const told = ({ status, body }: { readonly status: number; readonly body: { readonly errors: object } }) => ({
  status,
  errors: body.errors,
})

test('a row that a scope hides keeps its partner, at either end', async () => {
  const next = await api.create('folders', { name: 'next' })
  const had = await api.create('folders', { name: 'shown' }, { next: toOne('folders', next) })
  await api.execute(`UPDATE "Folder" SET name = '${hidden}' WHERE id = ${had}`)
  const other = await api.create('folders', { name: 'other' })
  const before = await api.rows('Folder')
  const answers = [
    await api.ask('PATCH', `/folders/${other}/relationships/next`, toOne('folders', next)),
    await api.ask('PATCH', `/folders/${next}/relationships/previous`, toOne('folders', other)),
    await api.ask(
      'PATCH',
      `/folders/${next}`,
      resource('folders', { previous: toOne('folders', other) }, { id: next }),
    ),
  ]
  expect(answers.map(told)).toEqual([
    taken('next', '/data'),
    taken('previous', '/data'),
    taken('previous', '/data/relationships/previous'),
  ])
  expect(await api.rows('Folder')).toEqual(before)
})

test('what cannot be without a partner keeps it, at either end', async () => {
  const [ann, ben] = [await addUser(), await addUser()]
  const passport = (number: string, user: string) => api.create('passports', { number }, { user: toOne('users', user) })
  const [ofAnn] = [await passport('a', ann), await passport('b', ben)]
  const before = await api.rows('Passport')
  const user = (id: string, passport: string) => resource('users', { passport: toOne('passports', passport) }, { id })
  const answers = [
    await api.ask('PATCH', `/users/${ben}/relationships/passport`, toOne('passports', ofAnn)),
    await api.ask('PATCH', `/users/${ben}`, user(ben, ofAnn)),
    await api.ask('PATCH', `/passports/${ofAnn}/relationships/user`, toOne('users', ben)),
    await api.ask('PATCH', `/passports/${ofAnn}`, resource('passports', { user: toOne('users', ben) }, { id: ofAnn })),
  ]
  expect(answers.map(told)).toEqual([
    taken('passport', '/data'),
    taken('passport', '/data/relationships/passport'),
    taken('user', '/data'),
    taken('user', '/data/relationships/user'),
  ])
  expect((await api.ask('PATCH', `/users/${ben}/relationships/passport`, toOne('passports', null))).status).toBe(409)
  expect(await api.rows('Passport')).toEqual(before)
})
