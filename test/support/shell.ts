import { spawn } from 'node:child_process'
import { patience, userEnv } from './clone.ts'

/** One shell for many commands: what they set is there for those that come later. */
interface Shell {
  /**
   * What the commands say on stdout.
   * @throws {Error} with all that was said, when one of them fails.
   */
  run(commands: string): Promise<string>
  close(): void
}

const end = /\n--- end (\d+)\n$/

export interface ShellOptions {
  /** Variables beside those of every user. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds after which it ends, whatever it does. */
  readonly timeout?: number
}

export function openShell(cwd: string, { env = {}, timeout = patience }: ShellOptions = {}): Shell {
  const child = spawn('bash', ['--norc'], { cwd, env: userEnv(env), stdio: 'pipe', timeout })
  let [stdout, stderr] = ['', '']
  let onText = () => {}
  let onClose = () => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    onText()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.on('close', () => onClose())
  // A failure in the midst of a block counts as well.
  child.stdin.write(`trap 'failed=$?' ERR\n`)
  const run = (commands: string): Promise<string> => {
    ;[stdout, stderr] = ['', '']
    return new Promise((resolve, reject) => {
      onClose = () => reject(new Error(`${commands}did not end: ${stdout}${stderr}`))
      onText = () => {
        const [marker, code] = end.exec(stdout) ?? []
        if (marker === undefined) return
        const said = stdout.slice(0, -marker.length)
        if (code === '0') resolve(said)
        else reject(new Error(`${commands}ended with ${code}: ${said}${stderr}`))
      }
      // Without a stdin of their own, commands would read those that come after them.
      child.stdin.write(`failed=0\n{ ${commands}\n} </dev/null\nprintf '\\n--- end %d\\n' "$failed"\n`)
    })
  }
  return { run, close: () => void child.kill() }
}
