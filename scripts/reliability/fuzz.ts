import fc, { type Arbitrary } from 'fast-check'
import { createApi, discover } from 'prismapi'
import { resources } from '../../prisma/generated/resources.ts'
import type { CompiledServer } from '../../src/server/compile.ts'
import { anything, writingEndpoints } from '../../test/support/arbitrary-documents.ts'
import { documentFaults } from '../../test/support/check-document.ts'
import { videoId } from '../../test/support/seeded.ts'
import { type App, makeApp, mediaType, type Place, type Received, type Sent, type Usage, usageOf } from './app.ts'
import { arbitraryQuery } from './arbitrary-query.ts'

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

interface Endpoint {
  readonly name: string
  readonly version: '1.0' | '1.1'
  readonly requests: Arbitrary<Sent>
}

const together = 16
const enough = 20
const extension = 'https://jsonapi.org/ext/atomic'

export async function fuzz(place: Place, { runs, seed, tell = () => {} }: FuzzRun): Promise<FuzzReport> {
  const servers = await serversOf(place.folder)
  const app = await makeApp(place)
  const admin = await app.bearer(1)
  const users = [admin, admin, admin, admin, await app.bearer(5), {}, { Authorization: 'Bearer x.y.z' }]
  const endpoints = servers.flatMap((server) => endpointsOf(server))
  const faults: string[] = []
  const statuses: Record<string, number> = {}
  const check = async (endpoint: Endpoint, sent: Sent) => {
    const received = await app.send(sent).catch((error: unknown) => String(error))
    const found = typeof received === 'string' ? [received] : faultsOf(endpoint, sent, received)
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

/** The servers of the example, without a database. */
async function serversOf(root: string): Promise<readonly CompiledServer[]> {
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const clients = { reader: {}, writer: {} } as never
  return createApi({
    ...(await discover({ root, resources })),
    resources,
    clients,
    logger,
    baseUrl: 'http://x.example',
  }).servers
}

function faultsOf({ version }: Endpoint, sent: Sent, { status, headers, text }: Received): readonly string[] {
  if (status >= 500) return [`${status} ${text}`]
  if (sent.path.includes('/openapi.json') && status < 400) return []
  const url = `http://x.example${sent.path}`
  const header = (name: string) => (headers[name] as string | undefined) ?? null
  const judged = {
    method: sent.method ?? 'GET',
    url,
    status,
    header,
    text,
    ...(sent.body !== undefined && { sent: sent.body }),
  }
  return documentFaults(judged, { version, primary: null, foreignKeys: [] })
}

/** A row of each type that may be written to, and not the user who does most of it. */
const ids = { posts: '1', comments: '1', tags: '2', videos: videoId(1), users: '4', profiles: '1' }
const oddId = fc.oneof(
  fc.constantFrom(
    ...Object.values(ids),
    '0',
    '-1',
    '01',
    '9'.repeat(30),
    '2147483648',
    '%00',
    '%ED%A0%80',
    '%',
    '..',
    "'--",
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
)

/** Not the administrator, who sends most requests. */
const deletable = (type: string) => oddId.filter((id) => type !== 'users' || id !== '1')

function endpointsOf(server: CompiledServer): readonly Endpoint[] {
  const { basePath, version } = server
  const schemas = [...server.schemas.byType.values()]
  const writing = writingEndpoints(schemas, ids)
  const reading = (path: Arbitrary<string>): Arbitrary<Sent> =>
    fc
      .tuple(fc.constantFrom('GET', 'GET', 'GET', 'HEAD'), path, arbitraryQuery(schemas))
      .map(([method, below, query]) => ({ method, path: `${basePath}${below}${query}` }))
  const reads = schemas.flatMap(({ type, relations }) => {
    const one = fc
      .oneof({ weight: 4, arbitrary: fc.constant(ids[type as keyof typeof ids]) }, { weight: 1, arbitrary: oddId })
      .map((id) => `/${type}/${id}`)
    const relation = fc
      .constantFrom('', 'relationships/')
      .chain((kind) =>
        one.chain((path) => fc.constantFrom(...relations.keys()).map((name) => `${path}/${kind}${name}`)),
      )
    return [
      { name: `GET /${type}`, version, requests: reading(fc.constant(`/${type}`)) },
      { name: `GET /${type}/:id`, version, requests: reading(one) },
      { name: `GET /${type}/:id/:relation`, version, requests: reading(relation) },
      {
        name: `DELETE /${type}/:id`,
        version,
        requests: deletable(type).map((id) => ({ method: 'DELETE', path: `${basePath}/${type}/${id}` })),
      },
    ]
  })
  const writes = writing.map(({ method, path, documents }) => {
    const body = fc
      .oneof({ weight: 9, arbitrary: documents }, { weight: 1, arbitrary: anything })
      .map((value) => JSON.stringify(value))
    return {
      name: `${method} ${path}`,
      version,
      requests: body.map((text) => ({ method, path: basePath + path, body: text })),
    }
  })
  const page = fc.constantFrom('', '/', '/openapi.json', '/operations', '/nothing', '/posts/', '/posts/1/relationships')
  const pages = { name: 'pages of the server', version, requests: reading(page) }
  return [...reads, ...writes, pages, ...(version === '1.1' ? [operationsOf(server, writing)] : [])].map((each) => ({
    ...each,
    name: `${basePath} ${each.name}`,
  }))
}

/** The documents of all endpoints that write, as operations. */
function operationsOf({ basePath, version }: CompiledServer, writing: ReturnType<typeof writingEndpoints>): Endpoint {
  const codes = { POST: 'add', PATCH: 'update', DELETE: 'remove' }
  const one = fc.constantFrom(...writing).chain(({ method, path, documents }) =>
    documents.map((document) => ({
      op: codes[method],
      ...(path.includes('/relationships/') && { href: path.slice(1) }),
      ...(document as object),
    })),
  )
  const body = fc.array(fc.oneof({ weight: 9, arbitrary: one }, { weight: 1, arbitrary: anything }), { maxLength: 4 })
  const headers = { 'Content-Type': `${mediaType};ext="${extension}"` }
  const requests = body.map((operations) => ({
    method: 'POST',
    path: `${basePath}/operations`,
    headers,
    body: JSON.stringify({ 'atomic:operations': operations }),
  }))
  return { name: 'POST /operations', version, requests }
}
