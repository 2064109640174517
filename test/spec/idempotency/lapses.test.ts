import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { Counting, counting, done, fresh, postKeyed, replayed, shownOf, tagNamed } from '../../support/idempotency.ts'
import { useServers } from '../../support/servers.ts'

class Forgetful extends Counting {
  override readonly idempotency = { keptSeconds: 1 }
}

class Patient extends Counting {
  override readonly idempotency = { leaseSeconds: 1 }
}

const example = useServers(() => counting(Counting))
const forgetful = useServers(() => counting(Forgetful))
const patient = useServers(() => counting(Patient))
const crowded = useServers(() => counting(Counting))

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

describe('an answer that is too old', () => {
  const grow = () => example.db.idempotencyKey.updateMany({ data: { expiresAt: ago(1) } })

  test('is not repeated: the request is carried out like a new one', async () => {
    const sent = { key: fresh(), url: '/api/v1/tags/-actions/ping' }
    const first = await postKeyed(example.as(users.admin), sent)
    await grow()
    const second = await postKeyed(example.as(users.admin), sent)
    const third = await postKeyed(example.as(users.admin), sent)
    expect([first.status, second.status, replayed(second)]).toEqual([200, 200, null])
    expect(second.body.meta).not.toEqual(first.body.meta)
    expect(shownOf(third)).toEqual(shownOf(second))
  })

  test('frees its key for another request, too', async () => {
    const key = fresh()
    await postKeyed(example.as(users.admin), { key, body: tagNamed(fresh('keyed-tag')) })
    await grow()
    const other = await postKeyed(example.as(users.admin), { key, body: tagNamed(fresh('keyed-tag')) })
    expect(other.status).toBe(201)
  })

  test('is kept for a day, unless the server says otherwise', async () => {
    const key = fresh()
    await example.db.idempotencyKey.deleteMany()
    await postKeyed(example.as(users.admin), { key, body: tagNamed(fresh('keyed-tag')) })
    const { expiresAt } = await example.db.idempotencyKey.findFirstOrThrow()
    expect(Math.round((expiresAt.getTime() - Date.now()) / 3_600_000)).toBe(24)
  })

  test('is swept away with a later key, and what is younger stays', async () => {
    const post = () => postKeyed(forgetful.as(users.admin), { key: fresh(), body: tagNamed(fresh('keyed-tag')) })
    const ids = async () => (await forgetful.db.idempotencyKey.findMany()).map(({ id }) => id)
    await post()
    const [old] = await ids()
    await post()
    const young = (await ids()).find((id) => id !== old) as string
    await forgetful.db.idempotencyKey.updateMany({ data: { expiresAt: ago(1) }, where: { id: { not: young } } })
    await forgetful.db.idempotencyKey.updateMany({ data: { expiresAt: ago(-3600) }, where: { id: young } })
    // It is done once in a while.
    await pause(1100)
    await post()
    const left = await ids()
    expect(left).toHaveLength(2)
    expect([left.includes(young), left.includes(old as string)]).toEqual([true, false])
  })
})

test('however many answers are too old, later keys sweep them away one after the other', async () => {
  const { db } = crowded
  const old = {
    fingerprint: '',
    owner: '',
    lockedUntil: ago(2),
    expiresAt: ago(1),
    status: 201,
    headers: '{}',
    body: '',
  }
  await db.idempotencyKey.createMany({ data: Array.from({ length: 2500 }, (_, n) => ({ id: `old-${n}`, ...old })) })
  const left: number[] = []
  for (let sent = 1; sent <= 3; sent++) {
    await postKeyed(crowded.as(users.admin), { key: fresh(), body: tagNamed(fresh('keyed-tag')) })
    left.push(await db.idempotencyKey.count({ where: { expiresAt: { lt: new Date() } } }))
  }
  expect(left).toEqual([1500, 500, 0])
})

describe('a request that nobody answered, because its process ended', () => {
  /** As it lies there after a crash: claimed, and not answered. */
  async function crashed(lockedUntil: Date) {
    const sent = { key: fresh(), body: tagNamed(fresh('keyed-tag')) }
    await postKeyed(example.as(users.admin), sent)
    await example.db.tag.delete({ where: { name: sent.body.data.attributes.name } })
    const data = { status: null, headers: null, body: null, lockedUntil }
    await example.db.idempotencyKey.updateMany({ where: { status: { not: null } }, data })
    return sent
  }

  test('is 409 until its lease is over, and carried out then', async () => {
    const sent = await crashed(ago(-30))
    const early = await postKeyed(example.as(users.admin), sent)
    expect([early.status, early.headers.get('Retry-After')]).toEqual([409, '1'])
    await example.db.idempotencyKey.updateMany({ data: { lockedUntil: ago(1) } })
    const late = await postKeyed(example.as(users.admin), sent)
    const again = await postKeyed(example.as(users.admin), sent)
    expect([late.status, replayed(late)]).toEqual([201, null])
    expect(shownOf(again)).toEqual(shownOf(late))
  })

  test('is taken over by one of fifty', async () => {
    const sent = await crashed(ago(1))
    const answers = await Promise.all(Array.from({ length: 50 }, () => postKeyed(example.as(users.admin), sent)))
    const firsts = answers.filter((answer) => answer.status === 201 && replayed(answer) === null)
    expect(firsts).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
  })

  test('keeps its key from another request', async () => {
    const { key } = await crashed(ago(1))
    expect((await postKeyed(example.as(users.admin), { key, body: tagNamed('another') })).status).toBe(422)
  })

  test('or whose process is only slow, is carried out once: by whoever has the key when it is committed', async () => {
    const name = fresh('keyed-tag')
    const sent = { key: fresh(), body: { meta: { name } }, url: '/api/v1/tags/-actions/slow' }
    const slow = postKeyed(patient.as(users.admin), sent)
    await pause(1200)
    const [first, second] = await Promise.all([slow, postKeyed(patient.as(users.admin), sent)])
    // On SQLite nobody writes beside the first, so that it comes to its end.
    const answered = first.status === 409 ? second : first
    expect(answered.status).toBe(200)
    expect(await patient.db.video.count({ where: { title: name } })).toBe(1)
    expect(done.filter((each) => each === `committed ${name}`)).toHaveLength(1)
    expect(shownOf(await postKeyed(patient.as(users.admin), sent))).toEqual(shownOf(answered))
  })
})
