import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { asPostgres, findProgram, startProgram } from './programs.ts'

interface Pooled {
  /** Where its files go. */
  readonly folder: string
  readonly port: number
  /** The database server behind it. */
  readonly url: string
  /** How many connections all clients of a user have together. */
  readonly connections: number
  /** Who may connect; by default `postgres`. */
  readonly users?: readonly string[]
}

/** PgBouncer before a PostgreSQL server, with few connections, each of which is a client's for one transaction at a time. */
export function startPooler({ folder, port, url, connections, users: names = ['postgres'] }: Pooled) {
  const { port: serverPort } = new URL(url)
  const file = path.join(folder, `pgbouncer-${port}.ini`)
  const users = path.join(folder, 'users.txt')
  writeFileSync(users, names.map((name) => `"${name}" ""\n`).join(''))
  writeFileSync(file, configuration({ port, serverPort, users, connections }))
  // It refuses to be root.
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder])
  return startProgram(asPostgres([findProgram('pgbouncer'), '-q', file]), port)
}

interface Configured extends Pick<Pooled, 'port' | 'connections'> {
  readonly serverPort: string
  readonly users: string
}

const configuration = ({ port, serverPort, users, connections }: Configured): string => `
[databases]
* = host=127.0.0.1 port=${serverPort}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
`
