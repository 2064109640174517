import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Packed, packPackage } from '../support/packed.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { exports, scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
let packed: Packed

interface LockEntry {
  readonly version: string
  readonly integrity: string
  readonly dependencies?: Readonly<Record<string, string>>
}
interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>
}
interface Bill {
  readonly serialNumber?: string
  readonly metadata: { readonly timestamp?: string; readonly component: { readonly purl: string } }
  readonly components: readonly { readonly purl: string; readonly hashes: readonly { readonly content: string }[] }[]
}

beforeAll(async () => {
  packed = await packPackage()
})
afterAll(() => packed.remove())

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: packed.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const sizeOf = (name: string): number => statSync(path.join(packed.folder, name)).size

test('the package holds what its exports and bins name, and nothing of the example', () => {
  const { files } = packed
  const entries = Object.values<{ types?: string; default?: string }>(exports)
    .flatMap((entry) => [entry.types, entry.default])
    .filter((name) => name !== undefined)
  const bins = ['dist/cli/main.js', 'dist/generator/bin.js']
  expect(files).toEqual(expect.arrayContaining([...entries.map((name) => name.replace('./', '')), ...bins]))
  expect(files).toEqual(
    expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'sbom.cdx.json']),
  )
  expect(files).toEqual(
    expect.arrayContaining(
      ['browse.css', 'browse.js', 'docs.js', 'icons.css', 'icons.LICENSE', 'stream.js'].map((name) => `assets/${name}`),
    ),
  )
  const known =
    /^(assets\/(browse\.(css|js)|docs\.js|icons\.(css|LICENSE)|stream\.js|application\/.+|schema-engine(\/[\w-]+)?\.mjs)|dist\/(?!app\/).*\.(js|js\.map|d\.ts)|dist\/database\/lane\/worker\.mjs|CHANGELOG\.md|LICENSE|README\.md|package\.json|sbom\.cdx\.json)$/
  expect(files.filter((name) => !known.test(name))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['assets/application/_gitignore', 'assets/application/_npmrc']))
})

test('its threads beside the event loop start, with the code that the package has for them', () => {
  const file = path.join(packed.folder, 'lane.db')
  const script = `
    import Sqlite from 'better-sqlite3'
    import { openLane } from './dist/database/lane/lane.js'
    const file = ${JSON.stringify(file)}
    new Sqlite(file).exec('pragma journal_mode = WAL; create table t (text text); insert into t values (1)')
    const lane = openLane({ file, inlineCost: 1, statementMilliseconds: 5000, onQuery: undefined })
    console.log(JSON.stringify(await lane.read(({ all }) => all('select text from t', [], 100))))
    await lane.close()`
  expect(run(process.execPath, '--input-type=module', '--eval', script)).toBe('[["1"]]\n')
})

test('its bill of materials has each package that comes with it, with the hash of the lock file', () => {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock
  const bill = readFileSync(path.join(packed.folder, 'sbom.cdx.json'), 'utf8')
  const { components, serialNumber, metadata } = JSON.parse(bill) as Bill
  const listed = components.map(
    ({ purl, hashes }) => `${decodeURIComponent(purl)} ${hashes.map(({ content }) => content)}`,
  )
  const expected = broughtAlong(packages).map(([place, { version, integrity }]) => {
    const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
    return `pkg:npm/${place.split('node_modules/').at(-1)}@${version} ${hash}`
  })
  expect(listed.toSorted()).toEqual([...new Set(expected)].toSorted())
  expect(listed.filter((each) => /npm\/(koa|yup|kysely)@/.test(each))).toHaveLength(3)
  // Nor does it say when or where it was made.
  expect([serialNumber, metadata.timestamp, metadata.component.purl]).toEqual([
    undefined,
    undefined,
    expect.stringMatching(/^pkg:npm\/prismapi@/),
  ])
  run('npm', 'run', '--silent', 'prepack')
  expect(readFileSync(path.join(packed.folder, 'sbom.cdx.json'), 'utf8')).toBe(bill)
})

test('npm runs nothing of the package where somebody installs it, and so asks nothing about it', () => {
  const onInstalling = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
  expect(Object.keys(scripts).filter((name) => onInstalling.includes(name))).toEqual([])
})

test('without its maps the package is smaller than 800 kB', () => {
  const names = packed.files.filter((name) => !name.endsWith('.map'))
  const archive = execFileSync('tar', ['-cf', '-', '-C', packed.folder, ...names], { maxBuffer: 1e8 })
  expect(gzipSync(archive, { level: 9 }).length).toBeLessThan(800_000)
})

test('its maps bring along what they map to, so that debuggers show TypeScript', () => {
  const maps = packed.files.filter((name) => name.endsWith('.map'))
  expect(maps.length).toBe(packed.files.filter((name) => /^dist\/.*\.js$/.test(name)).length)
  for (const name of maps) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(path.join(packed.folder, name), 'utf8'))
    const files = sources.map((source: string) => path.join(packed.folder, path.dirname(name), source))
    expect(sourcesContent, name).toEqual(files.map((file: string) => readFileSync(file, 'utf8')))
  }
})

test('no declaration is there that no entry comes to, and those that are there say what they are', () => {
  const declarations = packed.files.filter((name) => name.endsWith('.d.ts'))
  expect(declarations).not.toContain('dist/cli/run.d.ts')
  expect(sizeOf('dist/building-blocks.d.ts')).toBeGreaterThan(1000)
  expect(readFileSync(path.join(packed.folder, 'dist/api/create-api.d.ts'), 'utf8')).toContain('@example')
  expect(readFileSync(path.join(packed.folder, 'dist/api/create-api.js'), 'utf8')).not.toContain('@example')
})

test('plain node loads every entry point', () => {
  const names = Object.keys(exports).filter((name) => name !== './package.json')
  const script = `
    const entries = ${JSON.stringify(names)}.map((name) => name.replace('.', 'prismapi'))
    const modules = await Promise.all(entries.map((entry) => import(entry)))
    console.log(JSON.stringify(modules.map((module) => Object.keys(module).length > 0)))`
  expect(JSON.parse(run('node', '--input-type=module', '--eval', script))).toEqual(names.map(() => true))
})

test('plain node finds the files of the pages', () => {
  const script =
    "const { assetOf } = await import('./dist/browse/frame/assets.js'); console.log(assetOf('/-browse', 'browse.js').text.length > 0)"
  expect(run('node', '--input-type=module', '--eval', script).trim()).toBe('true')
})

test('plain node runs the command', () => {
  expect(run('node', 'dist/cli/main.js', '--help')).toContain('prismapi authorizer')
})

test('an application compiles against the declarations, without a model registered', () => {
  const application = `
    import { createApi, Policy, ResourceRequest, Schema, Server } from 'prismapi'
    import { CursorPagination } from 'prismapi/cursor-pagination'
    import * as postgres from 'prismapi/postgres'
    import { sqliteClients } from 'prismapi/sqlite'
    import * as telemetry from 'prismapi/telemetry'
    import * as testing from 'prismapi/testing'
    import * as kit from 'prismapi/testing/kit'
    export class Posts extends Schema {
      override pagination() {
        return new CursorPagination().withDefaultPerPage(20)
      }
    }
    export const parts = [createApi, Policy, ResourceRequest, Server, sqliteClients, postgres, telemetry, testing, kit]\n`
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: false }
  writeFileSync(path.join(packed.folder, 'application.ts'), application)
  const config = { compilerOptions: { ...compilerOptions, types: ['node'] }, files: ['application.ts'] }
  writeFileSync(path.join(packed.folder, 'tsconfig.application.json'), JSON.stringify(config))
  expect(tsc('tsconfig.application.json')).toEqual([])
})

/** What `dependencies` lead to, found as Node finds it: in the folder of the package that asks, then in those around it. */
function broughtAlong(packages: Lock['packages']): [place: string, entry: LockEntry][] {
  const found = new Map<string, LockEntry>()
  const visit = (place: string): void => {
    const { dependencies = {} } = packages[place] as LockEntry
    for (const name of Object.keys(dependencies)) {
      const levels = place.split('/node_modules/').map((_, index, parts) => parts.slice(0, index + 1))
      const folders = ['', ...levels.map((parts) => `${parts.join('/node_modules/')}/`)].reverse()
      const next = folders
        .map((each) => `${each === '/' ? '' : each}node_modules/${name}`)
        .find((each) => packages[each])
      if (next === undefined) throw new Error(`package-lock.json has no ${name}, which ${place} needs`)
      if (found.has(next)) continue
      found.set(next, packages[next] as LockEntry)
      visit(next)
    }
  }
  visit('')
  return [...found]
}

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
