import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledServer } from '../../../src/server/compile.ts'
import { type AppProcess, startApp } from '../../../test/support/app-process.ts'
import { type Asked, randomQueries, urlOf } from '../../../test/support/price/random-queries.ts'
import { type Answer, answerOf, type Served, serve } from './served.ts'

const kept = 16
const mostMilliseconds = 1000
const mostMiB = 150
/** Nothing that a guest asks for keeps others waiting for longer, on a machine that does nothing else. */
const mostDelayMilliseconds = 250
/** What costs no more is read inside of the event loop. */
const inlineCost = 20_000

interface Found {
  readonly url: string
  readonly answer: Answer
}

/**
 * Looks for the requests of a guest that take longest among those that the limits allow, over all servers, and asks the worst of
 * them one by one and all at once. Fails where one takes more than a second of CPU, or raises the memory by more than 150 MiB, or where
 * `/live` has to wait for more than 250 ms.
 */
export async function worstOf(file: string, queries: number, seed: number): Promise<void> {
  const served = await serve(file, {})
  let all: Found[] = []
  for (const server of served.servers) all = [...all, ...(await worstOfServer(served, server, { queries, seed }))]
  await served.close()
  all.sort(dearest)
  const worst = all.slice(0, kept)
  const inline = all.filter(({ answer }) => answer.points <= inlineCost).slice(0, kept)
  for (const { url, answer } of [...worst, ...inline])
    console.log(`${answer.cpu.toFixed(0)} ms, ${answer.points} points: ${decodeURIComponent(url)}`)
  const { memory, delay } = await together(file, {
    worst: worst.map(({ url }) => url),
    inline: inline.map(({ url }) => url),
  })
  const slowest = worst[0]?.answer.cpu ?? 0
  if (slowest > mostMilliseconds || memory > mostMiB || delay > mostDelayMilliseconds) process.exitCode = 1
}

const dearest = (a: Pick<Found, 'answer'>, b: Pick<Found, 'answer'>): number => b.answer.cpu - a.answer.cpu

/** All that were answered. A third of the queries are any, the others neighbours of the worst ones so far. */
async function worstOfServer(
  { ask, samplesOf }: Pick<Served, 'ask' | 'samplesOf'>,
  server: CompiledServer,
  { queries, seed }: { readonly queries: number; readonly seed: number },
): Promise<readonly Found[]> {
  const random = randomQueries(server, await samplesOf(server), seed)
  const found: Found[] = []
  let best: { readonly asked: Asked; readonly answer: Answer }[] = []
  for (let i = 0; i < queries; i++) {
    const near = i > queries / 3 ? best[i % Math.max(1, best.length)] : undefined
    const asked = near ? random.near(near.asked) : random.next()
    const first = await ask(server, asked)
    if (first.status !== 200) continue
    // What is dear is asked again: the first time may have paid for others.
    const again = first.cpu > (best.at(-1)?.answer.cpu ?? 0) ? await ask(server, asked) : first
    const answer = again.cpu < first.cpu ? again : first
    found.push({ url: urlOf(server, asked), answer })
    best = [...best, { asked, answer }].sort(dearest).slice(0, kept)
  }
  return found
}

interface Urls {
  readonly worst: readonly string[]
  readonly inline: readonly string[]
}

interface Together {
  /** By how many MiB one request raised the memory at the most. */
  readonly memory: number
  /** For how long the event loop was kept from its next turn at the most. */
  readonly delay: number
}

/** One by one. Then the worst ones are sent all at once, and those of the event loop. */
async function together(file: string, { worst, inline }: Urls): Promise<Together> {
  const app = startApp({
    DATABASE_URL: `file:${file}`,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    AUTH_SECRET: 'x'.repeat(40),
    NODE_OPTIONS: `--import=${new URL('./loop-delay.mjs', import.meta.url)}`,
  })
  const origin = /http:\/\/[^/]+/.exec(await app.firstLine)?.[0] ?? ''
  // Threads, their connections and statements are made by the first of them, and stay.
  for (const url of [...worst, ...inline]) await answerOf(origin + url)
  const began = await memoryOf(app.pid)
  for (const url of [...worst, ...inline]) await answerOf(origin + url)
  const raisedOneByOneMiB = (await memoryOf(app.pid)).peakMiB - began.residentMiB
  console.log({ raisedOneByOneMiB })
  let delay = 0
  for (const urls of [worst, inline]) {
    const told = await atOnce(app, origin, urls)
    console.log(told)
    delay = Math.max(delay, told.liveMilliseconds)
  }
  app.stop()
  await app.exit
  return { memory: raisedOneByOneMiB, delay }
}

/** What all of them do to the process, and to others who ask it meanwhile. */
async function atOnce(app: AppProcess, origin: string, urls: readonly string[]) {
  await delayOf(app)
  let open = true
  const waits: number[] = []
  const watching = (async () => {
    while (open) {
      const began = performance.now()
      await answerOf(`${origin}/live`)
      waits.push(performance.now() - began)
      await sleep(20)
    }
  })()
  const before = await memoryOf(app.pid)
  const statuses = await Promise.all(urls.map(async (url) => (await answerOf(origin + url)).status))
  open = false
  await watching
  return {
    atOnce: statuses,
    liveMilliseconds: Math.round(Math.max(...waits)),
    loopDelayMilliseconds: await delayOf(app),
    before,
    after: await memoryOf(app.pid),
  }
}

/** How long the event loop of the server was kept from its next turn, since this was asked last. */
async function delayOf(app: AppProcess): Promise<number> {
  const told = () => [...app.log().matchAll(/loop delay (\d+) ms/g)]
  const known = told().length
  app.stop('SIGUSR2')
  while (told().length === known) await sleep(10)
  return Number(told().at(-1)?.[1])
}

async function memoryOf(pid: number) {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024)
  return { residentMiB: of('VmRSS'), peakMiB: of('VmHWM') }
}
