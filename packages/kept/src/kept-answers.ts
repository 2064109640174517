import type { ActionResult } from '@prismapi/core/actions/context'
import type { Feature } from '@prismapi/core/api/feature'
import type { Version } from '@prismapi/core/database/sql-database'
import type { Store } from '@prismapi/core/database/store'
import { type Call, contextOf } from '@prismapi/core/http/call'
import type { Execute, Plugin } from '@prismapi/core/http/plugin'
import { type ReadyAnswer, readyAnswer } from '@prismapi/core/http/response/respond'
import { hasReadHooks } from '@prismapi/core/read/hooks'
import { type Awaitable, after, isPromise } from '@prismapi/jsonapi/model/awaitable'
import { boundedCache } from '@prismapi/jsonapi/model/memo'
import type { Observer } from '@prismapi/jsonapi/request/observer'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import type { Telemetry } from '@prismapi/jsonapi/request/telemetry'
import { BoundedAnswers } from './bounded-answers.ts'
import { hasOwnCode } from './own-code.ts'
import { type DependsOn, dependsOn, type Numbers, numbersOfRules, rulesText, urlText } from './question.ts'

/** How much `keptAnswers` keeps. */
export interface KeptAnswersOptions {
  /** The bytes of all answers together, in each process; by default 16 MiB. */
  readonly bytes?: number
}

const mostBytes = 16_777_216
/** Of which it is known whose rules their answers depend on. */
const mostUrls = 5000
const mostCharacters = 1_048_576

const kinds: ReadonlySet<Operation['kind']> = new Set(['viewAny', 'view', 'viewRelated', 'viewRelationship'])

/**
 * Keeps the bytes of answers that are asked for again and again, and answers with them as long as nothing is committed.
 * Callers with the same rules share them. A client never gets a byte that is older than the last commit which the
 * request could see.
 *
 * @throws {Error} for a number of bytes that is none.
 * @example
 * declare const parts: ApiOptions
 *
 * const api = createApi({ ...parts, keptAnswers: { bytes: 64 * 1024 * 1024 } })
 */
export function keptAnswers({ bytes = mostBytes }: KeptAnswersOptions = {}): Feature {
  // With what is no number, they would have no end.
  if (!Number.isSafeInteger(bytes) || bytes < 0)
    throw new Error(`createApi({ keptAnswers: { bytes } }): pass a whole number, or false for none, not ${bytes}.`)
  return {
    serve({ options: { telemetry = null } }) {
      const parts: Parts = {
        ...{ answers: new BoundedAnswers(bytes), numbers: numbersOfRules(), telemetry },
        ...{ urls: boundedCache(mostUrls, mostCharacters), worths: new Map() },
      }
      return () => {
        const own: Plugin = {
          execute(next, { store, plugins }) {
            const isPlain = plugins.every((plugin) => plugin === own || leavesReads(plugin))
            return store.version && isPlain ? new Keeping(next, store.version, parts).execute : next
          },
        }
        return own
      }
    },
  }
}

/** What wraps the store may say something else of its rows each time, and what wraps the execution, of the document. */
const leavesReads = ({ store, refusesReads = false, execute, executesWrites = false }: Plugin): boolean =>
  (store === undefined || refusesReads) && (execute === undefined || executesWrites)

interface Parts {
  readonly answers: BoundedAnswers
  /** What is known of URLs, by their text. */
  readonly urls: { get(key: string, make: () => Url): Url }
  /** By the kind of question. */
  readonly worths: Map<string, Worth>
  readonly numbers: Numbers
  readonly telemetry: Pick<Telemetry, 'keptAnswer'> | null
}

/** What is known of one URL. */
interface Url {
  /** It was asked for before. */
  isKnown: boolean
  /** Null as long as it has not been answered a second time. */
  on: DependsOn | null
  /** Code of the application has a say in its answer. */
  isOpaque: boolean
  /** How many states of the database in a row made its answer too old, and the last of them. */
  stale: number
  staleAt: Version | null
  /** So many requests are answered without a look at what is kept. */
  resting: number
}

const unknownUrl = (): Url => ({ isKnown: false, on: null, isOpaque: false, stale: 0, staleAt: null, resting: 0 })

/** After so many answers that were too old, one request in 64 looks. */
const mostStale = 6

type Answer = ActionResult | ReadyAnswer

class Keeping {
  private readonly next: Execute
  private readonly version: NonNullable<Store['version']>
  private readonly parts: Parts

  constructor(next: Execute, version: NonNullable<Store['version']>, parts: Parts) {
    this.next = next
    this.version = version
    this.parts = parts
  }

  readonly execute: Execute = (call) => {
    const { answers, urls, telemetry } = this.parts
    if (!isKept(call)) return this.next(call)
    const worth = this.worthOf(call)
    if (!worth.isWorth(call.koa.originalUrl)) return this.next(call)
    const text = urlText(call)
    const url = urls.get(text, unknownUrl)
    if (url.isOpaque) return this.next(call)
    // What is asked for once is not worth a thought.
    if (!url.isKnown) {
      url.isKnown = true
      return this.next(call)
    }
    if (url.on === null) return after(this.next(call), (answer) => this.learn(call, url, answer))
    if (url.resting > 0) {
      url.resting--
      return this.next(call)
    }
    const { on } = url
    const key = this.keyOf(call, text, on)
    if (key === null || !answers.isAskedAgain(key)) return this.next(call)
    return after(this.stateOfDatabase(), (version) => {
      if (version === null) return this.next(call)
      const kept = answers.get(key, version)
      telemetry?.keptAnswer?.(kept !== null)
      if (kept) {
        url.stale = 0
        worth.found++
        return kept
      }
      if (answers.has(key)) rest(url, version)
      return after(this.next(call), (answer) => this.keep(call, url, { on, key, version, answer }))
    })
  }

  /** Null where the database does not say it: the read that follows tells the client what is wrong. */
  private stateOfDatabase(): Awaitable<Version | null> {
    try {
      const version = this.version()
      return isPromise(version) ? version.catch(() => null) : version
    } catch {
      return null
    }
  }

  /** Of the same kind of question: for one resource of a type, or for a list. */
  private worthOf({ server, operation, koa }: Call): Worth {
    const kind = `${server.name} ${operation?.schema.type} ${operation?.kind}${koa.querystring === '' ? '' : '?'}`
    const known = this.parts.worths.get(kind) ?? new Worth()
    this.parts.worths.set(kind, known)
    return known
  }

  /** Notes on what the answer of a URL depends on. */
  private learn(call: Call, url: Url, answer: Answer): Answer {
    const { operation } = call
    if (!('document' in answer) || answer.status !== 200 || operation === null) return answer
    const ctx = contextOf(call)
    url.on = dependsOn(ctx, url.on) ?? url.on
    url.isOpaque = hasOwnCode(ctx, operation)
    const key = url.on && this.keyOf(call, urlText(call), url.on)
    if (key !== null) this.parts.answers.isAskedAgain(key)
    return answer
  }

  /** Null where it cannot be told what is asked. */
  private keyOf(call: Call, text: string, on: DependsOn): string | null {
    try {
      const rules = rulesText(contextOf(call), on, this.parts.numbers)
      return rules === null ? null : `${text}\n${rules}`
    } catch {
      // A policy throws for this caller, whose own answer may not ask it.
      return null
    }
  }

  private keep(call: Call, url: Url, { on, key, version, answer }: ToKeep): Answer {
    if (!('document' in answer) || answer.status !== 200) return answer
    const ctx = contextOf(call)
    // With other rows, other policies may be asked.
    if (dependsOn(ctx, on)) return this.learn(call, url, answer)
    const { etags, limits } = ctx.server
    const ready = readyAnswer({ ...answer, version: etags ? answer.version : undefined })
    if (!ready?.bytes || ready.bytes.length > limits.documentBytes) return answer
    this.parts.answers.keep(key, version, ready)
    return ready
  }
}

interface ToKeep {
  /** What the key is made of. */
  readonly on: DependsOn
  readonly key: string
  readonly version: Version
  readonly answer: Answer
}

function rest(url: Url, version: Version): void {
  // Whoever asks at the same time finds the same.
  if (url.staleAt === version) return
  url.staleAt = version
  url.resting = 2 ** url.stale - 1
  url.stale = Math.min(url.stale + 1, mostStale)
}

/** May its answer be kept: it reads from the primary, and nothing follows how. */
function isKept({ operation, store, api, observer, context, isDryRun, at }: Call): boolean {
  // Its links are written for who asks in this way.
  if (at.link) return false
  if (operation === null || !kinds.has(operation.kind) || store !== api.store || isDryRun || !context) return false
  const { hooks, authorizers, defaultAuthorizer } = context.served
  if (hasReadHooks(hooks) || authorizers.size > 0 || defaultAuthorizer !== null) return false
  return observer === null || !followsReads(observer)
}

const followsReads = ({ served, authorized, priced, concealed, aroundRead }: Observer): boolean =>
  [served, authorized, priced, concealed, aroundRead].some((method) => method !== undefined)

/** So many questions are counted before there is a verdict. */
const counted = 256
/** One in so many has to find an answer; where fewer do, one URL in so many goes on being looked for. */
const share = 16

/**
 * Is it worth the time to look for the answers of one kind of question: where each client asks for another resource,
 * hardly any would be found.
 */
export class Worth {
  /** How many found an answer. */
  found = 0
  private asked = 0
  private isSeldom = false

  /** Is an answer to this URL to be looked for. */
  isWorth(url: string): boolean {
    if (this.isSeldom && partOf(url) !== 0) return false
    this.asked++
    if (this.asked <= counted) return true
    this.isSeldom = this.found * share < this.asked
    this.asked = 0
    this.found = 0
    return true
  }
}

/** By its last characters, which differ most. */
function partOf(url: string): number {
  let sum = url.length
  for (let i = Math.max(0, url.length - 6); i < url.length; i++) sum = sum * 31 + url.charCodeAt(i)
  return sum % share
}
