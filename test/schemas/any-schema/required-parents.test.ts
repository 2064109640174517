import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// Rows whose foreign key cannot be null.

describe('without a word of the application', () => {
  const api = useFixture('relations')

  test('what cannot be without the other is neither detached nor replaced', async () => {
    const [user, other] = [await api.create('users', { handle: 'x' }), await api.create('users', { handle: 'y' })]
    const article = await api.create('articles', { title: 't' }, { author: toOne('users', user) })
    const passport = await api.create('passports', { number: '1' }, { user: toOne('users', user) })
    const second = await api.create('passports', { number: '2' }, { user: toOne('users', other) })
    const detail = (what: string, relation: string) =>
      `The ${what} of the ${relation} relation cannot be without it, so they cannot be detached.`
    const answers = [
      await api.ask('DELETE', `/users/${user}/relationships/written`, to('articles', article)),
      await api.ask('PATCH', `/users/${user}/relationships/written`, to('articles')),
      await api.ask('PATCH', `/users/${user}/relationships/passport`, toOne('passports', null)),
      // The second one belongs to another user, whom a client asks first.
      await api.ask('PATCH', `/users/${user}/relationships/passport`, toOne('passports', second)),
    ]
    expect(answers.map(({ status, body }) => [status, body.errors[0].detail])).toEqual([
      [409, detail('articles', 'written')],
      [409, detail('articles', 'written')],
      [409, detail('passports', 'passport')],
      [422, 'The passport has already been taken.'],
    ])
    expect(await api.linkage(`/passports/${passport}/relationships/user`)).toEqual({ type: 'users', id: user })
  })

  test('what cannot be without the other is moved to another', async () => {
    const [user, other] = [await api.create('users', { handle: 'm' }), await api.create('users', { handle: 'n' })]
    const article = await api.create('articles', { title: 't' }, { author: toOne('users', user) })
    const { status } = await api.ask('POST', `/users/${other}/relationships/written`, to('articles', article))
    expect([status, await api.linkage(`/articles/${article}/relationships/author`)]).toEqual([
      204,
      { type: 'users', id: other },
    ])
  })
})

describe('where the schema class says deleteOnDetach()', () => {
  class UserSchema extends Schema {
    override fields() {
      return [this.relation('written' as never).deleteOnDetach()]
    }
  }
  const api = useFixture('relations', { schemas: { User: UserSchema as unknown as SchemaClass } })

  test('what is detached or replaced is deleted', async () => {
    const user = await api.create('users', { handle: 'x' })
    const author = { author: toOne('users', user) }
    const [a, b, c] = [
      await api.create('articles', { title: 'a' }, author),
      await api.create('articles', { title: 'b' }, author),
      await api.create('articles', { title: 'c' }, author),
    ]
    const url = `/users/${user}/relationships/written`
    const detached = await api.ask('DELETE', url, to('articles', a))
    const replaced = await api.ask('PATCH', url, to('articles', c))
    const left = await Promise.all([a, b, c].map(async (id) => (await api.ask('GET', `/articles/${id}`)).status))
    expect([detached.status, replaced.status, left]).toEqual([204, 200, [404, 404, 200]])
  })
})
