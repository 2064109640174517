import { postgresPrograms } from '../../test/support/private-postgres.ts'
import { hasProgram } from '../scaling/programs.ts'

/** A long run: it ends with the exit code 0 where all is well. To add one, add it to the list. */
interface Job {
  /** `npm run nightly -- name` runs it alone. */
  readonly name: string
  readonly command: readonly [program: string, ...args: string[]]
  /** After so many it is ended, and has failed. */
  readonly minutes: number
  /** Why it cannot run on this machine; null where it can. */
  readonly lacks?: () => string | null
}

const npm = (...args: readonly string[]) => ['npm', 'run', ...args] as const
const script = (...args: readonly string[]) => [process.execPath, '--import', 'tsx', ...args] as const

const lacksServers = (): string | null => {
  if (postgresPrograms === null) return 'PostgreSQL is not installed'
  return hasProgram('haproxy') ? null : 'haproxy is not installed'
}
const lacksProc = (): string | null => (process.platform === 'linux' ? null : 'it reads /proc, which Linux has')

export const jobs: readonly Job[] = [
  { name: 'kill', command: npm('reliability', '--', 'kill', '--seconds', '600', '--kills', '100'), minutes: 20 },
  { name: 'fuzz', command: npm('reliability', '--', 'fuzz', '--runs', '10000'), minutes: 180, lacks: lacksProc },
  { name: 'soak', command: npm('reliability', '--', 'soak', '--seconds', '3600'), minutes: 75, lacks: lacksProc },
  { name: 'scaling', command: npm('scaling', '--', '--seconds', '300'), minutes: 15, lacks: lacksServers },
  { name: 'policies', command: script('scripts/nightly/policy-pairs.ts', '10000'), minutes: 60 },
  { name: 'bench', command: npm('bench'), minutes: 60 },
  { name: 'bench:operations', command: npm('bench:operations'), minutes: 10 },
  { name: 'bench:cursor', command: npm('bench:cursor'), minutes: 20 },
  { name: 'bench:statistics', command: npm('bench:statistics'), minutes: 10 },
  { name: 'bench:costs', command: npm('bench:costs'), minutes: 10 },
  { name: 'bench:scale', command: npm('bench:scale'), minutes: 20 },
  ...[22, 24, 26].map((major) => ({
    name: `node-${major}`,
    command: script('scripts/nightly/on-node.ts', String(major)),
    minutes: 60,
  })),
]
