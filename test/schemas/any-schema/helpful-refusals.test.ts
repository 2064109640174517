import { expect, test } from 'vitest'
import { toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// Refusals that say what would be right.

const api = useFixture('joins')

test('a column that the database wants filled is named, also where the Prisma schema does not know of it', async () => {
  await api.execute(`
    DROP TABLE "MemberComplaint";
    CREATE TABLE "MemberComplaint" (
      "memberId" INTEGER NOT NULL, "complaintId" INTEGER NOT NULL UNIQUE, "note" TEXT NOT NULL,
      PRIMARY KEY ("complaintId", "memberId")
    )`)
  const member = toOne('members', await api.create('members', { name: 'ann' }))
  const complaint = toOne('complaints', await api.create('complaints', { reason: 'noise' }))
  const { status, body } = await api.ask('POST', '/member-complaints', {
    data: { type: 'member-complaints', relationships: { member, complaint } },
  })
  expect([status, body.errors]).toEqual([
    422,
    [
      {
        status: '422',
        code: 'required',
        title: 'Unprocessable Entity',
        detail: 'The note field is required.',
        source: { pointer: '/data' },
        meta: { field: 'note' },
      },
    ],
  ])
})

test('a number with too many digits is told how many there may be', async () => {
  const post = toOne('posts', await api.create('posts', { title: 'one' }))
  const reviewer = toOne('users', await api.create('users', { name: 'u' }))
  const { status, body } = await api.ask('POST', '/reviews', {
    data: {
      type: 'reviews',
      attributes: { stars: 5, price: '1234567890.12345678' },
      relationships: { post, reviewer },
    },
  })
  expect([status, body.errors[0].detail, body.errors[0].source]).toEqual([
    422,
    'The price field must not have more than 15 digits.',
    { pointer: '/data/attributes/price' },
  ])
})
