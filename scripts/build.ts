// Compiles the package to dist/: JavaScript without comments, maps that bring their sources along, and declarations.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')

const compile = (...options: string[]): void => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...options], { cwd: root, stdio: 'inherit' })
}

/** The declarations that an application can come to, from the entries of the package on. */
function reached(): ReadonlySet<string> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const waiting = Object.values<{ types?: string }>(exports).flatMap(({ types }) => (types ? [join(root, types)] : []))
  const found = new Set<string>()
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
    for (const [, to = ''] of code.matchAll(/(?:from |import\()['"](\.[^'"]+)\.[jt]s['"]/g))
      waiting.push(`${join(dirname(file), to)}.d.ts`)
  }
  return found
}

try {
  rmSync(dist, { recursive: true, force: true })
  compile('--emitDeclarationOnly')
  compile('--declaration', 'false', '--removeComments')
} catch {
  // The compiler has said why.
  process.exit(1)
}
// What threads start with is plain JavaScript, which the compiler leaves alone.
const scripts = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
for (const name of scripts) if (name.endsWith('.mjs')) copyFileSync(join(root, 'src', name), join(dist, name))
const needed = reached()
const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))
for (const name of declarations) if (!needed.has(join(dist, name))) rmSync(join(dist, name))
