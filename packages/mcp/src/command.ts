import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { type Command, type Input, UsageError } from 'prismapi/features'
import { agentsPath } from './door.ts'
import { isReader } from './tools.ts'

/** As much of an application as `src/app/explain.ts` opens. */
interface OpenedApp {
  readonly handler: (request: IncomingMessage, response: never) => unknown
  readonly headers: Readonly<Record<string, string>>
  close(): void | Promise<void>
}

/** `prismapi mcp`: an agent on the developer's own machine, by standard input and output. */
export const command: Command = {
  usage: 'mcp [--as=<user>] [--server=<base path>] [--write]',
  summary: 'Lets an agent on your machine read your application, by standard input and output.',
  details: 'It opens the application as `prismapi explain` does. No tool writes unless you say --write.',
  example: 'mcp --as=7',
  options: {
    as: { type: 'string', about: 'Whose permissions it has, as src/app/explain.ts knows users; left out, a guest.' },
    server: { type: 'string', about: 'The base path of the server, such as /api/v2; by default /api/v1.' },
    write: { type: 'boolean', about: 'Lists the tools that write, too, and carries them out.' },
  },
  async run(input, { complain }) {
    const app = await openApp(input)
    const http = createServer(app.handler as RequestListener)
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const { server = '/api/v1', write = false } = input.values as { readonly server?: string; readonly write?: boolean }
    try {
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === '') continue
        for (const reply of await answersTo(line, { app, url: origin + server + agentsPath, write }, complain))
          process.stdout.write(`${reply}\n`)
      }
    } finally {
      http.close()
      http.closeAllConnections()
      await app.close()
    }
  },
}

async function openApp({ root, values: { as = null } }: Input): Promise<OpenedApp> {
  const file = ['ts', 'mts', 'js', 'mjs']
    .map((ending) => `src/app/explain.${ending}`)
    .find((each) => existsSync(path.join(root, each)))
  if (file === undefined)
    throw new UsageError('There is no src/app/explain.ts, which opens the application. See docs/explain.md.')
  const { default: open } = await import(pathToFileURL(path.join(root, file)).href)
  return open(as)
}

interface Asked {
  readonly app: OpenedApp
  readonly url: string
  readonly write: boolean
}

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly name?: string; readonly _meta?: Readonly<Record<string, unknown>> }
  readonly result?: { readonly tools?: readonly { readonly name: string }[] }
}

/** The messages that answer one: a line each. */
async function answersTo(line: string, asked: Asked, complain: (line: string) => void): Promise<readonly string[]> {
  const message = parsed(line)
  const { method, params, id } = message ?? {}
  // By the names of the tools that read, so that nothing that is misspelt or new is written.
  if (!asked.write && method === 'tools/call' && !isReader(String(params?.name)))
    return [failure(id, `The tool ${params?.name} is not there: prismapi mcp was started without --write.`)]
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  const response = await fetch(asked.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...asked.app.headers,
      ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
      ...(typeof version === 'string' && method !== undefined && { 'mcp-method': method }),
      ...(typeof version === 'string' && params?.name !== undefined && { 'mcp-name': params.name }),
    },
    body: line,
  })
  const payload = await response.text()
  const texts = response.headers.get('content-type')?.startsWith('text/event-stream')
    ? [...payload.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data)
    : payload === ''
      ? []
      : [payload]
  const replies = texts.filter((text) => parsed(text) !== null && 'jsonrpc' in (parsed(text) as object))
  if (replies.length === 0 && !response.ok) {
    complain(`POST ${asked.url}: ${response.status} ${payload}`)
    return id === undefined
      ? []
      : [failure(id, `POST ${asked.url} returned ${response.status}. Is mcp() among the features?`)]
  }
  return replies.map((reply) => (asked.write ? reply : withoutWriters(reply)))
}

function withoutWriters(reply: string): string {
  const message = JSON.parse(reply) as Message
  const { result } = message
  if (!result?.tools) return reply
  return JSON.stringify({ ...message, result: { ...result, tools: result.tools.filter(({ name }) => isReader(name)) } })
}

const failure = (id: unknown, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code: -32_602, message } })

function parsed(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
