import { spawn } from 'node:child_process'

export interface ServerProcess {
  /** Resolves when the process is gone, and its port free. */
  stop(): Promise<void>
}

/** For requests that are being answered; after it, nobody is asked any more. */
const patienceMs = 5000

/** Starts the example. When it stops by itself, that is said, and the rest is up to the next change. */
export function startServer(root: string, say: (line: string) => void): ServerProcess {
  const args = ['--conditions=prismapi/source', '--import', 'tsx', 'src/app/main.ts']
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
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
