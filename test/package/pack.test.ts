import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const configs = ['package.json', 'tsconfig.json', 'tsconfig.build.json']
const carried = ['src', 'assets', ...configs, 'README.md', 'CHANGELOG.md', 'LICENSE']
let folder: string

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

// A copy without prisma/generated: the package knows nothing of the example's models.
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-pack-'))
  for (const name of carried) cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  run('npm', 'run', '--silent', 'build')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package holds what its exports and bins name, and nothing of the example', () => {
  const [{ files }] = JSON.parse(run('npm', 'pack', '--dry-run', '--json', '--ignore-scripts')) as [
    { files: { path: string }[] },
  ]
  const names = files.map((file) => file.path)
  const dist = ['index', 'pagination/cursor-pagination', 'store/sqlite'].flatMap((name) => [
    `${name}.js`,
    `${name}.d.ts`,
  ])
  const bins = ['cli/main.js', 'generator/bin.js']
  expect(names).toEqual(expect.arrayContaining([...dist, ...bins].map((name) => `dist/${name}`)))
  expect(names).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']))
  expect(names).toEqual(expect.arrayContaining(['assets/browse.css', 'assets/browse.js']))
  const known =
    /^(assets\/browse\.(css|js)|dist\/(?!app\/).*\.(js|js\.map|d\.ts)|CHANGELOG\.md|LICENSE|README\.md|package\.json)$/
  expect(names.filter((name) => !known.test(name))).toEqual([])
})

test('plain node loads every entry point', () => {
  const script = `
    const entries = ['prismapi', 'prismapi/cursor-pagination', 'prismapi/sqlite']
    const modules = await Promise.all(entries.map((entry) => import(entry)))
    console.log(JSON.stringify(modules.map((module) => Object.keys(module).length > 0)))`
  expect(JSON.parse(run('node', '--input-type=module', '--eval', script))).toEqual([true, true, true])
})

test('plain node finds the files of the pages', () => {
  const script =
    "const { assetOf } = await import('./dist/browse/assets.js'); console.log(assetOf('browse.js').text.length > 0)"
  expect(run('node', '--input-type=module', '--eval', script).trim()).toBe('true')
})

test('plain node runs the command', () => {
  expect(run('node', 'dist/cli/main.js', '--help')).toContain('prismapi authorizer')
})

test('an application compiles against the declarations, without a model registered', () => {
  const application = `
    import { createApi, Policy, ResourceRequest, Schema, Server } from 'prismapi'
    import { CursorPagination } from 'prismapi/cursor-pagination'
    import { sqliteClients } from 'prismapi/sqlite'
    export class Posts extends Schema {
      override pagination() {
        return new CursorPagination().withDefaultPerPage(20)
      }
    }
    export const parts = [createApi, Policy, ResourceRequest, Server, sqliteClients]\n`
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: false }
  writeFileSync(path.join(folder, 'application.ts'), application)
  const config = { compilerOptions: { ...compilerOptions, types: ['node'] }, files: ['application.ts'] }
  writeFileSync(path.join(folder, 'tsconfig.application.json'), JSON.stringify(config))
  expect(tsc('tsconfig.application.json')).toEqual([])
})

/** The errors that name our own files: what dependencies declare is their affair. */
function tsc(config: string): string[] {
  try {
    run(path.join(root, 'node_modules/.bin/tsc'), '-p', config, '--pretty', 'false')
    return []
  } catch (error) {
    const { stdout } = error as { stdout: string }
    return stdout.split('\n').filter((line) => line !== '' && !/^(\s|.*node_modules\/)/.test(line))
  }
}
