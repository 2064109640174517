import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, type Import, importsOf, packageOf, targetOf } from '../../scripts/packages/imports.ts'
import { fencesOf } from '../support/documentation/fences.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Each room of `jsonapi` and of the core imports from those before it. */
const arrow = [
  'document',
  'model',
  'condition',
  'pagination',
  'schema',
  'request',
  'query',
  'database',
  'read',
  'write',
  'serialize',
  'validation',
  'price',
  'auth',
  'actions',
  'server',
  'http',
  'api',
]
/** The rooms that do no I/O. */
const rooms = { jsonapi: arrow.slice(0, 7), core: arrow.slice(7) }
/** Each package imports from those before it, as its `package.json` declares. */
const line = [
  ...[
    'core',
    'direct',
    'kept',
    'languages',
    'query',
    'export',
    'search',
    'openapi',
    'sql',
    'live',
    'pages',
    'prismapi',
    'auth',
    'mcp',
    'proof',
    'testing',
    'cli',
  ],
  'create-prismapi',
] as const
/** Tools look at what a server is made of, and never at what answers requests. */
const tools = ['cli', 'create-prismapi', 'proof', 'testing']
const answering = ['actions', 'api', 'http']
/** A cycle of imports, those of types among them, has at most so many files: more cannot be read together. */
const longestCycle = 6

const isRelative = ({ specifier }: Import): boolean => specifier.startsWith('.')

const roomOf = (file: string): string => /^packages\/(?:core|jsonapi)\/src\/([^/]+)\//.exec(file)?.[1] ?? ''
const shown = ({ file, specifier }: Import): string => `${file} imports ${specifier}`

const framework = line.flatMap((name) => filesBelow(`packages/${name}/src`))
const application = ['src', 'policies', 'requests', 'prisma']
  .flatMap(filesBelow)
  .filter((file) => !file.startsWith('prisma/generated/'))
const all = framework.flatMap(importsOf)
const relative = all.filter(isRelative)
/** Those that lead to a file of a package, whichever it is. */
const own = all.filter((each) => targetOf(each) !== '')
const values = own.filter(({ isType }) => !isType)

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(path.join(root, 'packages', name, 'package.json'), 'utf8'))

/** `@casl/ability` of `@casl/ability/extra`, `koa` of `koa`. */
const packageNamed = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''

describe('packages', () => {
  test.each(line)('%s imports what its package.json declares, and nothing of a package behind it', (name) => {
    const { dependencies, peerDependencies, devDependencies } = manifestOf(name)
    const declared = Object.keys({ ...dependencies, ...peerDependencies })
    // Applications import no types of the command line.
    const ofTypes = name === 'cli' ? [...declared, ...Object.keys(devDependencies ?? {})] : declared
    const foreign = filesBelow(`packages/${name}/src`)
      .flatMap(importsOf)
      .filter((each) => !isRelative(each) && !isBuiltin(each.specifier) && !each.specifier.includes('${'))
    const isDeclared = ({ specifier, isType }: Import) =>
      declared.includes(packageNamed(specifier)) ||
      (isType && (ofTypes.includes(packageNamed(specifier)) || declared.includes(`@types/${specifier}`)))
    expect(foreign.filter((each) => !isDeclared(each)).map(shown)).toEqual([])
    const behind = line
      .slice(line.indexOf(name))
      .map((each) => (each.endsWith('prismapi') ? each : `@prismapi/${each}`))
    expect(Object.keys(dependencies ?? {}).filter((each) => behind.includes(each))).toEqual([])
  })

  test.each(line)('%s needs all that it declares', (name) => {
    const used = new Set(
      filesBelow(`packages/${name}/src`)
        .flatMap(importsOf)
        .map((each) => packageNamed(each.specifier)),
    )
    const dependencies = Object.keys(manifestOf(name).dependencies ?? {})
    // The types of a package that is named, and what others find by it.
    expect(dependencies.filter((each) => !used.has(each) && !each.startsWith('@types/'))).toEqual([])
  })

  test('tools look at no part of the core that answers requests', () => {
    const strays = own.filter(
      (each) => tools.includes(packageOf(each.file)) && answering.includes(roomOf(targetOf(each))),
    )
    // The kit asks a whole application; coverage and mutants hear of each API that is made.
    const allowed = /^packages\/(?:proof\/src\/coverage\/|testing\/src\/kit\/tested\.ts)/
    expect(strays.filter(({ file }) => !allowed.test(file)).map(shown)).toEqual([])
  })
})

describe('the import lines of packages/', () => {
  test('are found by this test', () => {
    expect(importsOf('packages/core/src/api/create-api.ts')).toContainEqual({
      file: 'packages/core/src/api/create-api.ts',
      specifier: '../database/stores.ts',
      isType: false,
    })
    expect(importsOf('packages/core/src/api/create-api.ts')).toContainEqual({
      file: 'packages/core/src/api/create-api.ts',
      specifier: '@prismapi/jsonapi/model/register',
      isType: true,
    })
    expect(relative.length).toBeGreaterThan(300)
  })

  test('stay in rooms that the arrow knows', () => {
    for (const [name, known] of Object.entries(rooms)) {
      const files = framework.filter((file) => packageOf(file) === name)
      expect(files.filter((file) => !known.includes(roomOf(file)))).toEqual([])
    }
  })

  test('follow the arrow, those of types as well', () => {
    const isAllowed = (each: Import): boolean => {
      const [from, to] = [roomOf(each.file), roomOf(targetOf(each))]
      return from === to || (arrow.includes(to) && arrow.indexOf(to) < arrow.indexOf(from))
    }
    const inRooms = own.filter(({ file }) => roomOf(file) !== '')
    expect(inRooms.filter((each) => !isAllowed(each)).map(shown)).toEqual([])
  })

  test('end in .ts and name a file, never a folder’s index', () => {
    const isFile = (each: Import) =>
      each.specifier.endsWith('.ts') &&
      !each.specifier.endsWith('/index.ts') &&
      existsSync(path.join(root, targetOf(each)))
    expect(relative.filter((each) => !isFile(each)).map(shown)).toEqual([])
    expect(own.filter((each) => !existsSync(path.join(root, targetOf(each)))).map(shown)).toEqual([])
  })

  test('make no cycle of values', () => {
    expect(cycles(values.map((each) => [each.file, targetOf(each)]))).toEqual([])
  })

  test(`make no cycle of more than ${longestCycle} files, whether of values or of types`, () => {
    const lines = own.map((each): Arrow => [each.file, targetOf(each)])
    const large = tiedTogether(lines).filter((files) => files.length > longestCycle)
    expect(large.map((files) => files.join(', '))).toEqual([])
  })

  test('make no cycle of values between sub-folders, and the files beside them', () => {
    const parents = new Set(framework.map(path.posix.dirname).flatMap(foldersAbove))
    expect([...parents].flatMap((folder) => cycles(linesBelow(folder)))).toEqual([])
  })

  test('name OpenTelemetry in the folder that is an entry of its own, and nowhere else', () => {
    const strays = all.filter(({ specifier }) => specifier.startsWith('@opentelemetry/'))
    expect(strays.filter(({ file }) => !file.startsWith('packages/prismapi/src/telemetry/')).map(shown)).toEqual([])
    expect(strays.length).toBeGreaterThan(0)
  })

  test('lead from a proof of policies to no server and no SQL, which take longest to load', () => {
    const files = ['assert', 'diff', 'framework'].map((name) => `packages/cli/src/policies/${name}.ts`)
    const loaded = values.filter(({ specifier }) => !/\/confirm\/scratch(?:\.ts)?$/.test(specifier))
    for (const file of files)
      files.push(...loaded.filter((each) => each.file === file && !files.includes(targetOf(each))).map(targetOf))
    const heavy = ['koa', '@koa/router', 'kysely']
    const lines = files.flatMap(importsOf).filter(({ specifier, isType }) => heavy.includes(specifier) && !isType)
    expect(lines.map(shown)).toEqual([])
    expect(files).toContain('packages/core/src/server/compile.ts')
  })

  test('let jsonapi read no file, and start nothing', () => {
    const io = /^node:(?:fs|child_process|worker_threads|cluster|dgram|tls|https)\b/
    const lines = all.filter(({ file, specifier }) => packageOf(file) === 'jsonapi' && io.test(specifier))
    expect(lines.map(shown)).toEqual([])
  })

  test('name no package itself from within', () => {
    const bySelf = own.filter((each) => !isRelative(each) && packageOf(each.file) === packageOf(targetOf(each)))
    expect(bySelf.map(shown)).toEqual([])
  })
})

describe('the import lines of the application', () => {
  test('reach the framework by its package name only', () => {
    const places = ['src/', 'policies/', 'requests/', 'prisma/']
    const strays = application.flatMap(importsOf).filter((each) =>
      isRelative(each)
        ? !places.some((folder) => targetOf(each).startsWith(folder))
        : // But for the packages that an application installs itself.
          /^@prismapi\/(?!(?:auth|mcp)$)|^prismapi\/internal/.test(each.specifier),
    )
    expect(strays.map(shown)).toEqual([])
  })
})

test.each(['CONTRIBUTING.md', 'docs/adr/0001-one-arrow-of-imports.md'])('%s shows the line of rooms', (page) => {
  const shown = fencesOf(page).find(({ says }) => says.test === 'test/package/imports.test.ts')
  expect(shown?.code).toBe(`${arrow.join(' ← ')}\n`)
})

type Arrow = readonly [from: string, to: string]

/** `core/src/database/prisma` is below `core/src/database` and itself; what lies beside each other in a `src` follows an arrow. */
function foldersAbove(folder: string): readonly string[] {
  const names = folder.split('/')
  return names.slice(3).map((_, index) => names.slice(0, index + 4).join('/'))
}

/** The imports of values inside of a folder, where each of its sub-folders counts as one file. */
function linesBelow(folder: string): readonly Arrow[] {
  const child = (file: string) => `${folder}/${file.slice(folder.length + 1).split('/', 1)[0]}`
  return values
    .map((each): Arrow => [each.file, targetOf(each)])
    .filter((files) => files.every((file) => file.startsWith(`${folder}/`)))
    .map(([from, to]): Arrow => [child(from), child(to)])
    .filter(([from, to]) => from !== to)
}

/** Every way back to where it began, each once. */
function cycles(lines: readonly Arrow[]): string[] {
  const next = new Map<string, string[]>()
  for (const [from, to] of lines) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file)
    if (start >= 0) found.push([...trail.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const target of next.get(file) ?? []) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return found
}

/** The groups of files of which each reaches all others: Tarjan's strongly connected components, single files left out. */
function tiedTogether(lines: readonly Arrow[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>()
  for (const [from, to] of lines) next.set(from, [...(next.get(from) ?? []), to])
  const index = new Map<string, number>()
  const open: string[] = []
  const groups: string[][] = []
  /** The smallest index of an open file that this one reaches. */
  const visit = (file: string): number => {
    const own = index.size
    index.set(file, own)
    open.push(file)
    let lowest = own
    for (const target of next.get(file) ?? []) {
      if (!index.has(target)) lowest = Math.min(lowest, visit(target))
      else if (open.includes(target)) lowest = Math.min(lowest, index.get(target) as number)
    }
    if (lowest === own) groups.push(open.splice(open.indexOf(file)).sort())
    return lowest
  }
  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return groups.filter((files) => files.length > 1)
}

describe('the test for cycles', () => {
  test('names the files that are tied together, and leaves out those on the way to them', () => {
    const lines: readonly Arrow[] = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
      ['e', 'd'],
      ['d', 'f'],
      ['f', 'd'],
    ]
    expect(tiedTogether(lines)).toEqual([
      ['d', 'f'],
      ['b', 'c'],
    ])
  })
})
