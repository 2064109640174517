// `npm run nightly -- node-22`: `npm ci` and `npm test` of the last commit, in a fresh clone and on that version of Node.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fetchNodes } from '../../test/support/node-versions.ts'

const root = path.resolve(import.meta.dirname, '../..')
const major = Number(process.argv[2])
if (!Number.isInteger(major)) throw new Error('Say which major version of Node: 20, 22 or 24.')

const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-node-'))
try {
  const clone = path.join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', root, clone])
  const own = (await fetchNodes([major], path.join(folder, 'nodes'))).get(major) ?? {}
  const env = { ...process.env, ...own }
  const run = (...args: readonly string[]) => {
    const { status } = spawnSync('npm', args, { cwd: clone, env, stdio: 'inherit' })
    if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status} on Node ${major}.`)
  }
  run('ci')
  run('test')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
