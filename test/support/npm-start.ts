import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { userEnv } from './clone.ts'

export interface RunningServer {
  /** What it had said on stdout when it was ready. */
  readonly said: string
  /** As Ctrl+C does. */
  stop(): Promise<void>
}

/** `npm start`, ready. */
export async function openServer(cwd: string, port: number): Promise<RunningServer> {
  // A group of its own, which the signal reaches whole, as from a terminal.
  const child = spawn('npm', ['start'], { cwd, env: userEnv({ PORT: String(port) }), stdio: 'pipe', detached: true })
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
    closed.then(() => reject(new Error(`npm start ended: ${said}${complaints}`)), reject)
  })
  return {
    said,
    async stop() {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGINT')
      await closed
    },
  }
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
