import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasTurn } from '../../scripts/has-turn.ts'
import { patience, userEnv } from '../support/clone.ts'
import { type NodeEnv, thisNode } from '../support/node-versions.ts'
import { freePort, startServer } from '../support/npm-start.ts'
import { packPackages } from '../support/packed.ts'
import { type Registry, serveRegistry } from '../support/registry.ts'

// One application by `init`, with one version of Prisma after the other, as npm installs them: without any flag.

let registry: Registry | undefined
let folder: string
let cwd: string
let env: NodeEnv

const run = async (line: string): Promise<string> => {
  const [program = '', ...args] = line.split(' ')
  const { stdout } = await promisify(execFile)(program, args, { cwd, env: userEnv(env), timeout: patience })
  return stdout
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-versions-'))
  cwd = path.join(folder, 'blog')
  mkdirSync(cwd)
  registry = await serveRegistry((await packPackages()).packages)
  env = { ...(await thisNode(path.join(folder, 'node'))), ...registry.env }
  for (const line of ['npm init -y', 'npm install prismapi', 'npx prismapi init', 'npm install']) await run(line)
})
afterAll(async () => {
  await registry?.close()
  rmSync(folder, { recursive: true })
})

/** The versions of Prisma's packages: not all have all of them. */
const versions = [
  { cli: '^7.10.1', others: '7.10.0', engine: '7.10.0-4.0edf323efd1d98336f3f0a68684b56f689b900d3' },
  { cli: '7.9.1', others: '7.9.1', engine: '7.9.0-1.e922089b7d7502aff4249d5da3420f6fa55fc6ad' },
  { cli: '7.8.0', others: '7.8.0', engine: '7.8.0-6.3c6e192761c0362d496ed980de936e2f3cebcd3a' },
]

// To install one takes a minute: CI asks of one, others for each commit.
test.each(versions.filter((_, i) => !process.env.CI || hasTurn(i, versions.length)))(
  'with Prisma $cli, an application by init is installed, migrated, seeded and served',
  async (each) => {
    const { cli, others, engine } = each
    const packages = ['client', 'adapter-better-sqlite3', 'driver-adapter-utils'].map(
      (name) => `@prisma/${name}@${others}`,
    )
    await run(`npm install --save-exact ${packages.join(' ')}`)
    await run(`npm install --save-dev prisma@${cli} @prisma/schema-engine-wasm@${engine}`)
    expect(versionOf('prisma')).toBe(cli.replace('^', ''))
    expect(versionOf('@prisma/client')).toBe(others)
    rmSync(path.join(cwd, 'prisma/dev.db'), { force: true })
    rmSync(path.join(cwd, 'prisma/migrations'), { recursive: true, force: true })
    for (const line of ['npx prisma generate', 'npx prisma migrate dev --name init', 'npx prisma db seed'])
      await run(line)
    expect(await run('npx prismapi doctor')).not.toContain('is installed')
    const port = await freePort()
    const server = await startServer(cwd, port, env)
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/posts?include=author&fields[posts]=title,author`)
      const { data, included } = (await response.json()) as Answer
      expect([data[0]?.attributes, included[0]?.type]).toEqual([{ title: 'Hello' }, 'users'])
    } finally {
      await server.stop()
    }
  },
)

interface Answer {
  readonly data: readonly { readonly attributes: object }[]
  readonly included: readonly { readonly type: string }[]
}

// npm has words of its own about the machine that it runs on.
const ownLines = (said: string): string =>
  said
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('npm '))
    .join('\n')

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(path.join(cwd, 'node_modules', name, 'package.json'), 'utf8')).version

test('beside Prisma 8, every command that reads the schema says one line, and what to install', async () => {
  await run('npm install --save-dev prisma@8.0.0-rc.19')
  for (const line of [
    'npx prismapi doctor',
    'npx prismapi openapi',
    'npx prismapi policy Post',
    'npx prismapi request Post',
  ]) {
    const { stderr, stdout } = await run(line).then(
      () => ({ stderr: 'none', stdout: '' }),
      (error: { readonly stderr: string; readonly stdout: string }) => error,
    )
    expect([line, ownLines(`${stdout}${stderr}`)]).toEqual([
      line,
      'error prismapi reads the schema with Prisma 7, and prisma 8.0.0-rc.19 is installed. Run npm install --save-dev prisma@7, or, to keep it, npm install --save-dev @prisma/prisma7.',
    ])
  }
  await run('npm install --save-dev @prisma/prisma7@7.10.0')
  expect(await run('npx prismapi doctor')).toContain('posts')
})
