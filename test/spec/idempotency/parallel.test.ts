import { beforeEach, describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import {
  atomic,
  Counting,
  CountingOperations,
  counting,
  done,
  fresh,
  postKeyed,
  replayed,
  shownOf,
  tagNamed,
} from '../../support/idempotency.ts'
import { type TextAnswer, useServers } from '../../support/servers.ts'

const api = useServers(() => counting(Counting, CountingOperations))

beforeEach(() => {
  done.length = 0
})

const times = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, n) => make(n))

/** All answers are one and the same, or say that it is being carried out. */
function expectOne(answers: readonly TextAnswer[], status: number) {
  const firsts = answers.filter((answer) => answer.status !== 409 && replayed(answer) === null)
  expect(firsts.map((answer) => answer.status)).toEqual([status])
  for (const answer of answers.filter((each) => each.status !== 409))
    expect(shownOf(answer)).toEqual(shownOf(firsts[0] as TextAnswer))
  for (const answer of answers.filter((each) => each.status === 409)) {
    expect(answer.headers.get('Retry-After')).toBe('1')
    expect(answer.body.errors).toEqual([
      {
        status: '409',
        title: 'Conflict',
        detail: 'A request with this Idempotency-Key is still being carried out.',
      },
    ])
  }
}

describe('fifty repeats at one time have one effect', () => {
  test('a POST', async () => {
    const name = fresh('keyed-tag')
    const sent = { key: fresh(), body: tagNamed(name) }
    const answers = await Promise.all(times(50, () => postKeyed(api.as(users.admin), sent)))
    expectOne(answers, 201)
    const late = await postKeyed(api.as(users.admin), sent)
    expect([late.status, replayed(late)]).toEqual([201, 'true'])
    expect(done).toEqual([`created ${name}`, `committed ${name}`])
  })

  test('a POST of what has no unique that would keep it from doubling', async () => {
    const post = await api.db.post.findFirstOrThrow()
    const content = fresh('keyed-comment')
    const commentable = { data: { type: 'posts', id: String(post.id) } }
    const body = { data: { type: 'comments', attributes: { content }, relationships: { commentable } } }
    const sent = { key: fresh(), body, url: '/api/v1/comments' }
    const answers = await Promise.all(times(50, () => postKeyed(api.as(users.admin), sent)))
    expectOne(answers, 201)
    expect(await api.db.comment.count({ where: { content } })).toBe(1)
  })

  test('atomic operations', async () => {
    const names = [fresh('keyed-tag'), fresh('keyed-tag')]
    const body = { 'atomic:operations': names.map((name) => ({ op: 'add', data: tagNamed(name).data })) }
    const sent = { key: fresh(), body, url: '/api/v2/operations', headers: { 'Content-Type': atomic } }
    const answers = await Promise.all(times(50, () => postKeyed(api.as(users.admin), sent)))
    expectOne(answers, 200)
    expect(done.filter((each) => each.startsWith('committed'))).toEqual(names.map((name) => `committed ${name}`))
  })
})

test('fifty requests with keys of their own do not keep each other up', async () => {
  const names = times(50, () => fresh('keyed-tag'))
  const answers = await Promise.all(
    names.map((name) => postKeyed(api.as(users.admin), { key: fresh(), body: tagNamed(name) })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await api.db.tag.count({ where: { name: { in: [...names] } } })).toBe(50)
})
