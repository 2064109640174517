import type { CompiledServer } from '@prismapi/core/server/compile'
import { type Asked, randomQueries, urlOf } from '../../../test/support/price/random-queries.ts'
import { type Answer, answerOf, busyMember, type Caller, type Served, serve } from './served.ts'
import { type Seen, type Watched, watch } from './watched.ts'
import { sendWorst, taggedVideo } from './writes.ts'

const kept = 16
const mostMilliseconds = 1000
/** By one request, with the garbage that it leaves. */
const mostMiB = 64
/** Nothing that a guest or a member asks for keeps others waiting for longer, on a machine that does nothing else. */
const mostDelayMilliseconds = 250
/** What costs no more is read inside of the event loop. */
const inlineCost = 20_000

interface Found {
  readonly url: string
  readonly caller: Caller
  readonly answer: Answer
}

interface Search {
  readonly queries: number
  readonly seed: number
  /** Rows are as uneven as rows can be: writes are sent that change as many of them as they can. */
  readonly isSkewed: boolean
}

/**
 * Looks for the requests of guests and of a member that take longest among those that the limits allow, over all servers, and asks the
 * worst of them one by one and all at once; where rows are skewed, it sends the worst writes, too. Fails where one takes more than a second
 * of CPU, or raises the memory by more than 64 MiB, or where `/live` has to wait for more than 250 ms.
 */
export async function worstOf(url: string, search: Search): Promise<void> {
  const served = await serve(url, {})
  let all: Found[] = []
  for (const server of served.servers) all = [...all, ...(await worstOfServer(served, server, search))]
  const video = await taggedVideo(served.clients)
  await served.close()
  all.sort(dearest)
  const worst = all.slice(0, kept)
  const inline = all.filter(({ answer }) => answer.points <= inlineCost).slice(0, kept)
  if (search.isSkewed) inline.push(...longestTitles)
  for (const { url: asked, caller, answer } of [...worst, ...inline])
    console.log(`${answer.cpu.toFixed(0)} ms, ${answer.points} points, ${caller}: ${decodeURIComponent(asked)}`)
  const server = await watch(url)
  const { memory, delay } = await together(server, { worst, inline })
  const writes = search.isSkewed ? await sendWorst(server, video) : []
  await server.end()
  const slowest = Math.max(worst[0]?.answer.cpu ?? 0, ...writes.map(({ cpuMilliseconds }) => cpuMilliseconds))
  const longest = Math.max(delay, ...writes.map(({ liveMilliseconds }) => liveMilliseconds))
  console.log({ slowestMilliseconds: Math.round(slowest), raisedMiB: memory, longestLiveMilliseconds: longest })
  if (slowest > mostMilliseconds || memory > mostMiB || longest > mostDelayMilliseconds) process.exitCode = 1
}

/** As much text as a document may have: a page of those videos whose titles are a megabyte. */
const longestTitles: readonly Found[] = [15, 16].map((size) => ({
  url: encodeURI(`/api/v1/videos?filter[owner]=${busyMember}&page[size]=${size}`),
  caller: 'guest',
  answer: { status: 200, points: 0, cpu: 0 },
}))

const dearest = (a: Pick<Found, 'answer'>, b: Pick<Found, 'answer'>): number => b.answer.cpu - a.answer.cpu

/** All that were answered. A third of the queries are any, the others neighbours of the worst ones so far. Callers take turns. */
async function worstOfServer(
  { ask, samplesOf }: Pick<Served, 'ask' | 'samplesOf'>,
  server: CompiledServer,
  { queries, seed }: Search,
): Promise<readonly Found[]> {
  const random = randomQueries(server, await samplesOf(server), seed)
  const found: Found[] = []
  let best: { readonly asked: Asked; readonly answer: Answer }[] = []
  for (let i = 0; i < queries; i++) {
    const caller: Caller = i % 2 === 0 ? 'guest' : 'member'
    const near = i > queries / 3 ? best[i % Math.max(1, best.length)] : undefined
    const asked = near ? random.near(near.asked) : random.next()
    const first = await ask(server, asked, caller)
    if (first.status !== 200) continue
    // What is dear is asked again: the first time may have paid for others.
    const again = first.cpu > (best.at(-1)?.answer.cpu ?? 0) ? await ask(server, asked, caller) : first
    const answer = again.cpu < first.cpu ? again : first
    found.push({ url: urlOf(server, asked), caller, answer })
    best = [...best, { asked, answer }].sort(dearest).slice(0, kept)
  }
  return found
}

interface Reads {
  readonly worst: readonly Found[]
  readonly inline: readonly Found[]
}

interface Together {
  /** By how many MiB one request raised the memory at the most. */
  readonly memory: number
  /** For how long `/live` had to wait at the most. */
  readonly delay: number
}

/** One by one. Then the worst ones are sent all at once, and those of the event loop. */
async function together(server: Watched, { worst, inline }: Reads): Promise<Together> {
  const ask = async ({ url, caller }: Found) => (await answerOf(server.origin + url, { caller })).status
  // Threads, their connections and statements are made by the first of them, and stay.
  for (const each of [...worst, ...inline]) await ask(each)
  const alone: Seen<number>[] = []
  for (const each of [...worst, ...inline]) alone.push(await server.during(() => ask(each)))
  const raisedMiB = Math.max(...alone.map((each) => each.raisedMiB))
  console.log({
    raisedMiB,
    cpuOfTheEventLoop: Math.max(...alone.map(({ cpuMilliseconds }) => cpuMilliseconds)),
    longestTurn: Math.max(...alone.map(({ turnMilliseconds }) => turnMilliseconds)),
    live: Math.max(...alone.map(({ liveMilliseconds }) => liveMilliseconds)),
  })
  let delay = 0
  for (const found of [worst, inline]) {
    const told = await server.during(() => Promise.all(found.map(ask)))
    console.log(told)
    delay = Math.max(delay, told.liveMilliseconds)
  }
  return { memory: raisedMiB, delay }
}
