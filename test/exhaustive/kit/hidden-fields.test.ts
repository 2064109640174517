import { type ConformanceOptions, conformance, fuzz, type HiddenFields, type Tested } from '@prismapi/testing/kit'
import { Policy, type Rules } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { callers, failureOf, useTested } from '../../support/kit.ts'
import { makers } from '../../support/makers.ts'
import { asking } from '../../support/sabotage.ts'
import { exampleWith } from '../../support/servers.ts'

// An application that hides fields is right: in some rows, or in every row, where its caller does not know of them.

const few = { guest: callers.guest ?? {}, member: callers.member ?? {} }
const checksOf = (tested: Tested, options: ConformanceOptions = {}) => [
  ...conformance(tested, options),
  ...fuzz(tested, { runs: 3, seed: 1 }),
]

const inSome: HiddenFields = {
  User: ['email', 'role', 'posts'],
  Post: ['author', 'title', 'content', 'synopsis', 'tags'],
  Tag: ['posts'],
  Video: ['rating', 'featured'],
}
describe('fields that are hidden in some rows', async () => {
  const parts = await fieldServers(V1)
  const { tested } = useTested({ parts, callers: few })
  for (const check of checksOf({ ...tested, hiddenFields: inSome })) test(check.name, check.run, 60_000)
})

/** What has one is seen by nobody, be it the first attribute or the last relation. */
class VideoPolicy extends Policy<'Video'> {
  override abilities({ can, cannot }: Rules<'Video'>) {
    can([this.reads, this.writes, 'create'])
    cannot('view', ['title', 'rating', 'createdAt', 'owner', 'tags', 'comments'])
  }
}
const inAll: HiddenFields = {
  ...{ User: ['email', 'role'] },
  Video: ['title', 'rating', 'createdAt', 'owner', 'tags', 'comments'],
}
const hiding = async () => {
  const parts = await exampleWith(V1)
  return { ...parts, policies: new Map([...parts.policies, ['Video', VideoPolicy as never]]) }
}
describe('fields that are hidden in every row', async () => {
  const { tested } = useTested({ parts: await hiding(), callers: few })
  const { videos } = makers()
  const options: ConformanceOptions = { writes: { as: 'member', make: { ...(videos && { videos }) } } }
  for (const check of checksOf({ ...tested, hiddenFields: inAll }, options)) test(check.name, check.run, 60_000)
})

describe('fields that are shown, and cannot be sorted by', () => {
  const { tested } = useTested({ callers: few, before: asking(/(?<=sort=-?)title/, 'no-such-field') })
  test('are a fault, whatever may be hidden', async () => {
    const checks = conformance({ ...tested, hiddenFields: inAll })
    expect(await failureOf(checks, 'v1 answers guest as JSON:API says: videos')).toContain(
      'GET /api/v1/videos?sort=title as guest: the status is 400, not 200',
    )
  })
})
