import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { signToken } from '../../src/app/auth.ts'
import { type Answer, type Sent, send } from './send.ts'

// Clients of the example: half of them write tags and read what they have written, half of them are guests who read.

const clients = 8
const reads = ['/posts?include=author,tags&page[size]=10', '/tags/1', '/posts/1', '/posts/1/comments']

export interface Load {
  /** Acknowledged tags: their ids, and the names that they may have. */
  readonly tags: ReadonlyMap<string, readonly string[]>
  /** How many answers there were of each kind; `lost` are requests without one. */
  readonly statuses: Readonly<Record<string, number>>
  /** Answers that nobody should have got. */
  readonly strange: readonly string[]
  readonly ownWritesRead: number
}

/** Asks all the time, until it is stopped. */
export async function startLoad(origin: string, secret: string) {
  const agent = new Agent({ keepAlive: true })
  const bearer = { Authorization: `Bearer ${await signToken(1, secret)}` }
  const tags = new Map<string, readonly string[]>()
  const statuses: Record<string, number> = {}
  const strange: string[] = []
  let ownWritesRead = 0
  let isOver = false

  /** Null where there was no answer, or 503: it may be asked again. */
  const ask = async (path: string, sent: Sent = {}): Promise<Answer | null> => {
    const { method = 'GET' } = sent
    const answer = await send(agent, `${origin}/api/v1${path}`, sent).catch(() => null)
    const kind = `${method} ${answer?.status ?? 'lost'}`
    statuses[kind] = (statuses[kind] ?? 0) + 1
    if (answer && [200, 201].includes(answer.status)) return answer
    if (answer && answer.status !== 503) strange.push(`${method} ${path}: ${answer.status} ${answer.text}`)
    await sleep(20)
    return null
  }
  const askOn = async (path: string, sent: Sent = {}): Promise<Answer | null> => {
    for (;;) {
      const answer = await ask(path, sent)
      if (answer || isOver) return answer
    }
  }
  const readOwn = async (id: string, name: string, headers: Readonly<Record<string, string>>) => {
    const read = await askOn(`/tags/${id}`, { headers })
    if (!read) return
    ownWritesRead++
    const found = JSON.parse(read.text).data.attributes.name
    if (found !== name) strange.push(`Tag ${id} was read as ${found} by who had called it ${name}`)
  }
  const write = async (_: unknown, writer: number) => {
    for (let n = 0; !isOver; n++) {
      const name = `scaling ${process.pid} ${writer} ${n}`
      const made = await ask('/tags', { method: 'POST', headers: bearer, data: { type: 'tags', attributes: { name } } })
      // Nobody knows whether it is there, so the next has another name.
      if (!made) continue
      const { id } = JSON.parse(made.text).data
      tags.set(id, [name])
      await readOwn(id, name, { 'Prismapi-Position': positionOf(made) ?? '' })
      const renamed = `${name} renamed`
      tags.set(id, [name, renamed])
      const data = { type: 'tags', id, attributes: { name: renamed } }
      const patched = await askOn(`/tags/${id}`, { method: 'PATCH', headers: bearer, data })
      if (!patched) continue
      tags.set(id, [renamed])
      await readOwn(id, renamed, { Cookie: `prismapi-position=${positionOf(patched)}` })
    }
  }
  const read = async (_: unknown, reader: number) => {
    for (let n = reader; !isOver; n++) await ask(reads[n % reads.length] as string)
  }
  const working = Promise.all([...Array.from({ length: clients }, write), ...Array.from({ length: clients }, read)])
  return {
    async stop(): Promise<Load> {
      isOver = true
      await working
      agent.destroy()
      return { tags, statuses, strange, ownWritesRead }
    },
  }
}

const positionOf = ({ headers }: Answer) => headers['prismapi-position'] as string | undefined
