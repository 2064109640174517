// The job `node` of `npm run nightly`, on the version of Node that is named: README's two commands in a fresh clone of the last commit, the
// tests, and the way of docs/start.md from an empty folder to production.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fetchNode } from '../../test/support/node-versions.ts'
import { freePort, startServer } from '../../test/support/npm-start.ts'

const root = path.resolve(import.meta.dirname, '../..')
const major = Number(process.argv[2])
if (!Number.isInteger(major)) throw new Error('Say which major version of Node: 22, 24 or 26.')

const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-node-'))
try {
  const clone = path.join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', root, clone])
  const env = await fetchNode(major, path.join(folder, 'node'))
  const run = (program: string, ...args: readonly string[]) => {
    const { status } = spawnSync(program, args, { cwd: clone, env: { ...process.env, ...env }, stdio: 'inherit' })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status} on Node ${major}.`)
  }
  run('node', '--version')
  for (const [program = '', ...args] of readmeCommands(clone).slice(0, -1)) run(program, ...args)
  await serve(clone, env)
  run('npm', 'test')
  run('npx', 'vitest', 'run', '--project', 'process', 'test/process/install.test.ts')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The first command of README, in its parts; the last one starts the server. */
function readmeCommands(clone: string): readonly (readonly string[])[] {
  const [, line = ''] = /^(npm ci && .*)$/m.exec(readFileSync(path.join(clone, 'README.md'), 'utf8')) ?? []
  const commands = line.split(' && ').map((command) => command.split(' '))
  if (commands.at(-1)?.join(' ') !== 'npm start')
    throw new Error('README.md: its first command does not end with npm start.')
  return commands
}

/** README's second command: what `npm start` serves. */
async function serve(clone: string, env: Readonly<Record<string, string>>): Promise<void> {
  const port = await freePort()
  const server = await startServer(clone, port, env)
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/posts/7?include=author`)
    const { data } = (await response.json()) as { readonly data?: { readonly id: string } }
    console.log(`GET /api/v1/posts/7 answers ${response.status} with post ${data?.id}`)
    if (response.status !== 200 || data?.id !== '7') throw new Error(`npm start does not answer on Node ${major}.`)
  } finally {
    await server.stop()
  }
}
