import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../test/support/npm-start.ts'
import { startLoadBalancer } from '../scaling/load-balancer.ts'
import { findProgram, startProgram } from '../scaling/programs.ts'

/** Both end connections on which nothing has come for so long: longer than streams are silent. */
const idleSeconds = 20

interface Between {
  readonly folder: string
  readonly port: number
  readonly server: number
}

/** What may stand between streams and their clients. */
export const streamProxies = {
  haproxy: ({ folder, port, server }: Between) => startLoadBalancer({ folder, port, servers: [server], idleSeconds }),
  nginx: ({ folder, port, server }: Between) => {
    const file = path.join(folder, 'nginx.conf')
    writeFileSync(file, nginxConfiguration({ folder, port, server }))
    return startProgram([findProgram('nginx'), '-e', 'stderr', '-c', file], port)
  },
} as const

// It holds back what comes, as it does by default: what a stream says of itself is enough.
const nginxConfiguration = ({ folder, port, server }: Between): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  gzip on;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_read_timeout ${idleSeconds}s;
    send_timeout ${idleSeconds}s;
    location / {
      proxy_pass http://127.0.0.1:${server};
    }
  }
}
`

export type StreamProxy = keyof typeof streamProxies

/** Starts one before a server, on a port of its own. */
export async function startStreamProxy(name: StreamProxy, server: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-proxy-'))
  const port = await freePort()
  const proxy = await streamProxies[name]({ folder, port, server })
  return {
    port,
    async stop() {
      await proxy.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
