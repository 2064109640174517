import { expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { readUserType } from '../src/model/user-type.ts'

const modelOf = (type: string) =>
  readUserType(new Map([['src/app/auth.ts', `interface Register { user: ${type} }`]]), resources).model

test.each([
  ['{ readonly id: number; readonly name: string }', 'User'],
  ["Readonly<Pick<User, 'id'>>", 'User'],
  ["RowOf<'Profile'>", 'Profile'],
  ['{ readonly id: string }', null],
  ['{ readonly name: string }', null],
])('users of the type %s are rows of %s', (type, model) => {
  expect(modelOf(type)).toBe(model)
})
