import { filterUrls, readingUrls } from '@prismapi/testing/internal/kit/leaks/questions'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import V2 from '../../../src/app/v2/server.ts'
import { hidingCallers } from '../../support/field-rules/hidden-cells.ts'
import { type Leak, leaks } from '../../support/field-rules/leaks.ts'
import { Twins } from '../../support/field-rules/twins.ts'
import { browserAccept } from '../../support/pages.ts'

// What the walk of twins asks is enough to tell them apart where a server leaks at one door only.

const { 'a member': member } = hidingCallers

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2100, 0, 1) }))
afterEach(() => void vi.useRealTimers())

/** What the walk asks at the door, until an answer differs. */
async function walk(twins: Twins, { door }: Leak): Promise<void> {
  const at = twins.world.server.basePath
  const isDoor = (method: string, url: string, headers = {}) =>
    door({ method, url: at + decodeURIComponent(url), headers })
  const urls = [...readingUrls(twins.world), '/openapi.json', ...filterUrls(twins.world, [2, 0.3, 0.03])]
  for (const url of urls) {
    if (isDoor('GET', url)) await twins.read(url)
    if (twins.differing.length > 0) return
  }
  for (const url of twins.pages()) {
    if (isDoor('GET', url, { accept: browserAccept })) await twins.page(url)
    if (twins.differing.length > 0) return
  }
  if (isDoor('GET', '/posts', { accept: 'text/event-stream' })) await twins.stream('/posts')
  if (twins.differing.length > 0) return
  for (const guess of await twins.guesses()) {
    const { method, path, send } = guess.write
    const headers = Object.fromEntries(
      Object.entries(send.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    )
    if (door({ method, url: at + path, headers, body: JSON.stringify(send.body) })) await twins.guess(guess)
    if (twins.differing.length > 0) return
  }
}

/** All of them at night. */
const share =
  parseNumber('LEAK_WALK', process.env.LEAK_WALK === 'all' ? '10000' : process.env.LEAK_WALK, { otherwise: 1 }) > 99
    ? 1
    : 3

test.each(Object.entries(leaks).filter((_, i) => i % share === 0))('%s is noticed', async (_, leak) => {
  const twins = await Twins.open(V2, member as NonNullable<typeof member>, { leak })
  try {
    await walk(twins, leak)
    expect(twins.differing.length).toBeGreaterThan(0)
    expect(twins.differing[0]).not.toContain('\nfails: ')
  } finally {
    await twins.close()
  }
})
