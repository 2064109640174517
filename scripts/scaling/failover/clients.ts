import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { signToken } from '../../../src/app/auth.ts'
import { type Answer, type Sent, send } from '../send.ts'
import type { Answered } from './judge.ts'
import { type Exchange, versionIn } from './register.ts'

// Clients of two servers of the example: they comment, with an Idempotency-Key and again until it is done; they change one post
// by what they have read of it; and guests read.

/** Of each kind, on each server. */
const clients = 2
/** Milliseconds between two requests of a client. */
const pause = 20
/** And before it asks again what was answered by 503. A client that has the time waits as long as `Retry-After` says. */
const retryPause = 100
const guestReads = ['/posts?include=author,tags&page[size]=10', '/tags/1', '/posts/1', '/posts/1/comments']

export interface Heard {
  readonly answers: readonly Answered[]
  /** What was acknowledged, once each; and what was not when the run ended. */
  readonly comments: { readonly acknowledged: readonly string[]; readonly open: readonly string[] }
  readonly exchanges: readonly Exchange[]
  readonly strange: readonly string[]
  /** Milliseconds until a comment was acknowledged, with all that was tried. */
  readonly longestUntilAcknowledged: number
}

export type Clients = Awaited<ReturnType<typeof startClients>>

/** Ask all the time, until they are stopped. */
export async function startClients(origins: readonly string[], secret: string) {
  const agent = new Agent({ keepAlive: true })
  const bearer = { Authorization: `Bearer ${await signToken(1, secret)}` }
  const answers: Answered[] = []
  const exchanges: Exchange[] = []
  const strange: string[] = []
  const acknowledged: string[] = []
  const open = new Set<string>()
  let longestUntilAcknowledged = 0
  let isOver = false

  /** Null where there was no answer, or one that says to try again. */
  const ask = async (server: number, kind: Answered['kind'], path: string, sent: Sent) => {
    const sentAt = performance.now()
    const answer = await send(agent, `${origins[server]}/api/v1${path}`, sent).catch(() => null)
    const answeredAt = performance.now()
    const status = answer?.status ?? null
    const hasRetryAfter = answer?.headers['retry-after'] !== undefined
    answers.push({ server, kind, sentAt, answeredAt, status, hasRetryAfter })
    const isKnown = status === 503 || (status === 409 && hasRetryAfter) || [200, 201, 412].includes(status ?? 0)
    if (answer && !isKnown) strange.push(`${sent.method} ${path}: ${status} ${answer.text}`)
    return { answer: status !== null && [200, 201, 412].includes(status) ? answer : null, status, sentAt, answeredAt }
  }

  const comment = async (server: number, writer: number) => {
    for (let n = 0; !isOver; n++) {
      const content = `failover ${server} ${writer} ${n}`
      const data = {
        type: 'comments',
        attributes: { content },
        relationships: { commentable: { data: { type: 'posts', id: '2' } } },
      }
      const headers = { ...bearer, 'Idempotency-Key': `${process.pid}-${server}-${writer}-${n}` }
      open.add(content)
      const began = performance.now()
      while (!isOver && open.has(content)) {
        const { answer } = await ask(server, 'write', '/comments', { method: 'POST', headers, data })
        if (answer) open.delete(content)
        await sleep(answer ? pause : retryPause)
      }
      if (open.has(content)) return
      acknowledged.push(content)
      longestUntilAcknowledged = Math.max(longestUntilAcknowledged, performance.now() - began)
    }
  }

  const readPost = async (server: number) => {
    const headers = { ...bearer, 'Prismapi-Position': 'latest' }
    const { answer, ...read } = await ask(server, 'read', '/posts/1', { method: 'GET', headers })
    const shown = shownIn(answer)
    exchanges.push({ method: 'GET', ...read, ...shown })
    return shown
  }
  const change = async (server: number, writer: number) => {
    for (let n = 0; !isOver; n++) {
      const { shown } = await readPost(server)
      await sleep(shown ? pause : retryPause)
      if (!shown || isOver) continue
      const written = `failover ${server} ${writer} ${n}`
      const data = { type: 'posts', id: '1', attributes: { title: written } }
      const sent = { ...bearer, 'If-Match': `"${shown.version}"` }
      const { answer: changed, ...wrote } = await ask(server, 'write', '/posts/1', {
        method: 'PATCH',
        headers: sent,
        data,
      })
      exchanges.push({ method: 'PATCH', ...wrote, expected: shown.version, written, ...shownIn(changed) })
      await sleep(changed ? pause : retryPause)
    }
  }

  const visit = async (server: number, guest: number) => {
    for (let n = guest; !isOver; n++) {
      const { answer } = await ask(server, 'guest', guestReads[n % guestReads.length] as string, { method: 'GET' })
      await sleep(answer ? pause : retryPause)
    }
  }

  const each = (work: (server: number, client: number) => Promise<void>) =>
    origins.flatMap((_, server) => Array.from({ length: clients }, (_, client) => work(server, client)))
  await readPost(0)
  const working = Promise.all([...each(comment), ...each(change), ...each(visit)])
  return {
    answers: answers as readonly Answered[],
    /** Behind the last answers. What the post is then is read once more. */
    async stop(): Promise<Heard> {
      if (!isOver) {
        isOver = true
        await working
        await readPost(0)
      }
      agent.destroy()
      return { answers, comments: { acknowledged, open: [...open] }, exchanges, strange, longestUntilAcknowledged }
    },
  }
}

const shownIn = (answer: Answer | null): Pick<Exchange, 'shown'> =>
  answer?.status === 200
    ? {
        shown: {
          version: versionIn(String(answer.headers.etag)),
          value: JSON.parse(answer.text).data.attributes.title as string,
        },
      }
    : {}
