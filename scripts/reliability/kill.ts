import { setTimeout as sleep } from 'node:timers/promises'
import { type App, makeApp, type Place } from './app.ts'

// Clients write while the server is killed and started again: what was acknowledged has to be there.

export interface KillRun {
  readonly seconds: number
  readonly kills: number
}

export interface KillReport {
  readonly acknowledged: number
  /** Requests whose answer never came. */
  readonly unanswered: number
  readonly kills: number
  /** Acknowledged writes that are not there. */
  readonly lost: readonly string[]
  /** Answers that were neither a success nor 503. */
  readonly strange: readonly string[]
}

const writers = 4
/** Writes between two kills. */
const fewest = 20

export async function killWhileWriting(place: Place, { seconds, kills }: KillRun): Promise<KillReport> {
  const app = await makeApp(place)
  const run = {
    app,
    headers: await app.bearer(1),
    isOver: false,
    acknowledged: 0,
    unanswered: 0,
    strange: [] as string[],
  }
  const tags: Tag[] = []
  const writing = Promise.all(Array.from({ length: writers }, (_, n) => write(run, `${process.pid} ${n}`, tags)))
  const someMore = async () => {
    const enough = run.acknowledged + fewest
    await sleep((seconds * 1000) / (kills + 1))
    // However slow the machine is: nothing is shown by killing a server that no client uses.
    while (run.acknowledged < enough) await sleep(20)
  }
  for (let n = 0; n < kills; n++) {
    await someMore()
    await app.end('SIGKILL')
    await app.start()
  }
  await someMore()
  run.isOver = true
  await writing
  const lost: string[] = []
  for (const tag of tags) {
    const { status, text } = await app.send({ path: `/api/v1/tags/${tag.id}` })
    const name = status === 200 ? (JSON.parse(text).data.attributes.name as string) : `status ${status}`
    if (!tag.names.includes(name)) lost.push(`tag ${tag.id} is ${name}, not ${tag.names.join(' or ')}`)
  }
  await app.end()
  app.close()
  const { acknowledged, unanswered, strange } = run
  return { acknowledged, unanswered, kills, lost, strange }
}

interface Run {
  readonly app: App
  readonly headers: Readonly<Record<string, string>>
  readonly strange: string[]
  isOver: boolean
  acknowledged: number
  unanswered: number
}

interface Tag {
  readonly id: string
  /** What it may be called: what was acknowledged last, and behind it what was never answered. */
  names: readonly string[]
}

/** Creates and renames, one after the other; half of the tags with a post, by a transaction of several statements. */
async function write(run: Run, writer: string, tags: Tag[]): Promise<void> {
  for (let n = 0; !run.isOver; n++) {
    const name = `${writer} ${n}`
    const relationships = n % 2 ? { relationships: { posts: { data: [{ type: 'posts', id: '1' }] } } } : {}
    const id = await ask(run, 'POST', '/api/v1/tags', { type: 'tags', attributes: { name }, ...relationships })
    if (id === null) continue
    const tag: Tag = { id, names: [name] }
    tags.push(tag)
    const renamed = `${name} renamed`
    const data = { type: 'tags', id, attributes: { name: renamed } }
    tag.names = (await ask(run, 'PATCH', `/api/v1/tags/${id}`, data)) === null ? [name, renamed] : [renamed]
  }
}

/** The id that was acknowledged; null where nothing was, because the server has gone or is busy. */
async function ask(run: Run, method: string, path: string, data: object): Promise<string | null> {
  try {
    const { status, text } = await run.app.send({ method, path, headers: run.headers, body: JSON.stringify({ data }) })
    if (status === 200 || status === 201) {
      run.acknowledged++
      return JSON.parse(text).data.id
    }
    if (status !== 503) run.strange.push(`${method} ${path}: ${status} ${text}`)
  } catch {
    run.unanswered++
  }
  await sleep(20)
  return null
}
