import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { fencesOf } from '../support/documentation/fences.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Each folder imports from those before it. */
const arrow = [
  'document',
  'model',
  'pagination',
  'schema',
  'request',
  'query',
  'store',
  'serialize',
  'validation',
  'auth',
  'actions',
  'openapi',
  'server',
  'browse',
  'http',
  'process',
  'telemetry',
]
/** Tools beside the way of a request: they may look at everything but what only serves a request. */
const aside = ['cli', 'generator', 'testing']
const forAside = arrow.filter((folder) => !['actions', 'browse', 'http', 'process'].includes(folder))
/** The sum of the parts: types only, so everybody may import it, and it everybody's. */
const context = 'src/request/context.ts'

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
  if (line.file === context) return line.isType
  if (targetOf(line) === context) return line.isType
  if (from === to) return true
  if (line.file === 'src/index.ts') return arrow.includes(to)
  // The command line reads Prisma schemas as `prisma generate` does.
  if (from === 'cli' && to === 'generator') return true
  if (aside.includes(from)) return forAside.includes(to)
  return arrow.includes(to) && arrow.indexOf(to) < arrow.indexOf(from)
}

describe('the import lines of src/', () => {
  test('are found by this test', () => {
    expect(importsOf('src/http/api.ts')).toContainEqual({
      file: 'src/http/api.ts',
      specifier: '../store/stores.ts',
      isType: false,
    })
    expect(importsOf('src/http/api.ts')).toContainEqual({
      file: 'src/http/api.ts',
      specifier: '../model/meta.ts',
      isType: true,
    })
    expect(relative.length).toBeGreaterThan(300)
  })

  test('stay in folders that the arrow knows', () => {
    const known = [...arrow, ...aside, '']
    expect(framework.filter((file) => !known.includes(folderOf(file)))).toEqual([])
  })

  test('follow the arrow', () => {
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

  test('make no cycle of values between sub-folders, and the files beside them', () => {
    const parents = new Set(framework.map(path.posix.dirname).flatMap(foldersAbove))
    expect([...parents].flatMap((folder) => cycles(linesBelow(folder)))).toEqual([])
  })

  test('name OpenTelemetry in the folder that is an entry of its own, and nowhere else', () => {
    const strays = framework.flatMap(importsOf).filter(({ specifier }) => specifier.startsWith('@opentelemetry/'))
    expect(new Set(strays.map(({ file }) => folderOf(file)))).toEqual(new Set(['telemetry']))
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

/** `src/store/sql` is below `src/store` and itself; what lies beside each other in `src` follows the arrow. */
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
