import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { followGuide } from '../support/guide.ts'
import { fetchNodes, type NodeEnv } from '../support/node-versions.ts'
import { type Packed, packPackage } from '../support/packed.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/start.md'), 'utf8')
// What is for a project that is there already is test/process/init.test.ts's affair.
const [guide = ''] = page.split('\n## Into a project')
const [firstChapter = ''] = guide.split('\n## 2.')
const current = Number(process.versions.node.split('.')[0])
const others = [20, 22, 24].filter((major) => major !== current)
// npm installs, and on other versions better-sqlite3 is compiled, while other tests run.
const timeout = 400_000
const fiveMinutes = 5 * 60_000

let packed: Packed | undefined
let folder: string
let nodes: ReadonlyMap<number, NodeEnv>

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-install-'))
  ;[packed, nodes] = await Promise.all([packPackage(), fetchNodes([current, ...others], path.join(folder, 'nodes'))])
}, timeout)
afterAll(() => {
  packed?.remove()
  rmSync(folder, { recursive: true })
})

/** Follows commands of the page in an empty folder. The package comes from its tarball; else they are what stands there. */
async function follow(text: string, major: number) {
  const cwd = path.join(folder, `blog${major}`)
  mkdirSync(cwd)
  const commands = text.replace('npm install prismapi\n', `npm install ${packed?.tarball}\n`)
  expect(commands).not.toBe(text)
  const answers = await followGuide(commands, cwd, { env: nodes.get(major) ?? {}, timeout })
  return { cwd, answers }
}

const shown = ({ line, shown }: { line: number; shown: unknown }) => ({ line, answer: shown })
const seen = ({ line, seen }: { line: number; seen: unknown }) => ({ line, answer: seen })

describe.concurrent('who follows docs/start.md word by word sees what it shows', { timeout }, () => {
  test.each(others)('up to the first answer, with Node %i', async (major) => {
    const { cwd, answers } = await follow(firstChapter, major)
    expect(answers.length).toBeGreaterThan(1)
    expect(answers.map(seen)).toEqual(answers.map(shown))
    expect(existsSync(path.join(cwd, 'prisma/dev.db'))).toBe(true)
  })

  test('to production, in less than five minutes of waiting, and nothing of development is installed then', async () => {
    const began = performance.now()
    const { cwd, answers } = await follow(guide, current)
    expect(answers.map(seen)).toEqual(answers.map(shown))
    expect(answers.length).toBeGreaterThan(5)
    expect(performance.now() - began).toBeLessThan(fiveMinutes)
    const installed = packagesIn(path.join(cwd, 'node_modules'))
    expect(installed).toEqual(expect.arrayContaining(['@prisma/client', 'better-sqlite3', 'koa', 'prismapi']))
    const development = /^(prisma|typescript|@typescript\/.*|tsx|esbuild|@esbuild\/.*|@prisma\/(engines|dev|config))$/
    expect(installed.filter((name) => development.test(name))).toEqual([])
  })
})

/** The names of all packages, also of those inside of others. */
function packagesIn(modules: string): string[] {
  if (!existsSync(modules)) return []
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(path.join(modules, name)).map((each) => `${name}/${each}`) : [name],
  )
  return names.flatMap((name) => [name, ...packagesIn(path.join(modules, name, 'node_modules'))])
}
