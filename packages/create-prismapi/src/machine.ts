import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline/promises'

/** What `npm create prismapi` works with, beside files. */
export interface Machine {
  /** What somebody types at a question; null where nobody is there to ask. */
  readonly ask: ((question: string) => Promise<string>) | null
  /**
   * What a command prints in a folder.
   *
   * @throws {Error} with what it printed, where it fails.
   */
  run(command: string, folder: string): Promise<string>
}

/** This process: it asks at its terminal, and runs commands by the shell. */
export const thisMachine: Machine = {
  ask: process.stdin.isTTY && process.stdout.isTTY ? askHere : null,
  run: (command, cwd) =>
    new Promise((resolve, reject) => {
      const child = spawn(command, { cwd, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
      const printed: Buffer[] = []
      const hear = (text: Buffer) => void printed.push(text)
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('error', reject)
      child.once('close', (status) => {
        const text = Buffer.concat(printed).toString().trim()
        if (status === 0) resolve(text)
        else reject(new Error(text))
      })
    }),
}

async function askHere(question: string): Promise<string> {
  const { stdin: input, stdout: output } = process
  const terminal = createInterface({ input, output })
  // Ctrl+C and Ctrl+D leave: nothing was made yet.
  const leave = () => process.exit(130)
  terminal.once('close', leave)
  const answer = await terminal.question(question)
  terminal.off('close', leave)
  terminal.close()
  return answer
}
