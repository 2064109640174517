// Compiles the packages to their dist/: JavaScript without comments, and the declarations that an application can come to.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const folderOf = (name: string): string => join(root, 'packages', name)
const packages = readdirSync(join(root, 'packages')).filter((name) => existsSync(join(folderOf(name), 'tsconfig.json')))

type Entries = Readonly<Record<string, { readonly types?: string }>>
const exportsOf = (name: string): Entries =>
  JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')).exports

const compile = (...options: string[]): void => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, ...options], { cwd: root, stdio: 'inherit' })
}

/** The file that a specifier leads to, without its ending; null where it leaves the packages. */
function moduleOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(file), specifier.replace(/\.[jt]s$/, ''))
  const [, name = 'prismapi', inner] = /^(?:@prismapi\/(\w+)|prismapi)(?:\/(.+))?$/.exec(specifier) ?? [null, null]
  if (name === null) return null
  const entry = exportsOf(name)[inner === undefined ? '.' : `./${inner}`]?.types
  return join(folderOf(name), entry?.replace(/\.d\.ts$/, '') ?? join('dist', inner?.replace(/^internal\//, '') ?? ''))
}

/** What a file imports from the packages, as `moduleOf` says it. */
function importsOf(file: string): readonly string[] {
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const specifiers = [...code.matchAll(/\b(?:from|import) ?\(?['"]([^'"\n]+)['"]/g)].map(
    ([, specifier = '']) => specifier,
  )
  return specifiers.map((specifier) => moduleOf(file, specifier)).filter((module) => module !== null)
}

/** The declarations of what applications import from: the entries that have names of their own. */
const namedEntries = (): string[] =>
  packages.flatMap((name) =>
    Object.values(exportsOf(name)).flatMap(({ types }) => (types === undefined ? [] : join(folderOf(name), types))),
  )

/** The declarations that an application can come to. */
function reachedDeclarations(): ReadonlySet<string> {
  const named = namedEntries()
  const found = new Set<string>()
  for (let file = named.pop(); file !== undefined; file = named.pop()) {
    if (found.has(file)) continue
    found.add(file)
    named.push(...importsOf(file).map((module) => `${module}.d.ts`))
  }
  return found
}

const builtFiles = (ending: string): readonly string[] =>
  packages.flatMap((name) => {
    const dist = join(folderOf(name), 'dist')
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending))
    return files.map((file) => join(dist, file))
  })

/** What nobody loads: declarations that no entry leads to, and the JavaScript of modules that have types alone. */
function removeUnneeded(): void {
  const reached = reachedDeclarations()
  for (const file of builtFiles('.d.ts')) if (!reached.has(file)) rmSync(file)
  const scripts = builtFiles('.js')
  const entries = namedEntries().map((file) => file.replace(/\.d\.ts$/, '.js'))
  const loaded = new Set([...entries, ...scripts.flatMap(importsOf).map((module) => `${module}.js`)])
  for (const file of scripts) if (!loaded.has(file) && readFileSync(file, 'utf8') === 'export {};\n') rmSync(file)
}

try {
  for (const name of packages) rmSync(join(folderOf(name), 'dist'), { recursive: true, force: true })
  compile('-b', 'tsconfig.build.json', '--emitDeclarationOnly')
  // They were checked. Comments stay in declarations alone.
  const plain = ['--composite', 'false', '--incremental', 'false', '--declaration', 'false', '--noCheck']
  for (const name of packages) compile('-p', `packages/${name}`, ...plain, '--removeComments')
} catch {
  // The compiler has said why.
  process.exit(1)
}
for (const name of packages) {
  const [source, dist] = [join(folderOf(name), 'src'), join(folderOf(name), 'dist')]
  rmSync(join(dist, '.tsbuildinfo'))
  // What threads start with is plain JavaScript, which the compiler leaves alone.
  const scripts = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'))
  for (const file of scripts) copyFileSync(join(source, file), join(dist, file))
}
removeUnneeded()
