import { describe, expect, test } from 'vitest'
import {
  constrained,
  type ErrorOf,
  expectAnswer,
  expectErrors,
  expectNothing,
  forbidden,
  invalid,
  missing,
  notFound,
} from '../../support/answers.ts'
import { type Caller, useApi, users } from '../../support/api.ts'
import { at, documentOf, userResource } from '../../support/row-documents.ts'
import { addPost, addUser } from '../../support/rows.ts'

const api = useApi()
const user = (id: number) => api.db.user.findUniqueOrThrow({ where: { id } })
const send = (caller: Caller, id: number, attributes: object) =>
  caller.patch(`/users/${id}`, { body: { data: { type: 'users', id: String(id), attributes } } })
const password = 'another twelve'

/** Refuses a change that a new member asks for about themselves. */
async function expectRefused(attributes: object, ...errors: ErrorOf[]) {
  const before = await addUser(api.db)
  expectErrors(await send(api.as(before.id), before.id, attributes), ...errors)
  expect(await user(before.id)).toEqual(before)
}

/** Refuses a change of a member that an administrator asks for. */
async function expectRefusedToAdmin(attributes: object, ...errors: ErrorOf[]) {
  const before = await addUser(api.db)
  expectErrors(await send(api.as(users.admin), before.id, attributes), ...errors)
  expect(await user(before.id)).toEqual(before)
}

describe('PATCH /users/:id', () => {
  test('everybody changes themselves: what is sent, and no password', async () => {
    const before = await addUser(api.db)
    const answer = await send(api.as(before.id), before.id, { name: 'New' })
    const after = await user(before.id)
    expect(after).toEqual({ ...before, name: 'New', updatedAt: after.updatedAt })
    expectAnswer(answer, 200, documentOf(at(`/users/${before.id}`), userResource(after)))
  })

  test('an administrator changes anybody', async () => {
    const { id } = await addUser(api.db)
    expect((await send(api.as(users.admin), id, { name: 'By an administrator' })).status).toBe(200)
    expect((await user(id)).name).toBe('By an administrator')
  })

  test.each([
    ['a guest', null],
    ['another member', users.member4],
    ['an editor', users.editor],
  ])('%s may not', async (_, userId) => {
    const before = await user(users.member3)
    const caller = userId === null ? api.guest : api.as(userId)
    expectErrors(await send(caller, users.member3, { name: 'Theirs' }), forbidden())
    expect(await user(users.member3)).toEqual(before)
  })

  test('an unknown one is 404, before anybody is asked for permission', async () => {
    expectErrors(await send(api.guest, 4711, { name: 'x' }), notFound)
  })

  test('a name is not empty', async () => {
    await expectRefused({ name: '' }, invalid('required', 'The name field is required.', '/data/attributes/name'))
  })

  test.each([
    ['email', 'nobody', 'email', 'The email field must be a valid email address.'],
    ['email', 'admin@example.com', 'unique', 'The email has already been taken.'],
  ])('%s: %j is refused', async (name, value, code, detail) => {
    await expectRefusedToAdmin({ [name]: value }, invalid(code, detail, `/data/attributes/${name}`))
  })
})

describe('the e-mail address', () => {
  test('is changed by an administrator', async () => {
    const { id, email } = await addUser(api.db)
    const answer = await send(api.as(users.admin), id, { email: `new.${email}` })
    expect(answer.body.data.attributes.email).toBe(`new.${email}`)
    expect((await user(id)).email).toBe(`new.${email}`)
  })

  test('is not changed by its user: 403 before any rule is asked', async () => {
    const refused = {
      ...forbidden('You may not change the field email.'),
      source: { pointer: '/data/attributes/email' },
    }
    for (const email of ['new@example.com', 'nobody', 'admin@example.com'])
      await expectRefused({ name: '', email }, refused)
  })

  test('sent as it is, it is no change', async () => {
    const { id, email } = await addUser(api.db)
    expect((await send(api.as(id), id, { name: 'Same', email })).status).toBe(200)
    expect(await user(id)).toMatchObject({ name: 'Same', email })
  })
})

describe('the role', () => {
  test('is changed by an administrator', async () => {
    const { id } = await addUser(api.db)
    expect((await send(api.as(users.admin), id, { role: 'EDITOR' })).body.data.attributes.role).toBe('EDITOR')
    expect((await user(id)).role).toBe('EDITOR')
  })

  test.each(['ADMIN', 'EDITOR', 'KING'])(
    '%s is ignored from anybody else: what else is sent is written',
    async (role) => {
      const { id } = await addUser(api.db)
      expect((await send(api.as(id), id, { name: 'King', role })).status).toBe(200)
      expect(await user(id)).toMatchObject({ name: 'King', role: 'MEMBER' })
    },
  )
})

describe('the password', () => {
  test('is changed when it is sent and confirmed', async () => {
    const before = await addUser(api.db)
    const answer = await send(api.as(before.id), before.id, { password, passwordConfirmation: password })
    const after = await user(before.id)
    expectAnswer(answer, 200, documentOf(at(`/users/${before.id}`), userResource(after)))
    expect(after.passwordHash).toMatch(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{16,}\$[\w-]{43,}$/)
    expect(after.passwordHash).not.toBe(before.passwordHash)
    expect(JSON.stringify(answer.body)).not.toMatch(/password|scrypt/i)
  })

  test('needs its confirmation', async () => {
    await expectRefused(
      { password },
      {
        ...missing('passwordConfirmation'),
        code: 'requiredWith',
        detail: 'The password confirmation field is required when password is present.',
      },
    )
    const differs = invalid(
      'same',
      'The password confirmation field must match password.',
      '/data/attributes/passwordConfirmation',
    )
    await expectRefused({ password, passwordConfirmation: 'something else' }, differs)
  })

  test('needs twelve characters', async () => {
    const short = invalid('min', 'The password field must be at least 12 characters.', '/data/attributes/password')
    await expectRefused({ password: 'eleven char', passwordConfirmation: 'eleven char' }, short)
  })

  const isNull = (field: string, words: string) =>
    invalid('nullable', `The ${words} field must not be null.`, `/data/attributes/${field}`)
  test.each([
    ['', [invalid('min', 'The password field must be at least 12 characters.', '/data/attributes/password')]],
    [null, [isNull('password', 'password'), isNull('passwordConfirmation', 'password confirmation')]],
  ])('cannot be emptied: %j', async (empty, errors) => {
    const before = await addUser(api.db)
    const answer = await send(api.as(before.id), before.id, { password: empty, passwordConfirmation: empty })
    expectErrors(answer, ...errors)
    expect(await user(before.id)).toEqual(before)
  })
})

describe('DELETE /users/:id', () => {
  test('an administrator removes one who wrote nothing, with the profile', async () => {
    const { id } = await addUser(api.db, { profile: { create: { bio: 'Soon gone.' } } } as object)
    expectNothing(await api.as(users.admin).delete(`/users/${id}`))
    expect(await api.db.user.count({ where: { id } })).toBe(0)
    expect(await api.db.profile.count({ where: { userId: id } })).toBe(0)
    expectErrors(await api.as(users.admin).delete(`/users/${id}`), notFound)
  })

  test.each(['a post', 'a deleted post', 'a comment', 'a video'])('one who has %s stays: 409', async (what) => {
    const before = await addUser(api.db)
    const authorId = before.id
    if (what === 'a post') await addPost(api.db, { authorId })
    if (what === 'a deleted post') await addPost(api.db, { authorId, deletedAt: new Date() })
    if (what === 'a comment') await api.db.comment.create({ data: { content: 'x', authorId, postId: 1 } })
    if (what === 'a video')
      await api.db.video.create({ data: { title: 'x', url: 'https://x.example', ownerId: authorId } })
    expectErrors(await api.as(users.admin).delete(`/users/${authorId}`), constrained)
    expect(await user(authorId)).toEqual(before)
  })

  test.each([
    ['a guest', null],
    ['an editor', users.editor],
    ['the user', 0],
  ])('%s may not', async (_, userId) => {
    const { id } = await addUser(api.db)
    const caller = userId === null ? api.guest : api.as(userId || id)
    expectErrors(await caller.delete(`/users/${id}`), forbidden())
    expect(await api.db.user.count({ where: { id } })).toBe(1)
  })

  test('who is removed is signed out', async () => {
    const { id } = await addUser(api.db)
    const caller = api.as(id)
    expect((await caller.get(`/users/${id}`)).status).toBe(200)
    expectNothing(await api.as(users.admin).delete(`/users/${id}`))
    const answer = await caller.get('/posts')
    expect({ status: answer.status, challenge: answer.headers.get('WWW-Authenticate') }).toEqual({
      status: 401,
      challenge: 'Bearer',
    })
  })
})
