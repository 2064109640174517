import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { postgresPrograms } from '../../../test/support/private-postgres.ts'
import { asPostgres, findProgram } from '../programs.ts'

// One machine of a cluster: Patroni, and the PostgreSQL server that Patroni starts.

export interface NodePlan {
  readonly name: string
  /** Belongs to who runs PostgreSQL. */
  readonly folder: string
  readonly etcdPort: number
  readonly port: number
  readonly patroniPort: number
}

export type Node = ReturnType<typeof makeNode>

export function makeNode(plan: NodePlan) {
  const { name, folder, port, patroniPort } = plan
  const data = path.join(folder, name)
  const file = path.join(folder, `${name}.json`)
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(configuration(plan, data)))
  let patroni: ChildProcess | null = null
  const postmasters = () => processes().filter(({ args }) => args.includes(`-D ${data} `))
  const own = () => [...(patroni?.pid ? [patroni.pid] : []), ...postmasters().map(({ pid }) => pid)]
  const powerOff = () => {
    signal(withDescendants(own()), 'SIGKILL')
    patroni = null
  }
  return {
    name,
    port,
    patroniPort,
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    start() {
      const log = openSync(path.join(folder, `${name}.log`), 'a')
      const [program, ...args] = asPostgres([findProgram('patroni'), file])
      patroni = spawn(program, args, { cwd: '/', stdio: ['ignore', log, log] })
      patroni.on('error', () => {})
      closeSync(log)
    },
    /** The postmaster and Patroni have gone at once. */
    kill() {
      signal(own(), 'SIGKILL')
      patroni = null
    },
    /** It says nothing any more, and keeps its connections, until it goes on. */
    holdStill: () => signal(withDescendants(own()), 'SIGSTOP'),
    goOn: () => signal(withDescendants(own()), 'SIGCONT'),
    powerOff,
  }
}

const timing = {
  /** Seconds for which a leader is one that has not been heard of. */
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 5,
}

function configuration({ name, folder, etcdPort, port, patroniPort }: NodePlan, data: string) {
  const user = { username: 'postgres' }
  return {
    scope: 'failover',
    name,
    restapi: { listen: `127.0.0.1:${patroniPort}`, connect_address: `127.0.0.1:${patroniPort}` },
    // Not `etcd3`: Patroni 3.0.2 has a leader that was held still put its name over that of who was promoted meanwhile.
    etcd: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...timing,
        // A commit is acknowledged when another server has it, too; without another one there is none.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: '256MB' } },
      },
      initdb: ['data-checksums', 'no-locale', { encoding: 'UTF8' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: postgresPrograms,
      pgpass: path.join(folder, `${name}.pgpass`),
      authentication: { superuser: user, replication: user, rewind: user },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: folder, logging_collector: 'off' },
      remove_data_directory_on_diverged_timelines: true,
      remove_data_directory_on_rewind_failure: true,
    },
    watchdog: { mode: 'off' },
  }
}

interface Listed {
  readonly pid: number
  readonly parent: number
  readonly args: string
}

function processes(): readonly Listed[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return { pid: Number(pid), parent: Number(parent), args: `${args} ` }
  })
}

function withDescendants(pids: readonly number[]): readonly number[] {
  const all = new Set(pids)
  const listed = processes()
  // A set's iteration goes on with what is added meanwhile.
  for (const pid of all) for (const each of listed) if (each.parent === pid) all.add(each.pid)
  return [...all]
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
