import { expect, test } from 'vitest'
import { neededPosition } from '../../src/http/choose-store.ts'

const latest = 2n ** 64n - 1n

test.each([
  ['nothing', {}, 0n],
  ['a header', { 'prismapi-position': '1f' }, 31n],
  ['a cookie', { cookie: 'prismapi-position=1f' }, 31n],
  ['a cookie among others', { cookie: 'a=b; prismapi-position=1f; c=d' }, 31n],
  ["somebody else's cookie", { cookie: 'not-prismapi-position=1f' }, 0n],
  ['both, of which the later one counts', { 'prismapi-position': '1f', cookie: 'prismapi-position=20' }, 32n],
  ['the word', { 'prismapi-position': 'latest' }, latest],
  ['what is no position', { 'prismapi-position': '0x1f' }, latest],
  ['an empty header', { 'prismapi-position': '' }, latest],
  ['too long a number', { 'prismapi-position': '1'.repeat(17) }, latest],
])('%s', (_, headers, position) => {
  expect(neededPosition(headers)).toBe(position)
})
