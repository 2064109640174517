import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { signToken } from '../../src/app/auth.ts'

// Clients of the example: half of them write tags and read what they have written, half of them are guests who read.

const type = 'application/vnd.api+json'
const clients = 8
const reads = ['/posts?include=author,tags&page[size]=10', '/tags/1', '/posts/1', '/posts/1/comments']

interface Answer {
  readonly status: number
  readonly text: string
  readonly position: string | undefined
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly data?: object
}

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
      await readOwn(id, name, { 'Prismapi-Position': made.position ?? '' })
      const renamed = `${name} renamed`
      tags.set(id, [name, renamed])
      const data = { type: 'tags', id, attributes: { name: renamed } }
      const patched = await askOn(`/tags/${id}`, { method: 'PATCH', headers: bearer, data })
      if (!patched) continue
      tags.set(id, [renamed])
      await readOwn(id, renamed, { Cookie: `prismapi-position=${patched.position}` })
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

function send(agent: Agent, url: string, { method = 'GET', headers = {}, data }: Sent): Promise<Answer> {
  const body = data && JSON.stringify({ data })
  const more = body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: { Accept: type, ...more, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const position = answer.headers['prismapi-position'] as string | undefined
        resolve({ status: answer.statusCode as number, text, position })
      })
    })
    asked.on('error', reject).end(body)
  })
}
