import { signToken } from '../../src/app/auth.ts'
import { keepAlive } from './keep-alive.ts'

const type = 'application/vnd.api+json'

export interface Load {
  /** Names of tags whose creation was answered with 201. */
  readonly acknowledged: readonly string[]
  /** Statuses of all answers, and how often they came; `lost` for requests without one. */
  readonly statuses: Readonly<Record<string, number>>
}

/** Eight clients create tags, one after the other, until they are stopped; requests that are lost are not repeated. */
export async function writeTags(origin: string, secret: string) {
  const headers = { Accept: type, 'Content-Type': type, Authorization: `Bearer ${await signToken(1, secret)}` }
  const client = keepAlive(origin, headers, 8)
  const acknowledged: string[] = []
  const statuses: Record<string, number> = {}
  let isStopped = false
  let written = 0
  const run = `load ${process.hrtime.bigint()}`
  const write = async () => {
    while (!isStopped) {
      const name = `${run} ${written++}`
      const body = JSON.stringify({ data: { type: 'tags', attributes: { name } } })
      const status = await client.send('POST', '/api/v1/tags', body).then(
        (answer) => String(answer.status),
        () => 'lost',
      )
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === '201') acknowledged.push(name)
      // A server that is away refuses at once.
      if (status === 'lost') await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const clients = Array.from({ length: 8 }, write)
  return {
    acknowledged,
    async stop(): Promise<Load> {
      isStopped = true
      await Promise.all(clients)
      client.close()
      return { acknowledged, statuses }
    },
  }
}

/** Those of the names that are not there. */
export async function missingTags(origin: string, names: readonly string[]): Promise<string[]> {
  const answer = await fetch(`${origin}/api/v1/tags?fields[tags]=name`, { headers: { Accept: type } })
  const { data } = (await answer.json()) as { data: { attributes: { name: string } }[] }
  const found = new Set(data.map(({ attributes }) => attributes.name))
  return names.filter((name) => !found.has(name))
}
