import { conformance, fuzz, leaks } from '@prismapi/testing/kit'
import { expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { callers, failureOf, useTested } from '../../support/kit.ts'
import { exampleWith } from '../../support/servers.ts'

// What tests nothing is told, before it is taken for a green one.

const { guest = {} } = callers
const typo = { Authorization: 'Bearer typo' }
const { tested, client } = useTested({ parts: await exampleWith(V1), callers: { guest, typo } })
const around = (caller: string) => `v1 answers ${caller} as JSON:API says: media types and methods`

test('a caller whose headers are refused everywhere', async () => {
  expect((await failureOf(conformance(tested), around('typo'))).split('\n  ')).toEqual([
    'Not what JSON:API 1.0 says:',
    'GET /api/v1 as typo: every answer is 401, so that nothing is tested as this caller. Its headers in `callers` may be wrong, or name nobody.',
  ])
})

test('is told from a guest', async () => {
  expect(await failureOf(conformance(tested), around('guest'))).toBe('nothing failed')
})

const each = [
  ['conformance', conformance],
  ['fuzz', fuzz],
  ['leaks', (kit: typeof tested) => leaks(kit, { client: client(), hidden: { Tag: { id: 1 } } })],
] as const

test.each(each)('%s without callers is a mistake of the test', (_, make) => {
  expect(() => make({ ...tested, callers: {} })).toThrow(
    '`callers` is empty, so nothing is tested. Name who asks, or leave it out: { guest: {} }.',
  )
})

test.each(each)('%s without servers is a mistake of the test', (_, make) => {
  expect(() => make({ ...tested, servers: [] })).toThrow(
    '`servers` is empty, so nothing is tested. Pass those that `discover` finds: its `root` may be wrong.',
  )
})
