import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { patience, userEnv } from './clone.ts'

interface RunningServer {
  /** What it had said on stdout when it was ready. */
  readonly said: string
  readonly pid: number
  /** What it has said on stderr so far. */
  readonly log: () => string
  /** As Ctrl+C does. */
  readonly stop: () => Promise<void>
}

/** `npm start`, until it is ready. */
export async function startServer(
  cwd: string,
  port: number,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const env = userEnv({ PORT: String(port), ...more })
  // A group of its own, which a signal reaches whole, as from a terminal.
  const child = spawn('npm', ['start'], { cwd, env, stdio: 'pipe', detached: true, timeout: patience })
  const closed = once(child, 'close')
  let [said, complaints] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (/listens on .*\n/.test(said)) resolve()
    })
    closed.then(() => reject(new Error(`It ended: ${said}${complaints}`)), reject)
  })
  const stop = async () => {
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGINT')
    await closed
  }
  return { said, pid: child.pid ?? 0, log: () => complaints, stop }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
