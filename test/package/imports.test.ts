import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { fencesOf } from '../support/documentation/fences.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Each folder imports from those before it. */
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
  'openapi',
  'browse',
  'languages',
  'deprecation',
  'explain',
  'idempotency',
  'live',
  'guard',
  'usual',
  'process',
  'telemetry',
  'coverage',
]
/** What `src/index.ts` exports but for `createApi`. */
const blocks = 'src/building-blocks.ts'
const compiledFeatures = 'src/usual/compiled-features.ts'
/** Tools beside the way of a request: they may look at everything but what only serves a request. */
const aside = ['cli', 'generator', 'proof', 'testing']
const forAside = arrow.filter(
  (folder) => !['actions', 'browse', 'http', 'deprecation', 'idempotency', 'api', 'usual', 'process'].includes(folder),
)
/** A cycle of imports, those of types among them, has at most so many files: more cannot be read together. */
const longestCycle = 6

interface Import {
  readonly file: string
  readonly specifier: string
  readonly isType: boolean
}

const filesBelow = (folder: string): string[] => {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mts|js|mjs)$/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
    .sort()
}

const statement = /^(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm

function importsOf(file: string): Import[] {
  const source = readFileSync(path.join(root, file), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
  return [...source.matchAll(statement)].map(([, type, from, dynamic]) => ({
    file,
    specifier: (from ?? dynamic) as string,
    isType: type !== undefined,
  }))
}

const isRelative = ({ specifier }: Import): boolean => specifier.startsWith('.')
const targetOf = ({ file, specifier }: Import): string => path.posix.join(path.posix.dirname(file), specifier)
const folderOf = (file: string): string => /^src\/([^/]+)\//.exec(file)?.[1] ?? ''
const shown = ({ file, specifier }: Import): string => `${file} imports ${specifier}`

const framework = filesBelow('src').filter((file) => folderOf(file) !== 'app')
const application = ['src/app', 'policies', 'requests', 'prisma']
  .flatMap(filesBelow)
  .filter((file) => !file.startsWith('prisma/generated/'))
const relative = framework.flatMap(importsOf).filter(isRelative)
const values = relative.filter(({ isType }) => !isType)

function isAllowed(line: Import): boolean {
  const from = folderOf(line.file)
  const to = folderOf(targetOf(line))
  if (from === to) return true
  if (line.file === 'src/index.ts' || line.file === blocks) return arrow.includes(to) || targetOf(line) === blocks
  // What features make of the class of a server, without what answers requests.
  if (aside.includes(from) && targetOf(line) === compiledFeatures) return true
  // What the files of an application are given while their policies are looked at.
  if (line.file === 'src/cli/policies/framework.ts') return targetOf(line) === blocks
  // The command line reads Prisma schemas as `prisma generate` does, and proves what policies allow.
  if (from === 'cli' && (to === 'generator' || to === 'proof')) return true
  if (aside.includes(from)) return forAside.includes(to)
  return arrow.includes(to) && arrow.indexOf(to) < arrow.indexOf(from)
}

describe('the import lines of src/', () => {
  test('are found by this test', () => {
    expect(importsOf('src/api/create-api.ts')).toContainEqual({
      file: 'src/api/create-api.ts',
      specifier: '../database/stores.ts',
      isType: false,
    })
    expect(importsOf('src/api/create-api.ts')).toContainEqual({
      file: 'src/api/create-api.ts',
      specifier: '../model/register.ts',
      isType: true,
    })
    expect(relative.length).toBeGreaterThan(300)
  })

  test('stay in folders that the arrow knows', () => {
    const known = [...arrow, ...aside, '']
    expect(framework.filter((file) => !known.includes(folderOf(file)))).toEqual([])
  })

  test('follow the arrow, those of types as well', () => {
    expect(relative.filter((line) => !isAllowed(line)).map(shown)).toEqual([])
  })

  test('end in .ts and name a file, never a folder’s index', () => {
    const isFile = (line: Import) =>
      line.specifier.endsWith('.ts') &&
      !line.specifier.endsWith('/index.ts') &&
      existsSync(path.join(root, targetOf(line)))
    expect(relative.filter((line) => !isFile(line)).map(shown)).toEqual([])
  })

  test('make no cycle of values', () => {
    expect(cycles(values.map((line) => [line.file, targetOf(line)]))).toEqual([])
  })

  test(`make no cycle of more than ${longestCycle} files, whether of values or of types`, () => {
    const lines = relative.map((line): Arrow => [line.file, targetOf(line)])
    const large = tiedTogether(lines).filter((files) => files.length > longestCycle)
    expect(large.map((files) => files.join(', '))).toEqual([])
  })

  test('make no cycle of values between sub-folders, and the files beside them', () => {
    const parents = new Set(framework.map(path.posix.dirname).flatMap(foldersAbove))
    expect([...parents].flatMap((folder) => cycles(linesBelow(folder)))).toEqual([])
  })

  test('name OpenTelemetry in the folder that is an entry of its own, and nowhere else', () => {
    const strays = framework.flatMap(importsOf).filter(({ specifier }) => specifier.startsWith('@opentelemetry/'))
    expect(new Set(strays.map(({ file }) => folderOf(file)))).toEqual(new Set(['telemetry']))
  })

  test('name the SAT solver in proofs, and nowhere else', () => {
    const solver = framework.flatMap(importsOf).filter(({ specifier }) => specifier === 'logic-solver')
    expect(new Set(solver.map(({ file }) => folderOf(file)))).toEqual(new Set(['proof']))
  })

  test('lead from a proof of policies to no server and no SQL, which take longest to load', () => {
    const files = ['assert', 'diff', 'framework'].map((name) => `src/cli/policies/${name}.ts`)
    const loaded = values.filter(({ specifier }) => !specifier.endsWith('/confirm/scratch.ts'))
    for (const file of files)
      files.push(...loaded.filter((line) => line.file === file && !files.includes(targetOf(line))).map(targetOf))
    const heavy = ['koa', '@koa/router', 'kysely']
    const lines = files.flatMap(importsOf).filter(({ specifier, isType }) => heavy.includes(specifier) && !isType)
    expect(lines.map(shown)).toEqual([])
    expect(files).toContain('src/server/compile.ts')
  })

  test('never name the package itself', () => {
    const bySelf = framework.flatMap(importsOf).filter(({ specifier }) => /^prismapi($|\/)/.test(specifier))
    expect(bySelf.map(shown)).toEqual([])
  })
})

describe('the import lines of the application', () => {
  test('reach the framework by its package name only', () => {
    const own = ['src/app/', 'policies/', 'requests/', 'prisma/']
    const strays = application
      .flatMap(importsOf)
      .filter(isRelative)
      .filter((line) => !own.some((folder) => targetOf(line).startsWith(folder)))
    expect(strays.map(shown)).toEqual([])
  })
})

test.each(['CONTRIBUTING.md', 'docs/adr/0001-one-arrow-of-imports.md'])('%s shows the line of folders', (page) => {
  const shown = fencesOf(page).find(({ says }) => says.test === 'test/package/imports.test.ts')
  expect(shown?.code).toBe(`${[...arrow, 'app'].join(' ← ')}\n`)
})

type Arrow = readonly [from: string, to: string]

/** `src/database/sql` is below `src/database` and itself; what lies beside each other in `src` follows the arrow. */
function foldersAbove(folder: string): readonly string[] {
  const names = folder.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 2).join('/'))
}

/** The imports of values inside of a folder, where each of its sub-folders counts as one file. */
function linesBelow(folder: string): readonly Arrow[] {
  const child = (file: string) => `${folder}/${file.slice(folder.length + 1).split('/', 1)[0]}`
  return values
    .map((line): Arrow => [line.file, targetOf(line)])
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
