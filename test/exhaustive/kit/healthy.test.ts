import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { conformance, fuzz, leaks } from '@prismapi/testing/kit'
import { PagePagination, type Schema } from 'prismapi'
import type { ServerParts } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import V1 from '../../../src/app/v1/server.ts'
import { origin } from '../../support/api.ts'
import { fillWorld, forgetHidden, hiddenWhere } from '../../support/hidden-world.ts'
import { HidingServer } from '../../support/hiding-servers.ts'
import { callers, useTested } from '../../support/kit.ts'
import { makers } from '../../support/makers.ts'
import { isNight } from '../../support/night.ts'
import { exampleWith } from '../../support/servers.ts'

// The kit finds nothing wrong with the example. What it would find is shown in `sabotaged.test.ts`.

const few = { guest: callers.guest ?? {}, admin: callers.admin ?? {} }
const patience = 60_000
// FC_SEED=<seed> asks again what failed.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: Date.now() % 2 ** 31, from: 0 })
const hiding = await exampleWith(HidingServer)
const example = await exampleWith(V1)
const counting = {
  ...example,
  servers: example.servers.map((each) => ({ ...each, schemas: withBoundedTotals(each.schemas) })),
}

function withBoundedTotals(schemas: ServerParts['schemas']): ServerParts['schemas'] {
  class Counted extends (schemas.get('Post') as typeof Schema<'Post'>) {
    // The kit reads one page of that size, and does not know what is behind it.
    override maxPageSize = 10

    override pagination() {
      return new PagePagination().withBoundedTotal(20)
    }
  }
  return new Map([...schemas, ['Post', Counted as SchemaClass]])
}

describe('the example', () => {
  const { tested } = useTested({ callers: few })
  const checks = conformance({ ...tested, baseUrl: origin }, { writes: { as: 'admin', make: makers() } })

  test('has a check for each of two servers, six types and two callers, and for what goes with them', () => {
    expect(checks.length).toBe(2 * (1 + 2 * (1 + 6) + 5))
  })

  for (const check of checks) test(check.name, check.run, patience)
})

describe('the example, where no more than twenty rows are counted', () => {
  const { tested } = useTested({ parts: counting, callers: few })
  const checks = conformance({ ...tested, baseUrl: origin }).filter(({ name }) => name.includes('posts'))
  test('has a check of posts for each caller', () => expect(checks).toHaveLength(2))
  for (const check of checks) test(check.name, check.run, patience)
})

describe('the example, asked anything', () => {
  const { tested } = useTested({ callers: few })
  const checks = fuzz(tested, { seed, writes: true, runs: 5, keep: ['users/1', 'users/3'] })
  for (const check of checks) test(check.name, check.run, patience)
})

describe('the example with hidden rows of every model', () => {
  const full = useTested({ parts: hiding, callers: few, prepare: fillWorld })
  const pruned = useTested({
    parts: hiding,
    callers: few,
    async prepare(db) {
      await fillWorld(db)
      await forgetHidden(db)
    },
  })
  const options = { client: full.client, hidden: hiddenWhere, sample: isNight ? 150 : 50 }
  describe.each([
    ['alone', options],
    ['beside the same without the rows', { ...options, without: pruned.tested.app }],
  ])('%s', (_, own) => {
    for (const check of leaks(full.tested, own)) test(check.name, check.run, patience)
  })
})
