import { expect, test } from 'vitest'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// Relations by a unique column that is not the id, and may be null.

const api = useFixture('relations')

test('what has no value to be related by has none of the rows that are related to nothing', async () => {
  const user = await api.create('users', { handle: 'without' })
  await api.create('telegrams', {})
  const shown = [
    await api.linkage(`/users/${user}/telegrams`),
    await api.linkage(`/users/${user}/relationships/telegrams`),
    (await api.ask('GET', `/users/${user}?include=telegrams`)).body.included,
  ]
  expect(shown).toEqual([[], [], []])
})

test('what has no value to be related by is not related to anything', async () => {
  const user = await api.create('users', { handle: 'still without' })
  const telegram = await api.create('telegrams', {})
  const [one, many] = [`/telegrams/${telegram}/relationships/to`, `/users/${user}/relationships/telegrams`]
  const answers = [
    await api.ask('PATCH', one, toOne('users', user)),
    await api.ask('POST', many, to('telegrams', telegram)),
    await api.ask('PATCH', many, to('telegrams', telegram)),
  ]
  expect(answers.map(({ status, body }) => [status, body.errors[0].detail])).toEqual([
    [409, 'The related resource lacks the value by which it is related.'],
    [409, 'The resource lacks the value by which its telegrams are related to it.'],
    [409, 'The resource lacks the value by which its telegrams are related to it.'],
  ])
  expect((await api.ask('PATCH', many, to('telegrams'))).status).toBe(200)
})

test('what has one is', async () => {
  const user = await api.create('users', { handle: 'with', email: 'a@example.com' })
  const telegram = await api.create('telegrams', {}, { to: toOne('users', user) })
  expect(await api.linkage(`/users/${user}/relationships/telegrams`)).toEqual(to('telegrams', telegram).data)
})
