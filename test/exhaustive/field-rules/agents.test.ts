import { filterUrls, readingUrls } from '@prismapi/testing/internal/kit/leaks/questions'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import V2 from '../../../src/app/v2/server.ts'
import { frontOfAgents } from '../../support/agents/front.ts'
import { hidingCallers } from '../../support/field-rules/hidden-cells.ts'
import { Twins } from '../../support/field-rules/twins.ts'
import { randomUrls } from '../../support/readers/random-urls.ts'

// Tools of agents tell two databases apart by nothing that their caller may not see.

const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: 60, from: 0 })

describe.each(Object.entries(hidingCallers))('tools tell %s nothing', (_, caller) => {
  const front = frontOfAgents('/api/v2')
  let twins: Twins
  beforeAll(async () => {
    twins = await Twins.open(V2, caller, { front })
  })
  afterEach(() => {
    twins.differing.length = 0
  })
  afterAll(async () => {
    await twins.close()
    expect(front.asked).toBeGreaterThan(100)
  })

  test.each([
    ['what can be asked of every type', () => readingUrls(twins.world).filter((_, i) => i % 20 === 0)],
    ['filters', () => filterUrls(twins.world, [1, 0.1, 0.01])],
    ['any mixture of parameters', () => randomUrls(twins.world, 60, seed)],
  ])(
    'by %s',
    async (_, urls) => {
      for (const url of urls()) await twins.read(url)
      expect(twins.differing).toEqual([])
    },
    600_000,
  )
})
