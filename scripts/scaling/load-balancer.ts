import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { findProgram, startProgram } from './programs.ts'

interface LoadBalanced {
  /** Where its files go. */
  readonly folder: string
  readonly port: number
  /** The ports of the servers. */
  readonly servers: readonly number[]
  /** It ends connections on which nothing has come for so long. */
  readonly idleSeconds?: number
}

/** HAProxy before servers of the example. */
export function startLoadBalancer({ folder, port, servers, idleSeconds = 60 }: LoadBalanced) {
  const away = path.join(folder, 'away.http')
  const file = path.join(folder, 'haproxy.cfg')
  writeFileSync(away, awayAnswer)
  writeFileSync(file, configuration({ port, servers, away, idleSeconds }))
  return startProgram([findProgram('haproxy'), '-db', '-q', '-f', file], port)
}

// What a load balancer says by itself is a JSON:API document, too, and 503: the client may try again.
const awayDocument = '{"jsonapi":{"version":"1.0"},"errors":[{"status":"503","title":"Service Unavailable"}]}'
const awayAnswer = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: application/vnd.api+json',
  'Cache-Control: no-store',
  'Retry-After: 1',
  `Content-Length: ${awayDocument.length}`,
  '',
  awayDocument,
].join('\r\n')

// A connection that was refused was no request yet. What was sent is sent again only where it changes nothing.
const configuration = ({
  port,
  servers,
  away,
  idleSeconds,
}: Required<Omit<LoadBalanced, 'folder'>> & { readonly away: string }): string => `
defaults
  mode http
  timeout connect 1s
  timeout client ${idleSeconds}s
  timeout server ${idleSeconds}s
  errorfile 502 ${away}
  errorfile 503 ${away}
  errorfile 504 ${away}

frontend api
  bind 127.0.0.1:${port}
  default_backend servers

backend servers
  balance roundrobin
  option httpchk GET /ready
  option redispatch
  retries 3
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((at, n) => `  server s${n} 127.0.0.1:${at}`).join('\n')}
`
