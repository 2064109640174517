// `npm run nightly -- bench:price`: the worst requests that the limits allow, at each number of posts, and then of rows that are as
// uneven as rows can be. Fails where one of them takes more than a second of CPU, or more than 150 MiB, or keeps the server from
// answering others.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const queries = '600'
const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-worst-'))

function run(file: string, ...command: readonly string[]): void {
  const env = { ...process.env, DATABASE_URL: `file:${file}` }
  const { status } = spawnSync('npm', ['run', '--silent', ...command], { env, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

try {
  for (const posts of process.argv.slice(2)) {
    const file = path.join(folder, `${posts}.db`)
    const env = { ...process.env, DATABASE_URL: `file:${file}` }
    spawnSync('npx', ['prisma', 'migrate', 'deploy'], { env, stdio: 'inherit' })
    run(file, 'seed', '--', '--posts', posts)
    run(file, 'bench:price', '--', file, '--worst', '--queries', queries)
    run(file, 'bench:price', '--', file, '--worst', '--skewed', '--queries', queries)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
