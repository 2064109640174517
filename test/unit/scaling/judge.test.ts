import { expect, test } from 'vitest'
import { type Answered, noticed, wrongWith } from '../../../scripts/scaling/failover/judge.ts'

const answered = (kind: Answered['kind'], sentAt: number, answeredAt: number, status: number | null, server = 0) => ({
  server,
  kind,
  sentAt,
  answeredAt,
  status,
  hasRetryAfter: status === 503,
})
const failover = { how: 'killed', brokenAt: 1000, promotedAt: 5000, wholeAt: 9000 } as const

test('recovery counts from the promotion until each server has done a write that it was asked for after a refusal', () => {
  const answers = [
    answered('write', 900, 1005, 201),
    answered('write', 1100, 1200, 503),
    answered('write', 1150, 5050, 201),
    answered('write', 5100, 5300, 201),
    answered('write', 1100, 1300, 503, 1),
    answered('write', 5100, 5900, 200, 1),
    answered('write', 9100, 9200, 503, 1),
  ]
  expect(noticed(answers, 2, failover)).toEqual({
    how: 'killed',
    failoverMilliseconds: 4000,
    recoveryMilliseconds: 900,
    refused: 2,
    guestReads: 0,
    guestReadsRefused: 0,
    longestWithoutGuests: 8000,
    slowest: 3900,
  })
})

test('a server that never writes again has not recovered', () => {
  const answers = [answered('write', 1100, 1200, 503), answered('write', 5100, 5200, 412)]
  expect(noticed(answers, 1, failover).recoveryMilliseconds).toBe(Number.POSITIVE_INFINITY)
})

test('one that wrote again before the promotion was seen took no time', () => {
  const answers = [answered('write', 1100, 1200, 503), answered('write', 4900, 4950, 201)]
  expect(noticed(answers, 1, failover).recoveryMilliseconds).toBe(0)
})

test('guests: how many were refused, and the longest time in which a server answered none', () => {
  const answers = [
    ...[1500, 3000, 8000].map((at) => answered('guest', at - 10, at, 200)),
    answered('guest', 2000, 2100, 503),
    ...[2000, 4000, 6000, 8000].map((at) => answered('guest', at - 10, at, 200, 1)),
  ]
  expect(noticed(answers, 2, failover)).toMatchObject({
    guestReads: 8,
    guestReadsRefused: 1,
    longestWithoutGuests: 5000,
  })
})

test('what was acknowledged and is not there is lost; what is there more than once is there twice', () => {
  expect(wrongWith(['a', 'b', 'b', 'unknown'], ['a', 'b', 'c'])).toEqual({ lost: ['c'], twice: ['b'] })
})
