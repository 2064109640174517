import path from 'node:path'
import { serversOf } from '@prismapi/testing/internal/kit/tested'
import type { TestRequest } from '@prismapi/testing/internal/send'
import fc from 'fast-check'
import { resources } from '../../prisma/generated/resources.ts'
import { type App, makeApp, type Place, secret, type Usage, usageOf } from './app.ts'
import { browsersOf, callersOf } from './asked/callers.ts'
import { curlOf } from './asked/curl.ts'
import { type AskedEndpoint, askedEndpoints } from './asked/endpoints.ts'
import { shownBy } from './asked/shown.ts'
import { EventIds } from './asked/streams.ts'
import { wholeExample } from './whole-example.ts'

// Whatever is asked of any endpoint is answered in good form, in time, and never with 5xx; the process lives, and does not grow.

export interface FuzzRun {
  /** Requests to each endpoint. */
  readonly runs: number
  readonly seed: number
  /** One of so many parts of the endpoints; by default all of them. */
  readonly part?: Part
  /** Is told of each endpoint that is done, and of each fault at once. */
  readonly tell?: (line: string) => void
}

export interface Part {
  /** From 1 on. */
  readonly number: number
  readonly of: number
}

export interface FuzzReport {
  /** Those that there are, and those that were asked. */
  readonly known: number
  readonly endpoints: number
  readonly requests: number
  readonly seconds: number
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Seconds, and what took so long. */
  readonly slowest: readonly [seconds: number, request: string]
  readonly faults: readonly string[]
  /** After the first endpoints, and at the end. */
  readonly before: Usage
  readonly after: Usage
}

const root = path.resolve(import.meta.dirname, '../..')
const program = 'scripts/reliability/whole-app.ts'
/** So many faults of one endpoint are enough. */
const enough = 3
/** Longer than any limit of the server but that of a whole request. */
const mostSeconds = 10
/** Drawn at a time: the server works meanwhile. */
const drawnAtOnce = 50

export async function fuzz(place: Place, run: FuzzRun): Promise<FuzzReport> {
  const { tell = () => {}, part = { number: 1, of: 1 } } = run
  const servers = serversOf({ resources, ...(await wholeExample(root)) })
  const app = await makeApp(place, program)
  const events = new EventIds()
  const known = askedEndpoints({
    ...{ servers, events, shown: await shownBy(app, servers), token: (await app.bearer(1)).Authorization.slice(7) },
    ...{ callers: await callersOf(app), browsers: await browsersOf(app) },
  })
  const endpoints = inPart(known, part)
  const asked = new Asked(app, events, tell)
  const began = performance.now()
  let before = usageOf(app.pid)
  for (const [n, endpoint] of endpoints.entries()) {
    const from = performance.now()
    await asked.askAll(endpoint, run)
    const took = ((performance.now() - from) / 1000).toFixed(1)
    tell(`${n + 1} of ${endpoints.length}: ${endpoint.name}, ${took} s`)
    if (n === endpoints.length >> 2) before = usageOf(app.pid)
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  const after = usageOf(app.pid)
  if ((await aliveness(app)) !== 200) asked.fault('the server does not answer any more', app.log().slice(-2000))
  await app.end()
  app.close()
  const { requests, statuses, slowest, faults } = asked
  return {
    ...{ known: known.length, endpoints: endpoints.length, requests, seconds, statuses, slowest, faults },
    ...{ before, after },
  }
}

/** Pages take longer than documents: each part has as many of either. */
function inPart(known: readonly AskedEndpoint[], { number, of }: Part): readonly AskedEndpoint[] {
  const byKind = [...known].sort((a, b) => a.judge.name.localeCompare(b.judge.name))
  const chosen = new Set(byKind.filter((_, i) => i % of === number - 1))
  return known.filter((each) => chosen.has(each))
}

const aliveness = async (app: App) => (await app.send({ path: '/api/v1' }).catch(() => ({ status: 0 }))).status

/** What was asked so far, and what came of it. */
class Asked {
  requests = 0
  readonly statuses: Record<string, number> = {}
  readonly faults: string[] = []
  slowest: readonly [seconds: number, request: string] = [0, '']
  readonly #app: App
  readonly #events: EventIds
  readonly #tell: (line: string) => void
  #said = 0

  constructor(app: App, events: EventIds, tell: (line: string) => void) {
    this.#app = app
    this.#events = events
    this.#tell = tell
  }

  async askAll(endpoint: AskedEndpoint, { runs, seed }: FuzzRun): Promise<void> {
    const faultsBefore = this.faults.length
    const drawn = drawnFrom(endpoint, runs, seed)
    const lane = async () => {
      for (const sent of drawn) {
        if (this.faults.length - faultsBefore >= enough) return
        await this.#ask(endpoint, sent)
      }
    }
    await Promise.all(Array.from({ length: endpoint.together }, lane))
  }

  async #ask({ server, judge }: AskedEndpoint, sent: TestRequest): Promise<void> {
    const began = performance.now()
    const received = await this.#app.send(sent).catch((error: unknown) => String(error))
    const seconds = (performance.now() - began) / 1000
    this.requests++
    const status = typeof received === 'string' ? 'none' : received.status
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    if (seconds > this.slowest[0]) this.slowest = [Number(seconds.toFixed(2)), `${sent.method} ${sent.path}`]
    if (typeof received !== 'string') this.#events.note(received.text)
    const found = typeof received === 'string' ? [received] : judge(server, sent, received)
    for (const fault of found) this.fault(fault, curlOf(sent))
    if (seconds > mostSeconds) this.fault(`the answer took ${seconds.toFixed(1)} s`, curlOf(sent))
  }

  /** Told at once, with what repeats it, and what the server has said since the last one. */
  fault(fault: string, repeat: string): void {
    if (this.faults.length === 0)
      this.#tell(
        `Start what was asked: AUTH_SECRET='${secret}' node --conditions=prismapi/source --import tsx ${program}`,
      )
    this.faults.push(`${fault}\n${repeat}`)
    this.#tell(`FAULT ${fault}\n${repeat}`)
    const log = this.#app.log()
    if (log.length > this.#said) this.#tell(log.slice(this.#said).slice(0, 4000))
    this.#said = log.length
  }
}

/** Requests, a few at a time, the same ones for the same seed. */
function* drawnFrom({ name, requests }: AskedEndpoint, runs: number, seed: number): Generator<TestRequest> {
  const own = [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, seed)
  for (let at = 0; at < runs; at += drawnAtOnce) {
    const numRuns = Math.min(drawnAtOnce, runs - at)
    yield* fc.sample(fc.noShrink(requests), { numRuns, seed: (own + at) | 0 })
  }
}
