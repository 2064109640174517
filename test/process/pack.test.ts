import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Packed, type PackedPackage, packPackages } from '../support/packed.ts'

const root = path.resolve(import.meta.dirname, '../..')
let packed: Packed
/** An application that has all packages, as they are built. */
let application: string
let elsewhere: string

interface LockEntry {
  readonly version: string
  readonly integrity?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
}
interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>
}
interface Bill {
  readonly serialNumber?: string
  readonly metadata: { readonly timestamp?: string; readonly component: { readonly purl: string } }
  readonly components: readonly { readonly purl: string; readonly hashes?: readonly { readonly content: string }[] }[]
}

beforeAll(async () => {
  packed = await packPackages()
  application = mkdtempSync(path.join(tmpdir(), 'prismapi-packed-'))
  elsewhere = mkdtempSync(path.join(tmpdir(), 'prismapi-server-'))
  symlinkSync(path.join(packed.folder, 'node_modules'), path.join(application, 'node_modules'))
  writeFileSync(path.join(application, 'package.json'), '{ "type": "module" }')
})
afterAll(() => {
  for (const folder of [application, elsewhere]) rmSync(folder, { recursive: true })
})

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: application, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
const evaluated = (script: string): unknown => JSON.parse(run('node', '--input-type=module', '--eval', script))

const named = (name: string): PackedPackage => {
  const found = packed.packages.find((each) => each.name === name)
  if (!found) throw new Error(`${name} is not packed.`)
  return found
}
const place = ({ name }: PackedPackage, ...file: string[]) => path.join(packed.folder, 'node_modules', name, ...file)
const everyFile = (): [each: PackedPackage, file: string][] =>
  packed.packages.flatMap((each) => each.files.map((file): [PackedPackage, string] => [each, file]))

/** The specifiers of what applications import. */
const entries = (): string[] =>
  packed.packages.flatMap(({ name, manifest: { exports = {} } }) =>
    Object.keys(exports)
      .filter((key) => !/\*|\.json$/.test(key))
      .map((key) => path.posix.join(name, key)),
  )

test('each package holds what its exports and commands name, its license, and a page that says what it is', () => {
  for (const { name, manifest, files } of packed.packages) {
    const ends = Object.entries(manifest.exports ?? {}).flatMap(([key, to]) =>
      typeof to === 'string' || key.includes('*') ? [] : [to.types, to.default],
    )
    const wanted = [...ends, ...Object.values(manifest.bin ?? {})].map((file) => file.replace(/^\.\//, ''))
    expect(files, name).toEqual(expect.arrayContaining([...wanted, 'LICENSE', 'README.md', 'package.json']))
  }
  expect(named('prismapi').files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'sbom.cdx.json']))
})

test('the packages hold nothing else: no source, map, test, or part of the example', () => {
  const common = /^(dist\/.+\.(js|d\.ts)|README\.md|LICENSE|package\.json)$/
  const own: Readonly<Record<string, RegExp>> = {
    prismapi: /^(CHANGELOG\.md|sbom\.cdx\.json|bin\/prismapi\.mjs|entries\/testing(-kit)?\.(js|d\.ts))$/,
    '@prismapi/cli': /^(sbom\.cdx\.json|assets\/(application\/.+|auth\/.+|schema-engine(\/[\w-]+)?\.mjs))$/,
    '@prismapi/pages': /^assets\/((browse|docs|icons|record)\.css|(browse|docs|forms|stream)\.js|icons\.LICENSE)$/,
    '@prismapi/proof': /^dist\/coverage\/preload\.mjs$/,
    '@prismapi/sql': /^dist\/lane\/worker\.mjs$/,
    '@prismapi/testing': /^sbom\.cdx\.json$/,
  }
  const others = everyFile().filter(([{ name }, file]) => !common.test(file) && !own[name]?.test(file))
  expect(others.map(([{ name }, file]) => `${name}/${file}`)).toEqual([])
  // npm leaves out, or renames, what begins with a dot.
  expect(named('@prismapi/cli').files).toEqual(expect.arrayContaining(['assets/application/_gitignore']))
})

/** The packages of this repository that come with one. */
function ownOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  const own = Object.keys(named(name).manifest.dependencies ?? {}).filter((each) =>
    /^(@prismapi\/|prismapi$)/.test(each),
  )
  for (const each of own) ownOf(each, found)
  return found
}

test('a server installs no solver, fuzzer or command line, and less than 3 MB of ours', () => {
  const names = [...ownOf('prismapi')]
  expect(names.filter((name) => /\/(cli|proof|testing)$/.test(name))).toEqual([])
  const sizes = names.map(named).flatMap((each) => each.files.map((file) => statSync(place(each, file)).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000)
})

test('a server downloads less than 800 kB of ours', () => {
  const sizes = [...ownOf('prismapi')].map((name) => statSync(named(name).tarball).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(800_000)
})

test('threads beside the event loop start, with the code that the package has for them', () => {
  const file = path.join(application, 'lane.db')
  const script = `
    import Sqlite from 'better-sqlite3'
    import { openLane } from '@prismapi/sql/lane/lane'
    const file = ${JSON.stringify(file)}
    new Sqlite(file).exec('pragma journal_mode = WAL; create table t (text text); insert into t values (1)')
    const lane = openLane({ file, inlineCost: 1, statementMilliseconds: 5000, onQuery: undefined })
    console.log(JSON.stringify(await lane.read(({ all }) => all('select text from t', [], 100))))
    await lane.close()`
  expect(evaluated(script)).toEqual([['1']])
})

test.each(['prismapi', '@prismapi/cli', '@prismapi/testing'])(
  'the bill of materials of %s has each package that comes with it, with the hash of the lock file',
  (name) => {
    const lock: Lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
    const bill: Bill = JSON.parse(readFileSync(place(named(name), 'sbom.cdx.json'), 'utf8'))
    const { components, serialNumber, metadata } = bill
    const listed = components.map(
      ({ purl, hashes = [] }) => `${decodeURIComponent(purl)} ${hashes.map(({ content }) => content)}`,
    )
    const expected = broughtAlong(lock.packages, `node_modules/${name}`).map(([at, { version, integrity = '' }]) => {
      const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
      return `pkg:npm/${at.split('node_modules/').at(-1)}@${version} ${hash}`
    })
    expect(listed.toSorted()).toEqual([...new Set(expected)].toSorted())
    expect(listed.filter((each) => /npm\/(koa|yup|kysely|@prismapi\/core)@/.test(each))).toHaveLength(4)
    // Nor does it say when or where it was made.
    expect([serialNumber, metadata.timestamp, decodeURIComponent(metadata.component.purl)]).toEqual([
      undefined,
      undefined,
      `pkg:npm/${name}@${named(name).version}`,
    ])
  },
)

test('a package is packed the same twice, byte by byte', () => {
  const { name, tarball } = named('prismapi')
  const args = [
    'pack',
    `--workspace=${name}`,
    '--json',
    '--foreground-scripts=false',
    `--pack-destination=${application}`,
  ]
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: packed.folder, encoding: 'utf8' }))
  expect(readFileSync(path.join(application, filename)).equals(readFileSync(tarball))).toBe(true)
})

test('npm runs nothing of the packages where somebody installs them, and so asks nothing about them', () => {
  const onInstalling = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
  const scripts = packed.packages.flatMap(({ manifest }) => Object.keys(manifest.scripts ?? {}))
  expect(scripts.filter((name) => onInstalling.includes(name))).toEqual([])
})

test('no declaration is there that no entry comes to, and those that are there say what they are', () => {
  const core = named('@prismapi/core')
  expect(everyFile().filter(([{ name }, file]) => name === '@prismapi/cli' && file.endsWith('.d.ts'))).toEqual([])
  expect(readFileSync(place(core, 'dist/api/create-api.d.ts'), 'utf8')).toContain('@example')
  expect(readFileSync(place(core, 'dist/api/create-api.js'), 'utf8')).not.toContain('@example')
})

test('plain node loads every entry point', () => {
  const names = entries()
  expect(names).toEqual(expect.arrayContaining(['prismapi', 'prismapi/testing/kit', '@prismapi/testing/kit']))
  const script = `
    const modules = await Promise.all(${JSON.stringify(names)}.map((entry) => import(entry)))
    console.log(JSON.stringify(modules.map((module) => Object.keys(module).length > 0)))`
  // One entry has types alone.
  expect(evaluated(script)).toEqual(names.map((name) => name !== 'prismapi/types'))
})

test('plain node finds the files of the pages', () => {
  const script = `
    const { assetOf } = await import('@prismapi/pages/frame/assets')
    console.log(assetOf('/-browse', 'browse.js').text.length > 0)`
  expect(evaluated(script)).toBe(true)
})

test('an application compiles against the declarations, without a model registered', () => {
  const source = `
    import { createApi, Policy, ResourceRequest, Schema, Server } from 'prismapi'
    import { CursorPagination } from 'prismapi/cursor-pagination'
    ${entries()
      .map((entry, i) => `import * as entry${i} from '${entry}'`)
      .join('\n')}
    export class Posts extends Schema {
      override pagination() {
        return new CursorPagination().withDefaultPerPage(20)
      }
    }
    export const parts = [createApi, Policy, ResourceRequest, Server, ${entries().map((_, i) => `entry${i}`)}]\n`
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: false }
  writeFileSync(path.join(application, 'application.ts'), source)
  const config = { compilerOptions: { ...compilerOptions, types: ['node'] }, files: ['application.ts'] }
  writeFileSync(path.join(application, 'tsconfig.json'), JSON.stringify(config))
  expect(ownErrors()).toEqual([])
})

/** What `dependencies` lead to, found as Node finds it: in the folder of the package that asks, then in those around it. */
function broughtAlong(packages: Lock['packages'], from: string): [place: string, entry: LockEntry][] {
  const found = new Map<string, LockEntry>()
  const entryAt = (at: string): LockEntry => {
    const entry = packages[at] as LockEntry
    return entry.link ? (packages[entry.resolved as string] as LockEntry) : entry
  }
  const visit = (at: string): void => {
    for (const name of Object.keys(entryAt(at).dependencies ?? {})) {
      const levels = at.split('/node_modules/').map((_, index, parts) => parts.slice(0, index + 1))
      const folders = ['', ...levels.map((parts) => `${parts.join('/node_modules/')}/`)].reverse()
      const next = folders.map((each) => `${each}node_modules/${name}`).find((each) => packages[each])
      if (next === undefined) throw new Error(`package-lock.json has no ${name}, which ${at} needs`)
      if (found.has(next)) continue
      found.set(next, entryAt(next))
      visit(next)
    }
  }
  visit(from)
  return [...found]
}

/** The errors that name files of ours: what dependencies declare is their affair. */
function ownErrors(): string[] {
  try {
    run(path.join(root, 'node_modules/.bin/tsc'), '-p', '.', '--pretty', 'false')
    return []
  } catch (error) {
    const lines = (error as { stdout: string }).stdout.split('\n').filter((line) => line !== '' && !/^\s/.test(line))
    return lines.filter((line) => !line.includes('node_modules/') || /\/packages\/\w+\/(dist|entries)\//.test(line))
  }
}

test('the command is the one of the command line, and where there is none it says how to get it', () => {
  expect(run('node', place(named('prismapi'), 'bin/prismapi.mjs'), '--help')).toContain('prismapi authorizer')
  const server = path.join(elsewhere, 'node_modules/prismapi')
  for (const file of ['bin/prismapi.mjs', 'package.json'])
    cpSync(place(named('prismapi'), file), path.join(server, file))
  const options = { cwd: elsewhere, encoding: 'utf8' } as const
  const { status, stderr } = spawnSync('node', [path.join(server, 'bin/prismapi.mjs'), 'doctor'], options)
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `prismapi doctor needs the command line, which is a development dependency: npm install --save-dev @prismapi/cli@${named('prismapi').version}\n`,
  })
})
