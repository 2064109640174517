import { setTimeout as sleep } from 'node:timers/promises'
import { type App, makeApp, type Place, type Sent, type Usage, usageOf } from './app.ts'

// Requests at a steady rate, for a long time: the process must not grow.

export interface SoakRun {
  readonly seconds: number
  /** What part of the most that the server can do. */
  readonly load: number
}

export interface SoakReport {
  /** Requests per second: the most, what was sent, and how many in all. */
  readonly capacity: number
  readonly rate: number
  readonly requests: number
  readonly failed: number
  /** At equal times, the first after a tenth of the run. */
  readonly usage: readonly Usage[]
  /** What the later half holds more than the earlier one, as a part of it. */
  readonly growth: number
}

const connections = 16
const samples = 10

export async function soak(place: Place, { seconds, load }: SoakRun): Promise<SoakReport> {
  const app = await makeApp(place)
  const requests = await mixOf(app)
  const warmUp = Math.min(10, seconds / 4)
  await flatOut(app, requests, warmUp)
  const capacity = (await flatOut(app, requests, warmUp)) / warmUp
  const rate = capacity * load
  const usage: Usage[] = []
  const sampling = setInterval(() => usage.push(usageOf(app.pid)), (seconds * 1000) / (samples + 1))
  const { sent, failed } = await steadily(app, requests, { seconds, rate })
  clearInterval(sampling)
  await app.end()
  app.close()
  const half = usage.length >> 1
  const growth = mean(usage.slice(half)) / mean(usage.slice(0, half)) - 1
  return { capacity: Math.round(capacity), rate: Math.round(rate), requests: sent, failed, usage, growth }
}

const mean = (usage: readonly Usage[]): number =>
  usage.reduce((sum, { memory }) => sum + memory, 0) / Math.max(1, usage.length)

/** Nine reads and one write, which leaves as many rows as there were. */
async function mixOf(app: App): Promise<(n: number) => Sent> {
  const reads = [
    '/api/v1/posts',
    '/api/v1/posts?include=author,tags&page[size]=10',
    '/api/v1/posts/1',
    '/api/v1/posts/1/comments',
    '/api/v1/posts?filter[title][contains]=a&sort=title',
    '/api/v1/comments?page[limit]=10',
    '/api/v1/tags',
    '/api/v1/videos',
    '/api/v1/posts/1/relationships/tags',
  ]
  const headers = await app.bearer(1)
  return (n) => {
    const path = reads[n % 10]
    if (path) return { path }
    const data = { type: 'tags', id: '2', attributes: { name: `soak ${n}` } }
    return { method: 'PATCH', path: '/api/v1/tags/2', headers, body: JSON.stringify({ data }) }
  }
}

/** How many requests a few connections can have answered in that time. */
async function flatOut(app: App, requestOf: (n: number) => Sent, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  let n = 0
  const ask = async () => {
    while (performance.now() < end) await app.send(requestOf(n++))
  }
  await Promise.all(Array.from({ length: connections }, ask))
  return n
}

async function steadily(
  app: App,
  requestOf: (n: number) => Sent,
  { seconds, rate }: { seconds: number; rate: number },
) {
  const start = performance.now()
  const running = new Set<Promise<void>>()
  const count = { sent: 0, failed: 0 }
  const ask = async (n: number) => {
    const { status } = await app.send(requestOf(n)).catch(() => ({ status: 0 }))
    if (status !== 200) count.failed++
  }
  for (let passed = 0; passed < seconds; passed = (performance.now() - start) / 1000) {
    for (const due = passed * rate; count.sent < due; count.sent++) {
      const asking: Promise<void> = ask(count.sent).finally(() => running.delete(asking))
      running.add(asking)
    }
    await sleep(5)
  }
  await Promise.all(running)
  return count
}
