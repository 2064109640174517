import { readFile } from 'node:fs/promises'
import type { CompiledServer } from '../../../src/server/compile.ts'
import { startApp } from '../../../test/support/app-process.ts'
import { type Asked, randomQueries, urlOf } from '../../../test/support/price/random-queries.ts'
import { type Answer, answerOf, type Served, serve } from './served.ts'

const kept = 16
const mostMilliseconds = 1000
const mostMiB = 150

interface Found {
  readonly url: string
  readonly answer: Answer
}

/**
 * Looks for the requests of a guest that take longest among those that the limits allow, over all servers, and asks the worst of
 * them one by one and all at once. Fails where one takes more than a second of CPU, or raises the memory by more than 150 MiB.
 */
export async function worstOf(file: string, queries: number, seed: number): Promise<void> {
  const served = await serve(file, {})
  let all: Found[] = []
  for (const server of served.servers) all = [...all, ...(await worstOfServer(served, server, { queries, seed }))]
  await served.close()
  const worst = all.sort(dearest).slice(0, kept)
  for (const { url, answer } of worst)
    console.log(`${answer.cpu.toFixed(0)} ms, ${answer.points} points: ${decodeURIComponent(url)}`)
  const memory = await together(
    file,
    worst.map(({ url }) => url),
  )
  const slowest = worst[0]?.answer.cpu ?? 0
  if (slowest > mostMilliseconds || memory > mostMiB) process.exitCode = 1
}

const dearest = (a: Pick<Found, 'answer'>, b: Pick<Found, 'answer'>): number => b.answer.cpu - a.answer.cpu

/** A third of the queries are any, the others neighbours of the worst ones so far. */
async function worstOfServer(
  { ask, samplesOf }: Pick<Served, 'ask' | 'samplesOf'>,
  server: CompiledServer,
  { queries, seed }: { readonly queries: number; readonly seed: number },
): Promise<readonly Found[]> {
  const random = randomQueries(server, await samplesOf(server), seed)
  let best: { readonly asked: Asked; readonly answer: Answer }[] = []
  for (let i = 0; i < queries; i++) {
    const near = i > queries / 3 ? best[i % Math.max(1, best.length)] : undefined
    const asked = near ? random.near(near.asked) : random.next()
    const first = await ask(server, asked)
    if (first.status !== 200) continue
    // What is dear is asked again: the first time may have paid for others.
    const again = first.cpu > (best.at(-1)?.answer.cpu ?? 0) ? await ask(server, asked) : first
    const answer = again.cpu < first.cpu ? again : first
    best = [...best, { asked, answer }].sort(dearest).slice(0, kept)
  }
  return best.map(({ asked, answer }) => ({ url: urlOf(server, asked), answer }))
}

/** By how many MiB one request raised the memory at the most. */
async function together(file: string, urls: readonly string[]): Promise<number> {
  const app = startApp({
    DATABASE_URL: `file:${file}`,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    AUTH_SECRET: 'x'.repeat(40),
  })
  const origin = /http:\/\/[^/]+/.exec(await app.firstLine)?.[0] ?? ''
  await answerOf(`${origin}/live`)
  const began = await memoryOf(app.pid)
  for (const url of urls) await answerOf(origin + url)
  const oneByOne = (await memoryOf(app.pid)).peakMiB - began.residentMiB
  let open = true
  const waits: number[] = []
  const watching = (async () => {
    while (open) {
      const began = performance.now()
      await answerOf(`${origin}/live`)
      waits.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const before = await memoryOf(app.pid)
  const statuses = await Promise.all(urls.map(async (url) => (await answerOf(origin + url)).status))
  open = false
  await watching
  console.log({
    atOnce: statuses,
    liveMilliseconds: Math.round(Math.max(...waits)),
    raisedOneByOneMiB: oneByOne,
    ...before,
    after: await memoryOf(app.pid),
  })
  app.stop()
  await app.exit
  return oneByOne
}

async function memoryOf(pid: number) {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024)
  return { residentMiB: of('VmRSS'), peakMiB: of('VmHWM') }
}
