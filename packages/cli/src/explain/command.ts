import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { atomicExtension } from '@prismapi/jsonapi/document/types'
import type { ExplainedApp, OpenExplained } from 'prismapi/internal/explain/explained-app'
import { type Command, type Input, UsageError } from '../command.ts'
import { compiledServers } from '../compiled-servers.ts'
import { loadFile } from '../load-file.ts'
import { readResources } from '../prisma-schema.ts'
import { listServers } from '../servers.ts'
import { type Explained, explainPage } from './page.ts'

/** `prismapi explain`: why the application answers a request as it does. */
export const explainCommand: Command = {
  usage: 'explain "<method> <path>" [--as=<user>] [--body=<json>] [-v] [--json]',
  summary: 'Tells why a request gets its response: rules, scopes, queries. It writes nothing.',
  example: 'explain "DELETE /api/v1/posts/1" --as=7',
  options: {
    as: { type: 'string', about: 'Who asks, as src/app/explain.ts knows users; left out, a guest.' },
    body: { type: 'string', about: 'The document of a write; left out, an empty one. It is not validated.' },
    verbose: { type: 'boolean', short: 'v', about: 'Shows the SQL of each read.' },
    json: { type: 'boolean', about: 'Prints it as JSON.' },
  },
  async run(input, terminal) {
    const request = await requestOf(input)
    const app = await openApp(input)
    try {
      const explained = await ask(app, request)
      if (explained === null) throw await unexplained(input.root, request.path)
      terminal.say(
        input.values.json === true
          ? JSON.stringify(explained, null, 2)
          : explainPage(explained, terminal, input.values.verbose === true),
      )
    } finally {
      await app.close()
    }
  },
}

interface Request {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly as: string | null
}

async function requestOf({ root, positionals, values }: Input): Promise<Request> {
  const [, method = 'GET', path] = /^(?:([A-Za-z]+)\s+)?(\S.*)$/s.exec(positionals.join(' ')) ?? []
  if (path === undefined) throw new UsageError(`Usage: prismapi ${explainCommand.usage}`)
  const { as = null, body = '{}' } = values as { readonly as?: string; readonly body?: string }
  if (!path.startsWith('/')) throw new UsageError(`${path} is no path of a server.${await servedBelow(root)}`)
  return { method: method.toUpperCase(), path, body, as }
}

/** Which paths there are, as a sentence; nothing where servers cannot be read. */
async function servedBelow(root: string): Promise<string> {
  try {
    const asked = { servers: listServers(root), resources: await readResources(root), baseUrl: '' }
    const bases = (await compiledServers(root, asked)).map(({ baseUrl }) => baseUrl)
    return bases.length === 0 ? '' : ` Paths begin with ${bases.join(' or ')}.`
  } catch {
    return ''
  }
}

async function openApp({ root, values }: Input): Promise<ExplainedApp> {
  if (process.env.NODE_ENV === 'production')
    throw new UsageError('NODE_ENV is production, where nothing is explained: it tells the inside.')
  const file = ['ts', 'mts', 'js', 'mjs']
    .map((ending) => `src/app/explain.${ending}`)
    .find((each) => existsSync(join(root, each)))
  if (file === undefined)
    throw new UsageError('There is no src/app/explain.ts, which opens the application. See docs/explain.md.')
  const { default: open } = await loadFile(root, file)
  if (typeof open !== 'function') throw new UsageError(`${file} has no function as its default export.`)
  try {
    return await (open as OpenExplained)((values.as as string | undefined) ?? null)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

const mediaType = 'application/vnd.api+json'

async function ask(app: ExplainedApp, request: Request): Promise<Explained | null> {
  const server = createServer((incoming, response) => void app.handler(incoming, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const send = sender(app, new URL(request.path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  try {
    return await explained(send, request)
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

type Send = (method: string, prefer: string, body?: string) => Promise<Response>

const sender =
  ({ headers }: ExplainedApp, url: URL): Send =>
  (method, prefer, body) => {
    const type = body !== undefined && isAtomic(body) ? `${mediaType};ext="${atomicExtension}"` : mediaType
    return fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...headers, Accept: type, Prefer: prefer, ...(body !== undefined && { 'Content-Type': type }) },
      ...(body !== undefined && { body }),
    })
  }

/** Only the document tells operations from a type or a relation of that name. */
function isAtomic(body: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(body), 'atomic:operations')
  } catch {
    return false
  }
}

/** Null where nothing is explained. */
async function explained(send: Send, { method, path, body, as }: Request): Promise<Explained | null> {
  const isReading = method === 'GET' || method === 'HEAD'
  // A server that does not know the preference would carry the write out.
  if (!isReading && !applied(await send('OPTIONS', untilAuthorized)).includes(untilAuthorized)) return null
  const response = await (isReading ? send('GET', 'explain') : send(method, untilAuthorized, body))
  const { errors = [], meta } = await documentOf(response)
  if (!meta?.explain) return null
  return { method, path, as, status: response.status, errors, ...meta.explain }
}

const untilAuthorized = 'explain=authorization'

const applied = ({ headers }: Response): readonly string[] =>
  (headers.get('Preference-Applied') ?? '').split(',').map((each) => each.trim())

interface ExplainedDocument {
  readonly errors?: Explained['errors']
  readonly meta?: { readonly explain?: Omit<Explained, 'method' | 'path' | 'as' | 'status' | 'errors'> }
}

async function documentOf(response: Response): Promise<ExplainedDocument> {
  const isDocument = response.headers.get('Content-Type')?.startsWith(mediaType)
  return isDocument ? ((await response.json()) as ExplainedDocument) : {}
}

const unexplained = async (root: string, path: string): Promise<UsageError> =>
  new UsageError(
    `${path} explains nothing: no server lies there, or src/app/explain.ts makes it without createApi({ production: false }).${await servedBelow(root)}`,
  )
