import { spawn } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const command = path.join(root, 'scripts/prismapi.mjs')

export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Place {
  /** The folder that it runs in; by default this repository. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** `npx prismapi …`, as a user of the repository runs it. */
export function prismapi(args: readonly string[], { cwd = root, env = {} }: Place = {}): Promise<CommandResult> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { PATH, HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((done) => child.on('close', (code) => done({ code, stdout, stderr })))
}
