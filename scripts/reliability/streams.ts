import { setTimeout as sleep } from 'node:timers/promises'
import { type App, makeApp, type Place, type Sent } from './app.ts'
import { queryThrough } from './query-through.ts'
import { type Follower, followTags } from './stream-follower.ts'
import { type StreamProxy, startStreamProxy } from './stream-proxies.ts'

/** What became of the clients of streams. */
interface StreamsReport {
  /** Those that were acknowledged. */
  readonly writes: number
  /** So many there have to be for what is said of clients that are cut off under writes. */
  readonly leastWrites: number
  /** Those that were answered with an error. */
  readonly refused: number
  /** Those whose connection ended: they may be written or not. */
  readonly unanswered: number
  readonly events: number
  readonly disconnects: number
  readonly kills: number
  /** What clients have and the database has not, or the other way round, when all is quiet. */
  readonly differences: readonly string[]
  /** Events that told a client what it had already, or to remove what it had not. */
  readonly twice: readonly string[]
  /** Behind a proxy: how many connections ended while nothing was written for longer than it lets connections idle. */
  readonly endedInQuiet?: number
}

interface Fire {
  readonly disconnects: number
  readonly kills: number
  readonly proxy?: StreamProxy | undefined
}

const users = [1, 2, 3, 4, 5]
const kept = 40
const quietSeconds = 50
/** So many writes are acknowledged, at least, between one client that is cut off and the next. */
const writesBetween = 5
const patience = 120_000

/**
 * Clients follow a collection under writes, are cut off again and again, and the server is killed as often as it is said. In the end
 * each client has to have what the database has.
 */
export async function streamsUnderFire(
  place: Place,
  { disconnects, kills, proxy: proxyName }: Fire,
): Promise<StreamsReport> {
  const app = await makeApp(place)
  const proxy = proxyName && (await startStreamProxy(proxyName, app.port))
  const origin = `http://127.0.0.1:${proxy?.port ?? app.port}`
  const writer = writeTags(app)
  const followers = await Promise.all(
    users.map(async (user) => followTags(`${origin}/api/v2/tags?sort=id`, await app.bearer(user))),
  )
  try {
    for (let i = 0; i < disconnects; i++) {
      const follower = followers[i % followers.length] as Follower
      const seen = follower.events()
      follower.disconnect()
      await sleep(50 + ((i * 37) % 300))
      // What is cut off next was told something, however slow the machine is.
      await until(() => follower.events() > seen, 'a client was told nothing')
      await until(() => writer.writes() >= (i + 1) * writesBetween, 'too few writes were acknowledged')
      if (Math.floor(((i + 1) * kills) / disconnects) === Math.floor((i * kills) / disconnects)) continue
      const before = followers.map(({ events }) => events())
      await app.end('SIGKILL')
      await app.start()
      // A server that has just begun is slow: what is cut off next has to be a stream.
      await until(
        () => followers.every(({ events }, at) => events() !== before[at]),
        'a client was told nothing by a server that had begun again',
      )
    }
    await writer.stop()
    const through = proxy ? await queryThrough(origin, await app.bearer(1)) : []
    const differences = [...through, ...(await differencesOf(app, followers))]
    const endedInQuiet = proxy && (await endedIn(quietSeconds, followers))
    return {
      ...writer.counts(),
      leastWrites: disconnects * writesBetween,
      events: followers.reduce((sum, { events }) => sum + events(), 0),
      disconnects,
      kills,
      differences,
      twice: followers.flatMap(({ twice }) => twice),
      ...(endedInQuiet !== undefined && { endedInQuiet }),
    }
  } finally {
    await Promise.all(followers.map((follower) => follower.stop()))
    await writer.stop()
    await proxy?.stop()
    await app.end()
    app.close()
  }
}

/** Waits for what has to come sooner or later. @throws {Error} where it does not */
async function until(isDone: () => boolean, otherwise: string): Promise<void> {
  for (const end = Date.now() + patience; !isDone(); await sleep(20))
    if (Date.now() > end) throw new Error(`In ${patience / 1000} seconds ${otherwise}.`)
}

async function endedIn(seconds: number, followers: readonly Follower[]): Promise<number> {
  const connections = () => followers.reduce((sum, { connections }) => sum + connections(), 0)
  const before = connections()
  await sleep(seconds * 1000)
  return connections() - before
}

/** Writes tags, each with a name of its own, until it is told to stop. What a killed server did not answer may be written or not. */
function writeTags(app: App) {
  let isOn = true
  let [count, acknowledged, refused, unanswered] = [0, 0, 0, 0]
  const ids: string[] = []
  const document = (name: string, id?: string) => JSON.stringify({ data: { type: 'tags', id, attributes: { name } } })
  const writing = (async () => {
    const headers = await app.bearer(1)
    while (isOn) {
      const name = `Written ${++count}`
      const id = ids[count % ids.length]
      const change = (): Sent => {
        if (id === undefined || ids.length < kept)
          return { method: 'POST', path: '/api/v2/tags', headers, body: document(name) }
        const path = `/api/v2/tags/${id}`
        if (count % 3 > 0) return { method: 'PATCH', path, headers, body: document(name, id) }
        ids.splice(ids.indexOf(id), 1)
        return { method: 'DELETE', path, headers }
      }
      try {
        const { status, text } = await app.send(change())
        if (status < 300) acknowledged++
        else refused++
        if (status === 201) ids.push(JSON.parse(text).data.id)
      } catch {
        // The server was killed meanwhile.
        unanswered++
        await sleep(50)
      }
    }
  })()
  return {
    writes: () => acknowledged,
    counts: () => ({ writes: acknowledged, refused, unanswered }),
    async stop() {
      isOn = false
      await writing
    },
  }
}

/** Clients have a while to come back, and to be told. */
async function differencesOf(app: App, followers: readonly Follower[]): Promise<readonly string[]> {
  const { status, text } = await app.send({
    path: '/api/v2/tags?sort=id',
    headers: await app.bearer(1),
  })
  if (status !== 200) throw new Error(text)
  const rows: readonly { id: string; attributes: { name: string } }[] = JSON.parse(text).data
  const expected = new Map(rows.map(({ id, attributes }) => [id, attributes.name]))
  const differences = () =>
    followers.flatMap(({ names }, i) =>
      [...new Set([...names.keys(), ...expected.keys()])]
        .filter((id) => names.get(id) !== expected.get(id))
        .map((id) => `client ${i}: tag ${id} is ${names.get(id)}, and ${expected.get(id)} in the database`),
    )
  for (const until = Date.now() + 30_000; differences().length > 0 && Date.now() < until; ) await sleep(100)
  // What comes twice would come now.
  await sleep(500)
  return differences()
}
