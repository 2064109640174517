import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const arguments_ = ['--conditions=prismapi/source', '--import', 'tsx']

export interface Exit {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface AppProcess {
  /** What the process said until it ended. */
  readonly exit: Promise<Exit>
  /** The first line on stdout; fails when the process ends without one. */
  readonly firstLine: Promise<string>
  readonly pid: number
  /** What it has said on stderr so far. */
  readonly log: () => string
  stop(signal?: NodeJS.Signals): void
}

/** Starts the example as its users do, or another program, with these environment variables and no others of its own. */
export function startApp(
  env: Readonly<Record<string, string>>,
  program = 'src/app/main.ts',
  cwd = root,
  args: readonly string[] = [],
): AppProcess {
  const { PATH = '', HOME = '', NODE_OPTIONS = '' } = process.env
  const inherited = { PATH, HOME, ...(NODE_OPTIONS && { NODE_OPTIONS }) }
  const child = spawn(process.execPath, [...arguments_, program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const exit = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }))
  })
  return {
    exit,
    firstLine: firstLine(child, { stdout, exit }),
    pid: child.pid ?? 0,
    log: stderr,
    stop: (signal = 'SIGTERM') => void child.kill(signal),
  }
}

function collect(stream: ChildProcess['stdout']): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

function firstLine(
  child: ChildProcess,
  { stdout, exit }: { stdout: () => string; exit: Promise<Exit> },
): Promise<string> {
  const line = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [first, ...rest] = stdout().split('\n')
      if (first !== undefined && rest.length > 0) resolve(first)
    })
    exit.then(({ stderr }) => reject(new Error(`The process ended: ${stderr}`)), reject)
  })
  // Whoever waits for the exit does not ask for a line.
  line.catch(() => {})
  return line
}
