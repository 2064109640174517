import { scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type ErrorOf,
  expectAnswer,
  expectErrors,
  forbidden,
  invalid,
  missing,
  nonCompliant,
} from '../../support/answers.ts'
import { type Answer, type Caller, useApi, users } from '../../support/api.ts'
import { at, documentOf, sparse, userResource } from '../../support/row-documents.ts'

const api = useApi()
const byEmail = (email: string) => api.db.user.findUniqueOrThrow({ where: { email } })
const password = 'twelve chars'
const person = (email: string) => ({ name: 'Somebody', email, password, passwordConfirmation: password })
const send = (caller: Caller, attributes: object, query = ''): Promise<Answer> =>
  caller.post(`/users${query}`, { body: { data: { type: 'users', attributes } } })

/** `scrypt$N$r$p$salt$hash`, as in the seed. */
function verifies(text: string, stored: string): boolean {
  const [name, N, r, p, salt = '', hash = ''] = stored.split('$')
  const wanted = Buffer.from(hash, 'base64url')
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: 256 * 1024 * 1024 }
  expect(name).toBe('scrypt')
  expect(wanted.length).toBeGreaterThanOrEqual(32)
  return scryptSync(text, Buffer.from(salt, 'base64url'), wanted.length, options).equals(wanted)
}

async function expectRefused(work: () => Promise<Answer>, ...errors: readonly ErrorOf[]) {
  const before = await api.db.user.count()
  expectErrors(await work(), ...errors)
  expect(await api.db.user.count()).toBe(before)
}

describe('POST /users', () => {
  test('an administrator adds a member', async () => {
    const answer = await send(api.as(users.admin), person('member@new.example'))
    const row = await byEmail('member@new.example')
    expect(row).toMatchObject({ name: 'Somebody', role: 'MEMBER' })
    expectAnswer(answer, 201, documentOf(at(`/users/${row.id}`), userResource(row)))
    expect(answer.headers.get('Location')).toBe(at(`/users/${row.id}`))
  })

  test('the password is stored as a scrypt hash with a salt of its own, and shown nowhere', async () => {
    const answers = [
      await send(api.as(users.admin), person('first@new.example')),
      await send(api.as(users.admin), person('second@new.example')),
    ]
    const [first, second] = [await byEmail('first@new.example'), await byEmail('second@new.example')]
    for (const { passwordHash } of [first, second]) {
      expect(passwordHash).not.toContain(password)
      expect(verifies(password, passwordHash)).toBe(true)
      expect(verifies(`${password}x`, passwordHash)).toBe(false)
    }
    expect(first.passwordHash).not.toBe(second.passwordHash)
    for (const answer of answers) expect(JSON.stringify(answer.body)).not.toMatch(/password|scrypt/i)
    expect(JSON.stringify(api.logs)).not.toContain(password)
  })

  test.each(['MEMBER', 'EDITOR', 'ADMIN'] as const)('an administrator gives the role %s', async (role) => {
    const email = `${role.toLowerCase()}@roles.example`
    const answer = await send(api.as(users.admin), { ...person(email), role })
    expect((await byEmail(email)).role).toBe(role)
    expect(answer.body.data.attributes.role).toBe(role)
  })

  test('fields shape the answer', async () => {
    const answer = await send(api.as(users.admin), person('shaped@new.example'), '?fields[users]=name')
    const { id } = await byEmail('shaped@new.example')
    const document = documentOf(
      at(`/users/${id}`, { 'fields[users]': 'name' }),
      sparse('users', id, { name: 'Somebody' }),
    )
    expectAnswer(answer, 201, document)
  })
})

describe('POST /users that is refused', () => {
  test.each([
    ['a guest', null],
    ['a member', users.member3],
    ['an editor', users.editor],
  ])('%s may not', async (_, userId) => {
    const caller = userId === null ? api.guest : api.as(userId)
    await expectRefused(() => send(caller, person('theirs@new.example')), forbidden())
  })

  test('name, email and password are required', async () => {
    await expectRefused(() => send(api.as(users.admin), {}), missing('name'), missing('email'), missing('password'))
  })

  test.each([
    ['name', '', 'required', 'The name field is required.'],
    ['name', 5, 'string', 'The name field must be a string.'],
    ['email', null, 'required', 'The email field is required.'],
    ['email', 'nobody', 'email', 'The email field must be a valid email address.'],
    ['email', 'admin@example.com', 'unique', 'The email has already been taken.'],
    ['role', 'OWNER', 'enumOf', 'The role field must be one of MEMBER, EDITOR, ADMIN.'],
    ['passwordConfirmation', `${password}x`, 'same', 'The password confirmation field must match password.'],
  ])('%s: %j', async (name, value, code, detail) => {
    const attributes = { ...person('refused@new.example'), [name]: value }
    await expectRefused(() => send(api.as(users.admin), attributes), invalid(code, detail, `/data/attributes/${name}`))
  })

  test.each([
    ['eleven characters', 'eleven char', 'min', 'The password field must be at least 12 characters.'],
    ['none', '', 'required', 'The password field is required.'],
  ])('a password of %s', async (_, short, code, detail) => {
    const attributes = { ...person('short@new.example'), password: short, passwordConfirmation: short }
    await expectRefused(() => send(api.as(users.admin), attributes), invalid(code, detail, '/data/attributes/password'))
  })

  test('a password that is not confirmed', async () => {
    const { passwordConfirmation: _, ...attributes } = person('unconfirmed@new.example')
    await expectRefused(() => send(api.as(users.admin), attributes), {
      ...missing('passwordConfirmation'),
      code: 'requiredWith',
      detail: 'The password confirmation field is required when password is present.',
    })
  })

  test('a hash cannot be sent', async () => {
    const attributes = { ...person('hash@new.example'), passwordHash: 'scrypt$' }
    const error = nonCompliant('The field passwordHash is not a supported attribute.', '/data/attributes/passwordHash')
    await expectRefused(() => send(api.as(users.admin), attributes), error)
  })
})
