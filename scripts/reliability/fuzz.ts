import fc from 'fast-check'
import { discover } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'
import type { CompiledServer } from '../../src/server/compile.ts'
import {
  changingEndpoints,
  type FuzzedEndpoint,
  operationsEndpoints,
  pageEndpoint,
  readingEndpoints,
} from '../../src/testing/kit/fuzz/endpoints.ts'
import { answerFaults } from '../../src/testing/kit/judges/answer-faults.ts'
import { lackedIn, serversOf } from '../../src/testing/kit/tested.ts'
import type { TestRequest } from '../../src/testing/send.ts'
import { hiddenFields } from '../../test/support/hidden-fields.ts'
import { videoId } from '../../test/support/seeded.ts'
import { type App, makeApp, type Place, type Received, type Usage, usageOf } from './app.ts'

// Whatever is asked of any endpoint is answered in good form, and never with 5xx; the process lives, and does not grow.

export interface FuzzRun {
  /** Requests to each endpoint. */
  readonly runs: number
  readonly seed: number
  /** Is told of each endpoint that is done. */
  readonly tell?: (line: string) => void
}

export interface FuzzReport {
  readonly endpoints: number
  readonly requests: number
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly faults: readonly string[]
  /** After the first endpoints, and at the end. */
  readonly before: Usage
  readonly after: Usage
}

const together = 16
const enough = 20

export async function fuzz(place: Place, { runs, seed, tell = () => {} }: FuzzRun): Promise<FuzzReport> {
  const servers = serversOf({ resources, ...(await discover({ root: place.folder, resources })) })
  const app = await makeApp(place)
  const admin = await app.bearer(1)
  const users = [admin, admin, admin, admin, await app.bearer(5), {}, { Authorization: 'Bearer x.y.z' }]
  const endpoints = servers.flatMap((server) => endpointsOf(server))
  const faults: string[] = []
  const statuses: Record<string, number> = {}
  const check = async (endpoint: Endpoint, sent: TestRequest) => {
    const received = await app.send(sent).catch((error: unknown) => String(error))
    const found = typeof received === 'string' ? [received] : faultsOf(endpoint.server, sent, received)
    const status = typeof received === 'string' ? 'none' : received.status
    statuses[status] = (statuses[status] ?? 0) + 1
    for (const fault of found) faults.push(`${fault}: ${sent.method} ${sent.path} ${sent.body ?? ''}`)
  }
  let before = usageOf(app.pid)
  for (const [n, endpoint] of endpoints.entries()) {
    const user = fc.constantFrom(...users)
    const requests = fc
      .tuple(endpoint.requests, user)
      .map(([sent, own]) => ({ ...sent, headers: { ...own, ...sent.headers } }))
    const sample = fc.sample(fc.noShrink(requests), { numRuns: runs, seed: seed + n })
    for (let at = 0; at < sample.length && faults.length < enough; at += together)
      await Promise.all(sample.slice(at, at + together).map((sent) => check(endpoint, sent)))
    tell(`${n + 1} of ${endpoints.length}: ${endpoint.name}`)
    if (n === endpoints.length >> 2) before = usageOf(app.pid)
  }
  const after = usageOf(app.pid)
  if ((await aliveness(app)) !== 200) faults.push('the server does not answer any more')
  await app.end()
  app.close()
  return { endpoints: endpoints.length, requests: endpoints.length * runs, statuses, faults, before, after }
}

const aliveness = async (app: App) => (await app.send({ path: '/api/v1' }).catch(() => ({ status: 0 }))).status

const mayLack = lackedIn(hiddenFields)

const faultsOf = (server: CompiledServer, sent: TestRequest, { status, headers, text }: Received): readonly string[] =>
  answerFaults({ ...server, mayLack }, sent, {
    status,
    text,
    headers: { get: (name) => (headers[name] as string | undefined) ?? null },
  })

/** Rows of each type, the first of which may be written to: not the user who does most of it. */
const rows = new Map([
  ['posts', ['1', '2', '3', '4']],
  ['comments', ['1', '2', '3', '4']],
  ['tags', ['2', '1', '3', '4']],
  ['videos', [videoId(1), videoId(2), videoId(3)]],
  ['users', ['4', '1', '2', '3']],
  ['profiles', ['1', '2', '3', '4']],
])

interface Endpoint extends FuzzedEndpoint {
  readonly server: CompiledServer
}

function endpointsOf(server: CompiledServer): readonly Endpoint[] {
  const grounds = { server, rows, keep: new Set(['users/1']) }
  const schemas = [...server.schemas.byType.values()]
  return [
    ...schemas.flatMap((schema) => readingEndpoints(grounds, schema)),
    ...schemas.flatMap((schema) => changingEndpoints(grounds, schema)),
    pageEndpoint(grounds),
    ...operationsEndpoints(grounds),
  ].map(({ name, requests }) => ({ name: `${server.basePath} ${name}`, requests, server }))
}
