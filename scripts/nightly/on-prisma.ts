// The job `prisma` of `npm run nightly`: all of `npm test` in a fresh clone of the last commit, with the version of Prisma that is named; with
// `--contracts`, what CI asks: only the tests of what prismapi relies on.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const [version = '', only] = process.argv.slice(2)
if (!/^7\.\d+\.\d+$/.test(version)) throw new Error('Say which version of Prisma: 7.8.0.')

const known = new Map<string, boolean>()
const said = (program: string, ...args: readonly string[]): string =>
  spawnSync(program, args, { encoding: 'utf8' }).stdout.trim()
const engine = said('npm', 'view', `@prisma/engines@${version}`, 'dependencies.@prisma/engines-version')

const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-prisma-'))
try {
  const clone = path.join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', root, clone])
  const run = (program: string, ...args: readonly string[]) => {
    const { status } = spawnSync(program, args, { cwd: clone, stdio: 'inherit' })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status} on Prisma ${version}.`)
  }
  for (const manifest of manifestsIn(clone)) pin(manifest)
  // What is installed and compiled already stays as it is, so that only Prisma's packages are brought.
  cpSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund')
  run('node', 'scripts/link-command.mjs')
  run('npx', 'prisma', 'generate')
  run('npx', 'vitest', 'run', '--project', 'prisma')
  if (only !== '--contracts') run('npm', 'test')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The package.json of the checkout, and of its packages. */
function manifestsIn(clone: string): readonly string[] {
  const packages = readdirSync(path.join(clone, 'packages'))
  return [clone, ...packages.map((name) => path.join(clone, 'packages', name))].map((each) =>
    path.join(each, 'package.json'),
  )
}

/** Names the version for all packages that Prisma publishes together, where a manifest has one of them exactly. */
function pin(manifest: string): void {
  const text = readFileSync(manifest, 'utf8')
  const pinned = text.replace(/"(prisma|@prisma\/[a-z0-9-]+)": "7\.\d+\.\d+[^" |]*"/g, (line, name: string) => {
    const wanted = name === '@prisma/schema-engine-wasm' ? engine : version
    return isPublished(name, wanted) ? `"${name}": "${wanted}"` : line
  })
  writeFileSync(manifest, pinned)
}

/** Of 7.10.1 there are only some packages, which go with those of 7.10.0. */
function isPublished(name: string, wanted: string): boolean {
  known.set(
    `${name}@${wanted}`,
    known.get(`${name}@${wanted}`) ?? said('npm', 'view', `${name}@${wanted}`, 'version') === wanted,
  )
  return known.get(`${name}@${wanted}`) === true
}
