import { expect, test } from 'vitest'
import { sessionsOf } from '../../src/guard/guard.ts'

const told = (user: unknown) => JSON.parse(sessionsOf({ name: 'v1', features: new Map() } as never)(user).caller)

class Account {
  readonly #id = 3
  readonly plan: string = 'free'
  get id() {
    return this.#id
  }
  get createdAt() {
    return new Date(0)
  }
  get tenant() {
    return { id: 1 }
  }
  greet() {
    return 'Hello'
  }
}
class Admin extends Account {
  get role() {
    return 'ADMIN'
  }
  override readonly plan = 'paid'
}

test('the database is told the scalars of a user, those behind getters of its classes, too', () => {
  expect(told(new Admin())).toEqual({
    server: 'v1',
    user: { id: 3, plan: 'paid', createdAt: '1970-01-01T00:00:00.000Z', role: 'ADMIN' },
  })
  expect(told({ id: 2n, name: undefined, tags: ['a'] })).toEqual({ server: 'v1', user: { id: '2', name: null } })
  expect(told(Object.assign(Object.create(null), { id: 1 }))).toEqual({ server: 'v1', user: { id: 1 } })
  expect(told(null)).toEqual({ server: 'v1', user: null })
})
