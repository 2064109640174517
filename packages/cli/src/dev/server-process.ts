import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

export interface ServerProcess {
  /** Resolves when the process is gone, and its port free. */
  stop(): Promise<void>
}

/** For requests that are being answered; after it, nobody is asked any more. */
const patienceMs = 5000

interface Started {
  readonly root: string
  /** Its file. */
  readonly main: string
  /** Where its log goes; null for the log of this process. */
  readonly log: Writable | null
}

/** Starts the application. When it stops by itself, that is said, and the rest is up to the next change. */
export function startServer({ root, main, log }: Started, say: (line: string) => void): ServerProcess {
  // This process may run TypeScript already, by the same options.
  const options = process.execArgv.includes('tsx') ? process.execArgv : [...process.execArgv, '--import', 'tsx']
  const stdio = ['ignore', 'inherit', log === null ? 'inherit' : 'pipe'] as const
  const child = spawn(process.execPath, [...options, main], { cwd: root, stdio: [...stdio] })
  if (log) child.stderr?.pipe(log, { end: false })
  let isStopping = false
  let isGone = false
  const gone = new Promise<void>((done) => {
    child.once('exit', (code, signal) => {
      isGone = true
      if (!isStopping) say(`the server stopped (${signal ?? `exit code ${code}`}): waiting for a change`)
      done()
    })
  })
  return {
    async stop() {
      if (isGone) return
      isStopping = true
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
      await gone
      clearTimeout(timer)
    },
  }
}
