import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { promisify } from 'node:util'
import { signToken } from '../../src/app/auth.ts'
import { type AppProcess, startApp } from '../../test/support/app-process.ts'
import { freePort } from '../../test/support/npm-start.ts'

// The example in a process of its own, as its users start it, and a client of it.

/** What the example signs tokens with. */
export const secret = 'a secret of the reliability runs, long enough'
const mediaType = 'application/vnd.api+json'

const silentMilliseconds = 200

export interface Place {
  /** The folder of the repository, or of a copy of it. */
  readonly folder: string
  readonly databaseUrl: string
}

export interface Sent {
  readonly method?: string
  /** Below the origin, `/api/v1/tags`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** An example that can be ended, in every way, and started again at the same port; `program` is what starts it. */
export async function makeApp({ folder, databaseUrl }: Place, program?: string) {
  const port = await freePort()
  const env = { DATABASE_URL: databaseUrl, PORT: String(port), AUTH_SECRET: secret, LOG_LEVEL: 'error' }
  const { PATH = '', HOME = '' } = process.env
  const before = ['--conditions=prismapi/source', '--import', 'tsx', 'scripts/prestart.ts']
  await promisify(execFile)(process.execPath, before, { cwd: folder, env: { PATH, HOME, ...env } })
  let running: AppProcess | null = null
  const start = async () => {
    running = startApp(env, program, folder)
    await running.firstLine
  }
  await start()
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return {
    port,
    start,
    /** Resolved when it is gone, with what it had to say. */
    async end(signal: NodeJS.Signals = 'SIGTERM') {
      running?.stop(signal)
      return running?.exit
    },
    get pid() {
      return running?.pid as number
    },
    /** The `Authorization` header of a user. */
    bearer: async (userId: number) => ({ Authorization: `Bearer ${await signToken(userId, secret)}` }),
    /** What it has said on stderr so far. */
    log: () => running?.log() ?? '',
    send: (sent: Sent) => send({ port, agent, sent }),
    close: () => agent.destroy(),
  }
}

export type App = Awaited<ReturnType<typeof makeApp>>

function send({ port, agent, sent }: { port: number; agent: Agent; sent: Sent }): Promise<Received> {
  const { method = 'GET', path, headers = {}, body } = sent
  const length = body === undefined ? {} : { 'Content-Type': mediaType, 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      headers: { Accept: mediaType, ...length, ...headers },
    }
    const asked = request(options, (answer) => {
      const chunks: Buffer[] = []
      const { statusCode, headers } = answer
      const done = () => resolve({ status: statusCode as number, headers, text: Buffer.concat(chunks).toString() })
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      answer.on('end', done)
      if (headers['content-type'] === 'text/event-stream') beginningOf(answer, done)
    })
    asked.on('error', reject).end(body)
  })
}

/** A stream has no end: its client stops behind the first event, or where none comes. */
function beginningOf(stream: IncomingMessage, done: () => void): void {
  let text = ''
  const stop = () => {
    clearTimeout(timer)
    done()
    stream.destroy()
  }
  const timer = setTimeout(stop, silentMilliseconds)
  stream.on('data', (chunk: Buffer) => {
    text += chunk
    if (text.includes('\n\n')) stop()
  })
  stream.on('close', () => clearTimeout(timer))
}

export interface Usage {
  /** MiB that the process holds. */
  readonly memory: number
  /** Files and sockets that it has open. */
  readonly handles: number
}

/** What a process uses, as Linux tells it. */
export function usageOf(pid: number): Usage {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { memory: Math.round(Number(kilobytes) / 1024), handles: readdirSync(`/proc/${pid}/fd`).length }
}
