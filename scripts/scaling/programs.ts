import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// Distributions keep servers where the PATH of users does not look.
const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/sbin', '/usr/sbin']

const fileOf = (name: string): string | undefined =>
  folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file))

export const hasProgram = (name: string): boolean => fileOf(name) !== undefined

/** The package of Debian that has a program. */
export const packageOf = (name: string): string => (name === 'etcd' ? 'etcd-server' : name)

/** @throws {Error} that names the package, where the program is not installed. */
export function findProgram(name: string): string {
  const file = fileOf(name)
  if (file === undefined)
    throw new Error(`${name} is not installed. Install the package ${packageOf(name)} of your distribution.`)
  return file
}

type Command = readonly [string, ...string[]]

/** Of programs that refuse to be root: by the user `postgres`, where we are root. */
export const asPostgres = (command: Command): Command =>
  process.getuid?.() === 0
    ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups', ...command]
    : command

/** A program of ours that listens at that port, and ends with us. */
export async function startProgram(command: Command, port: number) {
  const [file, ...args] = command
  const child = spawn(file, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()))
  ended.then(() => process.off('exit', kill))
  while (!(await answersAt(port))) {
    if (hasEnded(child)) throw new Error(`${file} does not start: ${said}`)
    await sleep(50)
  }
  return {
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null || pid === undefined

const answersAt = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
