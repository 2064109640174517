import { randomFrom } from '@prismapi/testing/internal/kit/random'
import { vi } from 'vitest'
import { randomWrites } from '../field-rules/random-writes.ts'
import { formIn } from '../pages.ts'
import { RandomReads } from './random-reads.ts'
import { isTaken } from './rows.ts'
import type { Twins } from './twins.ts'

const languages = ['de', 'fr', 'en'] as const
const start = Date.UTC(2100, 0, 1)
/** What is unique is always new: that a hidden row has it is told to who sends it. */
const unique = new Set(['docs.slug', 'tags.name'])

/** So many reads, writes, pages and forms, the same ones for the same seed, until one is answered otherwise. Both twins have one clock. */
export async function askMixture(twins: Twins, seed: number, count: number): Promise<void> {
  // Far apart for seeds that are near.
  const drawn = Math.imul(seed, 2_654_435_761) >>> 0
  const random = randomFrom(drawn)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const asksForHidden = twins.means === 'scopes'
  const reads = new RandomReads(twins.world, drawn, asksForHidden)
  const nextWrite = randomWrites(twins.world, drawn, unique, asksForHidden)

  async function write(): Promise<void> {
    const { method, path, send, namesVersion } = nextWrite()
    if (isTaken(path + JSON.stringify(send.body))) return
    const own = path.replace(/\/relationships\/.*|\?.*/, '')
    const tag = namesVersion ? (await twins.ask({ method: 'GET', path: own }))[0].headers.get('etag') : null
    const headers = { ...reads.headers(), ...send.headers, ...(tag && { 'If-Match': tag }) }
    await twins.ask({ method, path, headers, body: send.body })
  }

  /** Often with a form of the page, in which some fields are changed. */
  async function page(): Promise<void> {
    const [{ text }] = await twins.page(reads.page(), { language: pick(languages) })
    const forms = [...text.matchAll(/<details class="write" id="([^"]+)"/g)].map(([, id]) => String(id))
    if (forms.length === 0 || random() < 0.4) return
    const { action, fields } = formIn(text, pick(forms))
    const changed = Object.entries(fields).map(([name, value]) => [name, random() < 0.2 ? `${value}1` : value])
    if (action !== '') await twins.page(action, { fields: Object.fromEntries(changed), language: pick(languages) })
  }

  for (let i = 0; i < count && twins.differing.length === 0; i++) {
    vi.setSystemTime(start + i * 10)
    const way = random()
    if (way < 0.5) await twins.ask({ method: 'GET', path: reads.path(), headers: reads.headers() })
    else if (way < 0.82) await write()
    else await page()
  }
}
