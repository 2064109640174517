import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { findProgram, startProgram } from '../programs.ts'

interface Behind {
  readonly name: string
  /** Where PostgreSQL listens, and Patroni, which says what PostgreSQL is. */
  readonly port: number
  readonly patroniPort: number
  /** Where it is reached as long as it is a replica. */
  readonly readPort: number
}

export interface DatabaseBalanced {
  /** Where its file goes. */
  readonly folder: string
  /** Where the leader is reached, whichever it is. */
  readonly writePort: number
  readonly nodes: readonly Behind[]
}

/** HAProxy before PostgreSQL servers: one address for the leader, and one for each server while it is a replica. */
export function startDatabaseBalancer(balanced: DatabaseBalanced) {
  const file = path.join(balanced.folder, 'haproxy.cfg')
  writeFileSync(file, configuration(balanced))
  return startProgram([findProgram('haproxy'), '-db', '-q', '-f', file], balanced.writePort)
}

// A leader that says nothing any more keeps its connections: whoever waits for it is cut off when its check has failed.
const configuration = ({ writePort, nodes }: Omit<DatabaseBalanced, 'folder'>): string => `
defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 10m
  timeout server 10m
  option httpchk
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1

listen writes
  bind 127.0.0.1:${writePort}
  http-check send meth OPTIONS uri /primary
  default-server on-marked-down shutdown-sessions
${nodes.map(({ name, port, patroniPort }) => `  server ${name} 127.0.0.1:${port} port ${patroniPort}`).join('\n')}
${nodes.map(readsOf).join('')}`

// Each has an address of its own: how far one replica is says nothing of another.
const readsOf = ({ name, port, patroniPort, readPort }: Behind): string => `
listen reads-${name}
  bind 127.0.0.1:${readPort}
  http-check send meth OPTIONS uri /replica
  server ${name} 127.0.0.1:${port} port ${patroniPort}
`
