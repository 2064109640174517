import type { RowOf } from '@prismapi/jsonapi/model/register'
import { expect, test } from 'vitest'
import { authorize } from '../../src/auth/authorize.ts'
import { type AuthorizationRequest, PolicyAuthorizer } from '../../src/auth/authorizer.ts'
import { deny } from '../../src/auth/decision.ts'
import { contextOf, post, posts } from './fixture.ts'

// The example of docs/authorization.md, *Single fields*.
class PostAuthorizer extends PolicyAuthorizer<'Post'> {
  override update(request: AuthorizationRequest, row: RowOf<'Post'>) {
    const isSent = sentAttributes(request.document).includes('slug')
    if (isSent && request.user?.role !== 'ADMIN') return deny('Only an administrator may change a slug.')
    return super.update(request, row)
  }
}

function sentAttributes(document: unknown): string[] {
  const { data } = (document ?? {}) as { data?: { attributes?: object } }
  return Object.keys(data?.attributes ?? {})
}

const policies = { Post: { abilities: () => {}, update: () => true } }
const update = (role: string, body: unknown) => {
  const served = { authorizers: new Map([['posts', PostAuthorizer]]) }
  const ctx = contextOf({ policies, user: { role }, body, served })
  return authorize(ctx, { kind: 'update', schema: posts, id: '1' }, { request: null, row: post, value: null })
}
const sending = (attributes: unknown) => ({ data: { type: 'posts', id: '1', attributes } })

test('a field is refused to those who may not change it', async () => {
  await expect(update('MEMBER', sending({ slug: 'x' }))).rejects.toMatchObject({
    status: 403,
    errors: [{ status: '403', title: 'Forbidden', detail: 'Only an administrator may change a slug.' }],
  })
  await expect(update('ADMIN', sending({ slug: 'x' }))).resolves.toBe(undefined)
})

test.each([
  [undefined],
  [null],
  [{}],
  [{ data: null }],
  [{ data: 'slug' }],
  [sending('slug')],
  [sending(null)],
  [sending({ title: 'x' })],
])('%o does not touch it, so the policy decides', async (body) => {
  await expect(update('MEMBER', body)).resolves.toBe(undefined)
})
