import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { postgresUrl } from '../../test/support/postgres.ts'
import type { Usage } from './servers/process.ts'

/** One of the servers that are compared, in a process of its own. */
export interface ServerProcess {
  readonly name: string
  readonly port: number
  usage(): Promise<Usage>
  stop(): Promise<void>
}

export interface ServerKind {
  readonly name: string
  /** A file, from `servers/` on. */
  readonly file: string
  readonly args: readonly string[]
  /** With prismapi as it stands in `src/`, and not as it was built. */
  readonly isSource?: boolean
}

export async function startServer(
  { name, file, args, isSource }: ServerKind,
  database: string,
): Promise<ServerProcess> {
  const child = fork(path.join(import.meta.dirname, 'servers', file), [database, ...args], {
    // Without the condition of this repository prismapi is what was built, as it is where it is installed.
    execArgv: [...(isSource ? ['--conditions=prismapi/source'] : []), '--import', 'tsx'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const { port } = await answerOf<{ port: number }>(child)
  return {
    name,
    port,
    usage() {
      child.send('usage')
      return answerOf<Usage>(child)
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await ended
    },
  }
}

/** Passes on what a database on PostgreSQL is asked, each chunk later by some milliseconds, both ways. */
export async function startDelay(milliseconds: number): Promise<{ through(url: string): string; stop(): void }> {
  const { hostname, port } = new URL(postgresUrl)
  const args = [hostname, port || '5432', String(milliseconds)]
  const child = fork(path.join(import.meta.dirname, 'delay-proxy.ts'), args, { execArgv: ['--import', 'tsx'] })
  const proxy = await answerOf<{ port: number }>(child)
  return {
    through(url) {
      const other = new URL(url)
      other.host = `127.0.0.1:${proxy.port}`
      return other.href
    },
    stop: () => child.disconnect(),
  }
}

const answerOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The server ended.'))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as T)
    })
  })
