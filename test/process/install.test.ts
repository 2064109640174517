import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followGuide } from '../support/guide.ts'
import { type NodeEnv, thisNode } from '../support/node-versions.ts'
import { packPackages } from '../support/packed.ts'
import { type Registry, serveRegistry } from '../support/registry.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/start.md'), 'utf8')
// What is for a project that is there already is test/process/init.test.ts's affair.
const [guide = ''] = page.split('\n## Into a project')
let registry: Registry | undefined
let folder: string
let env: NodeEnv

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-install-'))
  registry = await serveRegistry((await packPackages()).packages)
  env = { ...(await thisNode(path.join(folder, 'node'))), ...registry.env }
})
afterAll(async () => {
  await registry?.close()
  rmSync(folder, { recursive: true })
})

// `npm run nightly -- node-24` runs this on other versions of Node.
test('who follows docs/start.md word by word, to production, sees what it shows', async () => {
  const cwd = path.join(folder, 'blog')
  mkdirSync(cwd)
  const answers = await followGuide(guide, cwd, { env })
  expect(answers.map(({ line, seen }) => ({ line, answer: seen }))).toEqual(
    answers.map(({ line, shown }) => ({ line, answer: shown })),
  )
  expect(answers.length).toBeGreaterThan(5)
  expect(existsSync(path.join(cwd, 'prisma/dev.db'))).toBe(true)
  const installed = packagesIn(path.join(cwd, 'node_modules'))
  expect(installed).toEqual(expect.arrayContaining(['@prisma/client', 'better-sqlite3', 'koa', 'prismapi']))
  const development =
    /^(prisma|typescript|@typescript\/.*|tsx|esbuild|@esbuild\/.*|@prisma\/(engines|dev|config)|@prismapi\/(cli|proof|testing)|logic-solver|fast-check)$/
  expect(installed.filter((name) => development.test(name))).toEqual([])
})

/** The names of all packages, also of those inside of others. */
function packagesIn(modules: string): string[] {
  if (!existsSync(modules)) return []
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(path.join(modules, name)).map((each) => `${name}/${each}`) : [name],
  )
  return names.flatMap((name) => [name, ...packagesIn(path.join(modules, name, 'node_modules'))])
}
