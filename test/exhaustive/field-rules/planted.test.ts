import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { filterUrls, readingUrls } from '../../../src/testing/kit/leaks/questions.ts'
import { hidingCallers } from '../../support/field-rules/hidden-cells.ts'
import { type Leak, leaks } from '../../support/field-rules/leaks.ts'
import { Twins } from '../../support/field-rules/twins.ts'

// What the walk of twins asks is enough to tell them apart where a server leaks at one door only.

const { 'a member': member } = hidingCallers

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2100, 0, 1) }))
afterEach(() => void vi.useRealTimers())

/** Asks what the walk asks at the door, until an answer differs. */
async function walk(twins: Twins, { door }: Leak): Promise<void> {
  const urls = [...readingUrls(twins.world).filter((_, i) => i % 10 === 0), ...filterUrls(twins.world, [2, 0.3, 0.03])]
  for (const url of urls) {
    if (door('GET', decodeURIComponent(url))) await twins.read(url)
    if (twins.differing.length > 0) return
  }
  for (const { write } of await twins.guesses()) {
    if (door(write.method, write.path)) await twins.write(write)
    if (twins.differing.length > 0) return
  }
}

test.each(Object.entries(leaks))('%s is noticed', async (_, leak) => {
  const twins = await Twins.open(V2, member as NonNullable<typeof member>, leak)
  try {
    await walk(twins, leak)
    expect(twins.differing).toHaveLength(1)
    expect(twins.differing[0]).not.toContain('\nfails: ')
  } finally {
    await twins.close()
  }
})
