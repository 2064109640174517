import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { cloneProject } from './clone.ts'
import { madeOnce } from './made-once.ts'

const carried = ['packages', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
const made = ['scripts/build.ts', 'scripts/prepack.ts', 'scripts/sbom.ts', 'LICENSE', 'CHANGELOG.md']

/** One of the packages of this repository, as `npm publish` would send it. */
export interface PackedPackage {
  readonly name: string
  readonly version: string
  /** The path of what `npm pack` made of it. */
  readonly tarball: string
  readonly integrity: string
  readonly manifest: Manifest
  /** What it holds, by their paths in the package. */
  readonly files: readonly string[]
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly bin?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

export interface Packed {
  /** A copy of the repository, built and packed, without anything generated: it knows nothing of the example's models. */
  readonly folder: string
  readonly packages: readonly PackedPackage[]
}

/** All packages of this repository, packed once for what they are made of. What is written below the folder stays for others. */
export async function packPackages(): Promise<Packed> {
  const folder = await madeOnce('packed', { of: { files: [...carried, ...made] }, make: pack })
  const tarballs = path.join(folder, 'tarballs')
  const told = JSON.parse(readFileSync(path.join(tarballs, 'packed.json'), 'utf8')) as Told[]
  return {
    folder,
    packages: told.map(({ name, version, filename, integrity, files }) => ({
      ...{ name, version, integrity, tarball: path.join(tarballs, filename), files: files.map((file) => file.path) },
      manifest: JSON.parse(readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')),
    })),
  }
}

interface Told {
  readonly name: string
  readonly version: string
  readonly filename: string
  readonly integrity: string
  readonly files: readonly { readonly path: string }[]
}

async function pack(folder: string): Promise<void> {
  cloneProject(folder)
  const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 1e8 })
  await npm('run', '--silent', 'build')
  const tarballs = path.join(folder, 'tarballs')
  mkdirSync(tarballs)
  // What scripts say would stand before the JSON.
  const quiet = ['--json', '--foreground-scripts=false']
  const { stdout } = await npm('pack', '--workspaces', `--pack-destination=${tarballs}`, ...quiet)
  writeFileSync(path.join(tarballs, 'packed.json'), stdout)
}
