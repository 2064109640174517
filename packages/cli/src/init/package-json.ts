import { readFileSync } from 'node:fs'
import { UsageError } from '../command.ts'
import { textOf } from './plan.ts'

/** What the application needs of a `package.json`. */
export interface PackageNeeds {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
  /** Packages whose install scripts may run, where npm asks. */
  readonly allowScripts: readonly string[]
}

export type Manifest = Readonly<Record<string, unknown>> & {
  readonly scripts?: Named
  readonly dependencies?: Named
  readonly devDependencies?: Named
  readonly overrides?: Readonly<Record<string, unknown>>
}
type Named = Readonly<Record<string, string>>

/** The application's `package.json`; null where there is none. */
export function readManifest(root: string): Manifest | null {
  const text = textOf(root, 'package.json')
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`package.json cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** The manifest with what is missing; what it says already is left as it is. */
export function withNeeds(manifest: Manifest, needs: PackageNeeds): Manifest {
  const present = { ...named(manifest.devDependencies), ...named(manifest.dependencies) }
  const missing = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => !(name in present)).map((name) => [name, versionIn(present, name)]))
  const allowed = Object.fromEntries(needs.allowScripts.map((name) => [name, true]))
  const dependencies = missing(needs.dependencies)
  // Prisma's adapter asks for version 12, which has to be compiled where npm finds no binary of it.
  const overrides =
    dependencies[sqlite] === prebuiltSqlite ? { [sqlite]: `$${sqlite}`, ...manifest.overrides } : manifest.overrides
  return {
    ...manifest,
    scripts: { ...named(manifest.scripts), ...without(needs.scripts, named(manifest.scripts)) },
    ...(needs.allowScripts.length > 0 && { allowScripts: { ...allowed, ...named(manifest.allowScripts) } }),
    dependencies: sorted({ ...named(manifest.dependencies), ...dependencies }),
    devDependencies: sorted({ ...named(manifest.devDependencies), ...missing(needs.devDependencies) }),
    ...(overrides && { overrides }),
  }
}

/** The manifest in the indentation of the file that is there, as npm does it. */
export function textOfManifest(root: string, manifest: Manifest): string {
  const [, indent = '  '] = /^([ \t]+)"/m.exec(textOf(root, 'package.json') ?? '') ?? []
  return `${JSON.stringify(manifest, null, indent)}\n`
}

const named = (part: unknown): Named => (part ?? {}) as Named

const without = (all: Named, taken: Named): Named =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !(name in taken)))

// As npm writes them.
const sorted = (all: Named): Named =>
  Object.fromEntries(Object.entries(all).sort(([a], [b]) => a.localeCompare(b, 'en')))

interface OwnManifest {
  readonly version: string
  readonly dependencies: Named
  readonly peerDependencies: Named
  readonly devDependencies: Named
  readonly engines: { readonly node: string }
}

// As far from src/init/ as from dist/init/.
const own: OwnManifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const sqlite = 'better-sqlite3'
// An older version, which has to be compiled where npm finds no binary, and a newer one.
const [compiledSqlite, prebuiltSqlite] = (own.devDependencies[sqlite] as string).split(' || ') as [string, string]

/** Does this Node load the version of better-sqlite3 whose package has its binaries. */
const loadsPrebuilt = Number.parseInt(process.versions.node, 10) >= 22

/** The versions of Node that a new application runs on. */
export const enginesOf = (packages: readonly string[]): string =>
  packages.includes(sqlite) && loadsPrebuilt ? '^22.12 || >=24' : own.engines.node

// Adapters have the version of the client that they serve.
const versionIn = (present: Named, name: string): string =>
  (name.startsWith('@prisma/adapter-') && present['@prisma/client']) || versionOf(name)

/** The version of a package that this one is tested with. */
function versionOf(name: string): string {
  if (/^(?:@prismapi\/.+|prismapi)$/.test(name)) return `^${own.version}`
  if (name === sqlite) return loadsPrebuilt ? prebuiltSqlite : compiledSqlite
  const version = own.devDependencies[name] ?? own.dependencies[name] ?? own.peerDependencies[name]
  if (version === undefined) throw new Error(`package.json: ${name} is missing. Add it to devDependencies.`)
  return version
}
