import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './npm-start.ts'

const run = promisify(execFile)
const packages = '/usr/lib/postgresql'

/** The folder of PostgreSQL's own programs; null where it is not installed. */
export const postgresPrograms: string | null = programsIn([
  ...(process.env.PATH ?? '').split(path.delimiter),
  ...(existsSync(packages) ? readdirSync(packages).map((version) => path.join(packages, version, 'bin')) : []),
])

function programsIn(folders: readonly string[]): string | null {
  return (
    folders.find((folder) =>
      ['initdb', 'pg_ctl', 'pg_basebackup'].every((name) => existsSync(path.join(folder, name))),
    ) ?? null
  )
}

type Settings = Readonly<Record<string, string | number>>

/** For tests of what is stored, not of how it is kept: no commit waits for the disk. The letters are those of Debian's servers. */
export const startHastyPostgres = () =>
  startIn({ max_connections: 100, fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }, (data) => [
    'initdb',
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C.UTF-8', '-E', 'UTF8'],
  ])

/** A PostgreSQL server of a test's own, which can be stopped, started, and held still. */
export const startPrivatePostgres = (settings: Settings = {}) =>
  startIn(settings, (data) => ['initdb', '-D', data, '-U', 'postgres', '-A', 'trust', ...plainly])

const plainly = ['--no-sync', '--no-locale', '-E', 'UTF8']

/** A streaming replica of such a server. */
export const startPrivateReplica = (primary: Pick<PrivatePostgres, 'url'>, settings: Settings = {}) =>
  startIn({ hot_standby: 'on', ...settings }, (data) => [
    'pg_basebackup',
    ...['-D', data, '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
  ])

export type PrivatePostgres = Awaited<ReturnType<typeof startIn>>

async function startIn(settings: Settings, create: (data: string) => readonly [string, ...string[]]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-postgres-'))
  const port = await freePort()
  const data = path.join(folder, 'data')
  // PostgreSQL refuses to be root.
  const isRoot = process.getuid?.() === 0
  const call = (program: string, ...args: readonly string[]) => {
    const command = [path.join(postgresPrograms as string, program), ...args] as [string, ...string[]]
    const [file, ...rest] = isRoot ? (['runuser', '-u', 'postgres', '--', ...command] as const) : command
    // What it starts would keep a pipe open.
    return run(file, rest, { cwd: '/' })
  }
  if (isRoot) await run('chown', ['postgres', folder])
  await call(...create(data))
  const options = Object.entries({ port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  const start = async () => {
    await call('pg_ctl', '-D', data, '-o', options, '-l', path.join(folder, 'log'), '-w', 'start')
  }
  /** `immediate` is how it ends when the power fails. */
  const stop = async (mode: 'fast' | 'immediate' = 'fast') => {
    await call('pg_ctl', '-D', data, '-m', mode, '-w', 'stop')
  }
  const signal = async (name: 'SIGSTOP' | 'SIGCONT') => {
    const [first = ''] = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', first])
    for (const pid of [first, ...stdout.split('\n')].map(Number).filter((pid) => pid > 0)) process.kill(pid, name)
  }
  await start()
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    /** It says nothing any more, and keeps its connections, until it goes on. */
    holdStill: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
    async remove() {
      await stop('immediate').catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
