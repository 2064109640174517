import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server of the benchmark tells the process that started it. */
export interface Usage {
  /** Microseconds of CPU time since the process began. */
  readonly cpu: number
  /** MiB */
  readonly memory: number
  /** Statements that were sent to the database so far, where the server counts them. */
  readonly queries: number
  /** Reads and writes that went the slow way so far, by their reason, where the server counts them. */
  readonly fallbacks: Readonly<Record<string, number>>
}

export const origin = 'http://bench.test'

/** The file of a SQLite database, or the URL of one on PostgreSQL. */
export const database = (): string => {
  const name = process.argv[2]
  if (!name) throw new Error('Name the database.')
  return name
}

export const isPostgres = database().startsWith('postgresql:')

export type Counting = ReturnType<typeof counting>

/** Counts the statements of a server that was asked to count; counting costs time, so it is off while time is taken. */
export function counting() {
  let queries = 0
  const fallbacks: Record<string, number> = {}
  return {
    isOn: process.argv.includes('--count'),
    add: () => void queries++,
    fellBack(reason: string) {
      fallbacks[reason] = (fallbacks[reason] ?? 0) + 1
    },
    counted: () => ({ queries, fallbacks }),
  }
}

/** Listens on a free port, says which, and answers the parent's questions about what it uses. */
export function listen(handler: RequestListener, { counted }: Counting): void {
  const server = createServer(handler)
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  process.on('message', (question) => {
    if (question !== 'usage') return
    const { user, system } = process.cpuUsage()
    const usage: Usage = { cpu: user + system, memory: process.memoryUsage.rss() / 1_048_576, ...counted() }
    process.send?.(usage)
  })
  process.on('disconnect', () => process.exit(0))
}
